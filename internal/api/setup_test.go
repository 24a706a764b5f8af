package api_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/internal/api/apitest"
	"github.com/cardvault/cardvault/internal/api/idempotency"
	v1 "github.com/cardvault/cardvault/internal/api/v1"
	v2 "github.com/cardvault/cardvault/internal/api/v2"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/ratelimit"
	"github.com/cardvault/cardvault/internal/timestamp"
)

const (
	cardID  = "card_01k5w0q2m7t9c3r5v8x0z1b4d6"
	batchID = "bat_01k5w0q2m7t9c3r5v8x0z1b4d6"
	photoID = "pho_01k5w0q2m7t9c3r5v8x0z1b4d6"
)

// handlers implements v1 with functions. A test sets those that it needs.
type handlers struct {
	server.StrictServerInterface
	getCard       func(context.Context, server.GetCardRequestObject) (server.GetCardResponseObject, error)
	listCards     func(context.Context, server.ListCardsRequestObject) (server.ListCardsResponseObject, error)
	updateCard    func(context.Context, server.UpdateCardRequestObject) (server.UpdateCardResponseObject, error)
	createCards   func(context.Context, server.CreateCardsRequestObject) (server.CreateCardsResponseObject, error)
	createBatch   func(context.Context, server.CreateBatchRequestObject) (server.CreateBatchResponseObject, error)
	completeBatch func(context.Context, server.CompleteBatchRequestObject) (server.CompleteBatchResponseObject, error)
	putPhoto      func(context.Context, server.PutCardPhotoRequestObject) (server.PutCardPhotoResponseObject, error)
	publish       func(context.Context, server.PublishCardRequestObject) (server.PublishCardResponseObject, error)
	scanCards     func(context.Context, server.ScanCardsRequestObject) (server.ScanCardsResponseObject, error)
}

func (h *handlers) GetCard(ctx context.Context, r server.GetCardRequestObject) (server.GetCardResponseObject, error) {
	return h.getCard(ctx, r)
}
func (h *handlers) ListCards(
	ctx context.Context, r server.ListCardsRequestObject,
) (server.ListCardsResponseObject, error) {
	return h.listCards(ctx, r)
}
func (h *handlers) UpdateCard(
	ctx context.Context, r server.UpdateCardRequestObject,
) (server.UpdateCardResponseObject, error) {
	return h.updateCard(ctx, r)
}
func (h *handlers) CreateCards(
	ctx context.Context, r server.CreateCardsRequestObject,
) (server.CreateCardsResponseObject, error) {
	return h.createCards(ctx, r)
}
func (h *handlers) CreateBatch(
	ctx context.Context, r server.CreateBatchRequestObject,
) (server.CreateBatchResponseObject, error) {
	return h.createBatch(ctx, r)
}
func (h *handlers) CompleteBatch(
	ctx context.Context, r server.CompleteBatchRequestObject,
) (server.CompleteBatchResponseObject, error) {
	return h.completeBatch(ctx, r)
}
func (h *handlers) PutCardPhoto(
	ctx context.Context, r server.PutCardPhotoRequestObject,
) (server.PutCardPhotoResponseObject, error) {
	return h.putPhoto(ctx, r)
}
func (h *handlers) PublishCard(
	ctx context.Context, r server.PublishCardRequestObject,
) (server.PublishCardResponseObject, error) {
	return h.publish(ctx, r)
}

func (h *handlers) ScanCards(
	ctx context.Context, r server.ScanCardsRequestObject,
) (server.ScanCardsResponseObject, error) {
	return h.scanCards(ctx, r)
}

// tokens accepts the tokens "good", "other" of another account and "narrow" with limits of its own. "revoked" is
// revoked, and "down" cannot be checked.
type tokens struct{}

func (tokens) Authenticate(_ context.Context, token string) (caller.Caller, error) {
	switch token {
	case "good":
		return caller.Caller{AccountID: "acc_1", TokenID: "tok_1", Scopes: caller.Scopes}, nil
	case "other":
		return caller.Caller{AccountID: "acc_2", TokenID: "tok_3", Scopes: caller.Scopes}, nil
	case "narrow":
		limits := ratelimit.Limits{Read: 2, Write: 1, AI: 1}
		return caller.Caller{AccountID: "acc_1", TokenID: "tok_2", Limits: limits, Scopes: caller.Scopes}, nil
	case "":
		return caller.Caller{}, fault.New(fault.MissingToken, "Send your token.")
	case "revoked":
		return caller.Caller{}, fault.New(fault.RevokedToken, "This token was revoked.")
	case "down":
		return caller.Caller{}, fault.New(fault.Unavailable, "The database does not answer.").
			WithRetryAfter(1500 * time.Millisecond)
	}
	return caller.Caller{}, fault.New(fault.InvalidToken, "This token is not known.")
}

// Recognizes implements api.Authenticator. Only tokens that begin with "stranger" need a look-up.
func (tokens) Recognizes(token string) bool { return !strings.HasPrefix(token, "stranger") }

// Guard implements api.Authenticator.
func (tokens) Guard(string, caller.Caller) postgres.TxHook { return nil }

// service is the handler under test with its log and metrics.
type service struct {
	http.Handler
	log      *strings.Builder
	registry *prometheus.Registry
}

// config returns the configuration of a handler that calls h, with a discarded log and unused metrics.
func config(h *handlers) api.Config {
	return api.Config{
		Versions: []api.Version{v1.Version(h), v2.Version()}, Tokens: tokens{}, Limiter: ratelimit.NewMemory(),
		Limits:      ratelimit.Limits{Read: 1000, Write: 1000, AI: 1000},
		Idempotency: idempotency.New(nil), Clock: clock.System,
		Logger: slog.New(slog.DiscardHandler), Registry: prometheus.NewRegistry(),
	}
}

// setup returns a handler that calls h. The functions may change its configuration.
func setup(t testing.TB, h *handlers, configure ...func(*api.Config)) service {
	t.Helper()
	s := service{log: &strings.Builder{}, registry: prometheus.NewRegistry()}
	c := config(h)
	c.Logger, c.Registry = slog.New(slog.NewTextHandler(s.log, nil)), s.registry
	for _, f := range configure {
		f(&c)
	}
	handler, err := api.New(c)
	if err != nil {
		t.Fatal(err)
	}
	s.Handler = handler
	return s
}

// request returns a request with the token "good"; headers are pairs of names and values. An empty value removes a
// header.
func request(method, target, body string, headers ...string) *http.Request {
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, target, reader)
	r.Header.Set("Authorization", "Bearer good")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		if r.Header.Set(headers[i], headers[i+1]); headers[i+1] == "" {
			r.Header.Del(headers[i])
		}
	}
	return r
}

// do sends the request and validates the response against the contract.
func (s service) do(t testing.TB, r *http.Request) (*http.Response, string) {
	t.Helper()
	sent := r.Clone(context.Background())
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	resp := w.Result()
	return resp, string(apitest.Validate(t, sent, resp))
}

func card() server.Card {
	at := timestamp.Of(time.Date(2026, 5, 11, 15, 32, 1, 123456000, time.UTC))
	return server.Card{
		ID: cardID, Version: 3, WorkflowStatus: "imported", Photos: []server.Photo{}, CreatedAt: at, UpdatedAt: at,
		Identification: server.Identification{Status: "pending"}, Metadata: map[string]string{},
	}
}

// getCard200 is a response with the card at version 3.
func getCard200() server.GetCard200JSONResponse {
	return server.GetCard200JSONResponse{Body: card(), Headers: server.GetCard200ResponseHeaders{ETag: `"3"`}}
}

// updateCard200 is a response with the card at version 4.
func updateCard200() server.UpdateCard200JSONResponse {
	return server.UpdateCard200JSONResponse{Body: card(), Headers: server.UpdateCard200ResponseHeaders{ETag: `"4"`}}
}

// putCardPhoto200 is a response with the card at version 4.
func putCardPhoto200() server.PutCardPhoto200JSONResponse {
	return server.PutCardPhoto200JSONResponse{Body: card(), Headers: server.PutCardPhoto200ResponseHeaders{ETag: `"4"`}}
}

func batch() server.Batch {
	at := timestamp.Of(time.Date(2026, 5, 11, 15, 32, 1, 0, time.UTC))
	return server.Batch{ID: batchID, Name: "Spring fair", Status: "open", CreatedAt: at, UpdatedAt: at}
}

func publishing() server.Listing {
	at := timestamp.Of(time.Date(2026, 5, 11, 15, 32, 1, 0, time.UTC))
	return server.Listing{
		ID: "lst_01k5w0q2m7t9c3r5v8x0z1b4d6", CardID: cardID, Marketplace: "sandbox", Status: "publishing",
		Title: "Ember Fox",
		Price: server.Money{Amount: 1250, Currency: "USD"}, CreatedAt: at, UpdatedAt: at,
		Revision: server.ListingRevision{Status: server.RevisionStatusNone},
	}
}

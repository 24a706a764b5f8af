package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

type envelope struct {
	Error struct {
		Code    string         `json:"code"`
		Message string         `json:"message"`
		Status  int            `json:"status"`
		Details []fault.Detail `json:"details"`
	} `json:"error"`
}

// failing returns handlers that fail with err, or panic with it.
func failing(err error, panics bool) *handlers {
	fail := func() error {
		if panics {
			panic(err)
		}
		return err
	}
	return &handlers{
		getCard: func(context.Context, server.GetCardRequestObject) (server.GetCardResponseObject, error) {
			return nil, fail()
		},
		putPhoto: func(
			_ context.Context, r server.PutCardPhotoRequestObject,
		) (server.PutCardPhotoResponseObject, error) {
			_, err := io.Copy(io.Discard, r.Body)
			return nil, errors.Join(err, fail())
		},
	}
}

// The cases are the sources of errors in order of precedence.
func TestErrors_Envelope(t *testing.T) {
	t.Parallel()
	s := setup(t, failing(fault.NotFound(fault.CardNotFound), false))
	photo := "/api/cards/" + cardID + "/photos/front"
	card := "/api/cards/" + cardID
	for name, c := range map[string]struct {
		r    *http.Request
		code fault.Code
	}{
		"unknown address":          {request("GET", "/api/nothing", ""), fault.RouteNotFound},
		"unknown, no token":        {request("GET", "/api/nothing", "", "Authorization", ""), fault.RouteNotFound},
		"the base itself":          {request("GET", "/api", ""), fault.RouteNotFound},
		"trailing slash":           {request("GET", "/api/cards/", ""), fault.RouteNotFound},
		"double slash":             {request("GET", "/api//cards", ""), fault.RouteNotFound},
		"dot segment":              {request("GET", "/api/./cards", ""), fault.RouteNotFound},
		"encoded slash":            {request("GET", "/api/cards%2F"+cardID, ""), fault.RouteNotFound},
		"unknown in v2":            {request("GET", "/api/v2/nothing", ""), fault.NotImplemented},
		"wrong method":             {request("PUT", "/api/cards", ""), fault.MethodNotAllowed},
		"strange method":           {request("BREW", "/api/cards", ""), fault.MethodNotAllowed},
		"no token":                 {request("GET", card, "", "Authorization", ""), fault.MissingToken},
		"no token in the header":   {request("GET", card, "", "Authorization", "Bearer "), fault.MissingToken},
		"unknown token":            {request("GET", card, "", "Authorization", "Bearer bad"), fault.InvalidToken},
		"another scheme":           {request("GET", card, "", "Authorization", "Basic Z29vZA=="), fault.InvalidToken},
		"revoked token":            {request("GET", card, "", "Authorization", "bearer revoked"), fault.RevokedToken},
		"tokens cannot be checked": {request("GET", card, "", "Authorization", "Bearer down"), fault.Unavailable},
		"other media wanted": {request("GET", card, "", "Accept", "text/html, image/*;q=0.9"),
			fault.NotAcceptable},
		"JSON not wanted": {request("GET", card, "", "Accept", "*/*, application/json;q=0"),
			fault.NotAcceptable},
		"form for JSON": {request("POST", "/api/batches", "name=x", "Content-Type",
			"application/x-www-form-urlencoded"), fault.UnsupportedMediaType},
		"no media type": {request("POST", "/api/batches", "{}", "Content-Type", ""),
			fault.UnsupportedMediaType},
		"other character set": {request("POST", "/api/batches", "{}", "Content-Type",
			"application/json; charset=latin1"), fault.UnsupportedMediaType},
		"compressed": {request("POST", "/api/batches", "{}", "Content-Encoding", "gzip"),
			fault.UnsupportedMediaType},
		"JSON for a picture": {request("PUT", photo, "{}"), fault.UnsupportedMediaType},
		"body too large": {request("POST", "/api/batches", strings.Repeat(" ", 8<<20)+"{}"),
			fault.PayloadTooLarge},
		"picture too large": {request("PUT", photo, strings.Repeat("x", 15<<20+1), "Content-Type", "image/png"),
			fault.PayloadTooLarge},
		"not JSON":             {request("POST", "/api/batches", "{"), fault.InvalidJSON},
		"not by the contract":  {request("POST", "/api/batches", "{}"), fault.InvalidRequest},
		"no picture":           {request("PUT", photo, "", "Content-Type", "image/png"), fault.InvalidRequest},
		"malformed identifier": {request("GET", "/api/cards/card_x", ""), fault.CardNotFound},
		"malformed role": {request("PUT", "/api/cards/"+cardID+"/photos/side", "x", "Content-Type",
			"image/png"), fault.RouteNotFound},
		"malformed photo":      {request("DELETE", "/api/cards/"+cardID+"/photos/front", ""), fault.PhotoNotFound},
		"NUL in an identifier": {request("GET", "/api/cards/card%00", ""), fault.CardNotFound},
		"the handler":          {request("GET", card, ""), fault.CardNotFound},
		"v2":                   {request("GET", "/api/v2/cards", ""), fault.NotImplemented},
	} {
		t.Run(name, func(t *testing.T) {
			resp, body := s.do(t, c.r)
			if name == "malformed role" && !strings.Contains(body, "front, back, listing") {
				t.Errorf("%s does not name the roles", body)
			}
			var got envelope
			if err := json.Unmarshal([]byte(body), &got); err != nil {
				t.Errorf("%v", err)
				return
			}
			if got.Error.Code != string(c.code) || resp.StatusCode != c.code.Status() ||
				got.Error.Status != resp.StatusCode {
				t.Errorf("got %d %s, want %d %s", resp.StatusCode, body, c.code.Status(), c.code)
			}
		})
	}
}

func TestErrors_MalformedIdentifierEqualsUnknown(t *testing.T) {
	t.Parallel()
	s := setup(t, failing(fault.NotFound(fault.CardNotFound), false))
	_, unknown := s.do(t, request("GET", "/api/cards/"+cardID, ""))
	_, malformed := s.do(t, request("GET", "/api/cards/card_1%27--", ""))
	if unknown != malformed {
		t.Errorf("%s\n%s", unknown, malformed)
	}
	for _, id := range []string{cardID, "card_x"} {
		r := request("PATCH", "/api/cards/"+id, `{"nothing":1}`)
		if resp, body := s.do(t, r); resp.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %s", id, body)
		}
	}
}

func TestErrors_UnexpectedAreLoggedAndHidden(t *testing.T) {
	t.Parallel()
	secret := errors.New(`pq: relation "cards" does not exist`)
	for name, h := range map[string]*handlers{
		"error": failing(secret, false), "wrapped": failing(fmt.Errorf("cards.Get: %w", secret), false),
		"panic": failing(secret, true), "no response": failing(nil, false),
	} {
		t.Run(name, func(t *testing.T) {
			s := setup(t, h)
			resp, body := s.do(t, request("GET", "/api/cards/"+cardID, "", "X-Request-Id", "mine.1"))
			if resp.StatusCode != http.StatusInternalServerError || strings.Contains(body, "relation") ||
				!strings.Contains(body, "mine.1") {
				t.Errorf("%d %s", resp.StatusCode, body)
			}
			if log := s.log.String(); !strings.Contains(log, "level=ERROR") ||
				strings.Count(log, "request_id=mine.1") != 2 ||
				name != "no response" && !strings.Contains(log, "relation") ||
				(name == "panic") != strings.Contains(log, "stack=") {
				t.Errorf("log: %s", log)
			}
		})
	}
}

func TestErrors_ServerFaultsAreLoggedWithCause(t *testing.T) {
	t.Parallel()
	unavailable := fault.New(fault.Unavailable, "The database does not answer.").WithCause(errors.New("refused"))
	s := setup(t, failing(unavailable, false))
	resp, body := s.do(t, request("GET", "/api/cards/"+cardID, ""))
	if resp.StatusCode != 503 || resp.Header.Get("Retry-After") != "2" || strings.Contains(body, "refused") ||
		!strings.Contains(s.log.String(), "refused") {
		t.Errorf("%d %s; log %s", resp.StatusCode, body, s.log)
	}
	resp, _ = s.do(t, request("GET", "/api/cards", "", "Authorization", "Bearer down"))
	if got := resp.Header.Get("Retry-After"); got != "2" {
		t.Errorf("Retry-After for 1.5 s is %s, want 2", got)
	}
	s = setup(t, failing(fmt.Errorf("cards.Get: %w", context.DeadlineExceeded), false))
	if resp, _ := s.do(t, request("GET", "/api/cards/"+cardID, "")); resp.StatusCode != 503 {
		t.Errorf("deadline exceeded: got %d, want 503", resp.StatusCode)
	}
}

// While the database is not available, clients whose token is not cached must get 503, not 429 for their address.
func TestLimit_UncheckedTokensAreNotCounted(t *testing.T) {
	t.Parallel()
	s := setup(t, failing(nil, false), func(c *api.Config) { c.Limits = ratelimit.Limits{Read: 3, Write: 3, AI: 3} })
	for range 10 {
		resp, body := s.do(t, request("GET", "/api/cards", "", "Authorization", "Bearer down"))
		if resp.StatusCode != 503 || resp.Header.Get("X-RateLimit-Remaining") != "3" {
			t.Fatalf("%d %s, remaining %s", resp.StatusCode, body, resp.Header.Get("X-RateLimit-Remaining"))
		}
	}
}

func TestErrors_ClosedConnectionIsNotLogged(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	s := setup(t, &handlers{getCard: func(
		ctx context.Context, _ server.GetCardRequestObject,
	) (server.GetCardResponseObject, error) {
		cancel()
		return nil, fmt.Errorf("cards.Get: %w", ctx.Err())
	}})
	w := httptest.NewRecorder()
	s.ServeHTTP(w, request("GET", "/api/cards/"+cardID, "").WithContext(ctx))
	if log := s.log.String(); strings.Contains(log, "ERROR") || strings.Contains(log, "WARN") ||
		!strings.Contains(log, "status=499") {
		t.Errorf("%s; log %s", w.Body, log)
	}
}

// The limit is found while the handler reads the picture; the error of the handler does not replace it.
func TestValidate_ChunkedBodyTooLarge(t *testing.T) {
	t.Parallel()
	s := setup(t, failing(fault.New(fault.PhotoInvalid, "This is no picture."), false))
	r := request("PUT", "/api/cards/"+cardID+"/photos/front", strings.Repeat("x", 15<<20+1), "Content-Type",
		"image/png")
	r.ContentLength = -1
	if resp, body := s.do(t, r); resp.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("%d %s", resp.StatusCode, body)
	}
	r = request("POST", "/api/batches", strings.Repeat(" ", 8<<20)+"{}")
	r.ContentLength = -1
	if resp, body := s.do(t, r); resp.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("%d %s", resp.StatusCode, body)
	}
}

func TestWriteBindingError(t *testing.T) {
	t.Parallel()
	var into struct {
		Pricing struct{ Amount int }
	}
	mistyped := json.Unmarshal([]byte(`{"Pricing":{"Amount":"x"}}`), &into)
	for name, c := range map[string]struct {
		err   error
		field string
	}{
		"a field":   {fmt.Errorf("can't decode JSON body: %w", mistyped), "Pricing.Amount"},
		"something": {errors.New("no"), "body"},
		"a fault":   {fault.Invalid("name", "is wrong"), "name"},
	} {
		t.Run(name, func(t *testing.T) {
			w := httptest.NewRecorder()
			api.WriteBindingError(w, request("POST", "/api/batches", "{}"), c.err)
			if fields := invalidFields(t, w.Body.String()); w.Code != 400 || len(fields) != 1 || fields[0] != c.field {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
}

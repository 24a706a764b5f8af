package api_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/internal/api/apitest"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// succeeding returns handlers that always succeed.
func succeeding() *handlers {
	h := reading()
	h.createCards = func(context.Context, server.CreateCardsRequestObject) (server.CreateCardsResponseObject, error) {
		return server.CreateCards201JSONResponse{
			Data: []server.Card{card()}, Outcomes: []server.ImportOutcome{server.ImportOutcomeCreated},
		}, nil
	}
	h.createBatch = func(context.Context, server.CreateBatchRequestObject) (server.CreateBatchResponseObject, error) {
		return server.CreateBatch201JSONResponse(batch()), nil
	}
	h.completeBatch = func(
		context.Context, server.CompleteBatchRequestObject,
	) (server.CompleteBatchResponseObject, error) {
		return server.CompleteBatch200JSONResponse(batch()), nil
	}
	h.putPhoto = func(
		ctx context.Context, r server.PutCardPhotoRequestObject,
	) (server.PutCardPhotoResponseObject, error) {
		_, err := io.Copy(io.Discard, r.Body)
		return putCardPhoto200(), err
	}
	h.publish = func(context.Context, server.PublishCardRequestObject) (server.PublishCardResponseObject, error) {
		return server.PublishCard202JSONResponse(publishing()), nil
	}
	return h
}

// Generators of requests. Most requests are nearly valid, so that every middleware is reached.
var (
	validTargets = rapid.SampledFrom([]string{
		"GET /api/cards", "GET /api/cards/" + cardID, "HEAD /api/cards", "POST /api/cards", "POST /api/batches",
		"PATCH /api/cards/" + cardID, "POST /api/batches/" + batchID + "/complete",
		"PUT /api/cards/" + cardID + "/photos/front",
		"POST /api/listings/" + cardID + "/publish", "GET /api/v2/cards", "OPTIONS /api/cards",
	})
	invalidTargets = rapid.OneOf(
		rapid.SampledFrom([]string{"PUT /api/cards", "BREW /api/batches", "DELETE /api/cards/x/photos/y",
			"GET /api//cards", "GET /api/"}),
		rapid.Map(rapid.String(), func(s string) string { return "GET /api/cards/" + s }),
		rapid.Map(rapid.String(), func(s string) string { return "POST /api/" + s }),
	)
	someTargets = rapid.OneOf(validTargets, validTargets, validTargets, invalidTargets)
	someNames   = rapid.OneOf(rapid.SampledFrom([]string{"limit", "cursor", "status", "q", "updated_since", "min_price",
		"location"}), rapid.String())
	someValues = rapid.OneOf(rapid.SampledFrom([]string{"", "1", "priced,sold", "2026-05-11T15:32:01Z", "a/b", "\x00",
		"\xff", "1e2"}), rapid.String())
	someBodies = rapid.OneOf(
		rapid.SampledFrom([]string{
			"", "{}", "null", "[", `{"name":"x"}`, `{"cards":[{}]}`,
			`{"cards":[{"photos":[{"url":"https://a","role":"back"}]}]}`,
			`{"notes":"x","location":null}`, `{"pricing":{"asking_price":{"amount":1.0,"currency":"USD"}}}`,
			`{"identification":{"year":1e3,"grade":null}}`,
			`{"identification":{"grade":{"company":"PSA","value":"9","cert_number":null}}}`,
			`{"title":"x","price":{"amount":1,"currency":"EUR"}}`,
		}),
		rapid.String(),
	)
	someHeaders = map[string]*rapid.Generator[string]{
		"Content-Type": rapid.SampledFrom([]string{"application/json", "application/json",
			"application/merge-patch+json", "image/png", "text/plain", "", ";"}),
		"Accept": rapid.SampledFrom([]string{"*/*", "*/*", "*/*", "application/json", "application/json",
			"text/html", ""}),
		"Authorization": rapid.SampledFrom([]string{"Bearer good", "Bearer good", "Bearer good", "Bearer good",
			"Bearer good", "Bearer bad", "Bearer down", ""}),
		"If-None-Match":   rapid.SampledFrom([]string{"*", `"3"`, "x", ""}),
		"If-Match":        rapid.SampledFrom([]string{"*", `"3"`, "\x01", ""}),
		"X-Request-Id":    rapid.String(),
		"X-Forwarded-For": rapid.String(),
	}
)

func TestHandler_RandomRequestsGetDocumentedResponses(t *testing.T) {
	t.Parallel()
	s := setup(t, succeeding(), func(c *api.Config) { c.Limits = ratelimit.Limits{Read: 1e6, Write: 1e6, AI: 1e6} })
	reached := map[int]int{}
	check := func(rt *rapid.T) {
		query := url.Values{}
		for range max(0, rapid.IntRange(-3, 2).Draw(rt, "parameters")) {
			query.Add(someNames.Draw(rt, "name"), someValues.Draw(rt, "value"))
		}
		body := someBodies.Draw(rt, "body")
		method, path, _ := strings.Cut(someTargets.Draw(rt, "target"), " ")
		r := httptest.NewRequest(method, "/", strings.NewReader(body))
		r.URL = &url.URL{Path: path, RawQuery: query.Encode()}
		for name, values := range someHeaders {
			if value := values.Draw(rt, name); value != "" {
				r.Header.Set(name, value)
			}
		}
		sent, w := r.Clone(context.Background()), httptest.NewRecorder()
		s.ServeHTTP(w, r)
		apitest.Validate(t, sent, w.Result())
		if reached[w.Code]++; w.Code == http.StatusInternalServerError {
			rt.Fatalf("%s", s.log)
		}
		s.log.Reset()
	}
	for range 20 { // 2000 requests, so that every status is reached
		rapid.Check(t, check)
	}
	for _, status := range []int{200, 400, 401, 404, 405, 406} {
		if reached[status] == 0 {
			t.Errorf("no response has status %d", status)
		}
	}
}

package api_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/internal/tracing"
	"github.com/cardvault/cardvault/internal/tracing/tracingtest"
)

// traced returns a service that records spans. Its updates fail.
func traced(t *testing.T) (service, *tracingtest.Spans) {
	t.Helper()
	tracer, spans := tracingtest.Record()
	h := reading()
	h.updateCard = func(context.Context, server.UpdateCardRequestObject) (server.UpdateCardResponseObject, error) {
		return nil, errors.New("password=hush")
	}
	return setup(t, h, func(c *api.Config) { c.Tracer = tracer }), spans
}

func TestTrace_SpanOfRequest(t *testing.T) {
	t.Parallel()
	s, spans := traced(t)
	const trace, parent = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
	r := request("GET", "/api/cards/"+cardID+"", "", "Traceparent", "00-"+trace+"-"+parent+"-01", "X-Request-Id",
		"req-7")
	s.do(t, r)
	all := spans.All()
	if len(all) != 1 {
		t.Fatalf("%d spans, want 1: %+v", len(all), all)
	}
	got := all[0]
	if got.Name != "GET /api/cards/{id}" || got.Kind != "server" || got.Trace != trace || got.Parent != parent ||
		got.Failed {
		t.Errorf("%+v", got)
	}
	for name, want := range map[string]string{
		"http.request.method": "GET", "http.route": "/api/cards/{id}", "http.response.status_code": "200",
		"cardvault.request_id": "req-7", "cardvault.account_id": "acc_1",
	} {
		if got.Attributes[name] != want {
			t.Errorf("%s is %q, want %q", name, got.Attributes[name], want)
		}
	}
}

// Names and attributes of spans must not contain anything that the client sent.
func TestTrace_SpansOfErrors(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		method, target, body string
		token                string
		span, status         string
		failed               bool
	}{
		"unknown path":   {"GET", "/api/hush", "", "good", "GET unknown", "404", false},
		"unknown method": {"HUSH", "/api/cards", "", "good", "_OTHER unknown", "405", false},
		"invalid token":  {"GET", "/api/cards/" + cardID + "?hush=1", "", "hush", "GET /api/cards/{id}", "401", false},
		"invalid body": {"PATCH", "/api/cards/" + cardID, `{"hush":1}`, "good", "PATCH /api/cards/{id}", "400",
			false},
		"server error": {"PATCH", "/api/cards/" + cardID, `{"notes":"hush"}`, "good", "PATCH /api/cards/{id}", "500",
			true},
		"HEAD":  {"HEAD", "/api/cards/" + cardID, "", "good", "HEAD /api/cards/{id}", "200", false},
		"photo": {"GET", "/photos/acc_1/hush", "", "good", "GET /photos/", "404", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, spans := traced(t)
			r := request(tc.method, tc.target, tc.body, "Authorization", "Bearer "+tc.token)
			s.ServeHTTP(httptest.NewRecorder(), r)
			all := spans.All()
			if len(all) != 1 || all[0].Name != tc.span || all[0].Attributes["http.response.status_code"] != tc.status ||
				all[0].Failed != tc.failed {
				t.Fatalf("%+v, want %s with status %s", all, tc.span, tc.status)
			}
			for name, value := range all[0].Attributes {
				if strings.Contains(strings.ToLower(value), "hush") {
					t.Errorf("%s is %q, which the client sent", name, value)
				}
			}
		})
	}
}

func TestTrace_HealthProbesHaveNoSpans(t *testing.T) {
	t.Parallel()
	s, spans := traced(t)
	for _, path := range []string{"/healthz", "/readyz"} {
		s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", path, nil))
	}
	if all := spans.All(); len(all) > 0 {
		t.Errorf("%+v", all)
	}
}

func TestTrace_HandlerUsesSpanOfRequest(t *testing.T) {
	t.Parallel()
	tracer, spans := tracingtest.Record()
	h := reading()
	get := h.getCard
	h.getCard = func(ctx context.Context, r server.GetCardRequestObject) (server.GetCardResponseObject, error) {
		tracing.Current(ctx).Event("handled")
		return get(ctx, r)
	}
	s := setup(t, h, func(c *api.Config) { c.Tracer = tracer })
	s.do(t, request("GET", "/api/cards/"+cardID, ""))
	if all := spans.All(); len(all) != 1 || len(all[0].Events) != 1 || all[0].Events[0].Name != "handled" {
		t.Errorf("%+v", all)
	}
}

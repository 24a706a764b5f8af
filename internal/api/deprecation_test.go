package api_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/api"
)

const deprecationLink = `<https://vault.example/docs/versioning>; rel="deprecation"; type="text/html", ` +
	`<https://vault.example/docs/versioning>; rel="sunset"; type="text/html", ` +
	`<https://vault.example/api/v2>; rel="successor-version"`

// deprecated deprecates v1.
func deprecated(c *api.Config) {
	c.Versions[0].Deprecation = api.Deprecation{
		Since: time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC), Sunset: time.Date(2028, 3, 1, 0, 0, 0, 0, time.UTC),
		Guide: "https://vault.example/docs/versioning", Successor: "https://vault.example/api/v2",
	}
}

// requestsOfV1 returns a request for each kind of response, by status.
func requestsOfV1(t *testing.T) map[int]*http.Request {
	t.Helper()
	aCard := "/api/cards/" + cardID
	return map[int]*http.Request{
		200: request("GET", aCard, ""),
		204: request("OPTIONS", aCard, "", "Origin", "https://shop.example"),
		304: request("GET", aCard, "", "If-None-Match", `"3"`),
		400: request("GET", "/api/cards?limit=0", ""),
		401: request("GET", aCard, "", "Authorization", ""),
		404: request("GET", "/api/cards/x", ""),
		405: request("PUT", "/api/cards", ""),
		406: request("GET", aCard, "", "Accept", "text/html"),
		415: request("POST", "/api/batches", "x", "Content-Type", "text/plain"),
		500: request("PATCH", aCard, `{"notes":"x"}`),
		503: request("GET", aCard, "", "Authorization", "Bearer down"),
	}
}

// deprecationHeaders are the names of the deprecation headers.
var deprecationHeaders = []string{"Deprecation", "Sunset", "Link"}

// deprecationOf returns the values of the deprecation headers.
func deprecationOf(h http.Header) [3]string {
	return [3]string{h.Get("Deprecation"), h.Get("Sunset"), h.Get("Link")}
}

func TestDeprecation_HeadersOfAllResponses(t *testing.T) {
	t.Parallel()
	h := reading()
	h.updateCard = func(context.Context, server.UpdateCardRequestObject) (server.UpdateCardResponseObject, error) {
		return nil, errors.New("no")
	}
	for name, tc := range map[string]struct {
		configure func(*api.Config)
		want      [3]string
	}{
		"deprecated":     {deprecated, [3]string{"@1803859200", "Wed, 01 Mar 2028 00:00:00 GMT", deprecationLink}},
		"not deprecated": {func(*api.Config) {}, [3]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			s := setup(t, h, tc.configure)
			for status, r := range requestsOfV1(t) {
				resp, body := s.do(t, r)
				if got := deprecationOf(resp.Header); resp.StatusCode != status || got != tc.want {
					t.Errorf("%d, want %d, has headers %q: %s", resp.StatusCode, status, got, body)
				}
			}
			for _, target := range []string{"/api", "/api/", "/api/nothing", "/api/cards%2Fx", "/api/v22"} {
				resp, _ := s.do(t, request("GET", target, ""))
				if got := deprecationOf(resp.Header); resp.StatusCode != 404 || got != tc.want {
					t.Errorf("%s: %d, has headers %q", target, resp.StatusCode, got)
				}
			}
			var last *http.Response
			for range 3 {
				last, _ = s.do(t, request("GET", "/api/cards", "", "Authorization", "Bearer narrow"))
			}
			if got := deprecationOf(last.Header); last.StatusCode != 429 || got != tc.want {
				t.Errorf("%d, has headers %q", last.StatusCode, got)
			}
		})
	}
}

func TestDeprecation_NoHeadersOutsideVersion(t *testing.T) {
	t.Parallel()
	s := setup(t, reading(), deprecated)
	for _, target := range []string{"/api/v2/cards", "/api/v2", "/api/v2/", "/api/v2/nothing", "/api/v2%2Fcards",
		"/healthz", "/nothing"} {
		t.Run(target, func(t *testing.T) {
			w := httptest.NewRecorder()
			s.ServeHTTP(w, request("GET", target, ""))
			if got := deprecationOf(w.Header()); got != [3]string{} {
				t.Errorf("%d, has headers %q", w.Code, got)
			}
		})
	}
}

func TestDeprecation_HeadersAreExposedToBrowsers(t *testing.T) {
	t.Parallel()
	resp, _ := setup(t, reading(), deprecated).do(t, request("GET", "/api/cards", "", "Origin", "https://shop.example"))
	exposed := strings.Split(resp.Header.Get("Access-Control-Expose-Headers"), ", ")
	for _, name := range deprecationHeaders {
		if !slices.Contains(exposed, name) {
			t.Errorf("%s is not exposed by %q", name, exposed)
		}
	}
}

func TestDeprecation_ResponsesShareHeaderValues(t *testing.T) {
	t.Parallel()
	s := setup(t, reading(), deprecated)
	first, second := httptest.NewRecorder(), httptest.NewRecorder()
	s.ServeHTTP(first, request("GET", "/api/cards", ""))
	s.ServeHTTP(second, request("GET", "/api/nothing", ""))
	for _, name := range deprecationHeaders {
		if &first.Header()[name][0] != &second.Header()[name][0] {
			t.Errorf("%s is not shared: %q, %q", name, first.Header()[name], second.Header()[name])
		}
	}
}

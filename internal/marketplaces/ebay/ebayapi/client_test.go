package ebayapi

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces"
)

// against returns a seller on the marketplace that handler implements.
func against(t *testing.T, handler http.HandlerFunc) *Seller {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return New(Config{
		Name: "ebay", BaseURL: server.URL, ItemURL: "https://www.ebay.com/itm/", MarketplaceID: "EBAY_US",
		Language: "en-US", HTTP: NewHTTPClient(),
		Token: func(context.Context) (string, error) { return "secret-token", nil },
	})
}

const reasons = `{"errors":[{"errorId":25026,"domain":"API_INVENTORY","category":"REQUEST","message":"short",
	"longMessage":"Selling limit exceeded."}]}`

func TestClient_ClassifiesFailures(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		status int
		body   string
		code   string        // of the refusal; "" means an error that can be retried
		wait   time.Duration // from Retry-After
	}{
		"bad request":                {400, reasons, "ebay_25026", 0},
		"unprocessable":              {422, reasons, "ebay_25026", 0},
		"bad request of a proxy":     {400, "<html>Bad Request</html>", "", 0},
		"not found of a proxy":       {404, "<html>Not Found</html>", "", 0},
		"token expired":              {401, reasons, "", 0},
		"scope missing":              {403, reasons, "", 0},
		"concurrent change":          {409, reasons, "", 0},
		"too many requests":          {429, reasons, "", 7 * time.Second},
		"system error":               {500, reasons, "", 7 * time.Second},
		"maintenance":                {503, "later", "", 7 * time.Second},
		"redirect":                   {302, "", "", 7 * time.Second},
		"response that is not JSON":  {200, "<html>", "", 0},
		"response that is too large": {200, strings.Repeat(" ", maxBody+1), "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seller := against(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Location", "/elsewhere")
				if tc.wait > 0 {
					w.Header().Set("Retry-After", "7")
				}
				w.WriteHeader(tc.status)
				w.Write([]byte(tc.body))
			})
			_, err := seller.Status(t.Context(), marketplaces.Ref{ListingID: "lst_1"})
			refusal, refused := marketplaces.AsRefusal(err)
			if refused != (tc.code != "") {
				t.Fatalf("got %v, want a refusal with code %q", err, tc.code)
			}
			if refused {
				want := &marketplaces.Refusal{Code: tc.code, Message: "Selling limit exceeded."}
				if diff := cmp.Diff(want, refusal); diff != "" {
					t.Errorf("refusal (-want +got):\n%s", diff)
				}
				return
			}
			f, ok := fault.As(err)
			if !ok || f.Code != fault.UpstreamError || f.RetryAfter != tc.wait {
				t.Errorf("got %v, want upstream_error after %s", err, tc.wait)
			}
			if strings.Contains(err.Error(), "secret-token") {
				t.Errorf("the error shows the token: %v", err)
			}
		})
	}
}

func TestClient_ReportsUnreachableMarketplace(t *testing.T) {
	t.Parallel()
	seller := against(t, func(http.ResponseWriter, *http.Request) {})
	seller.cfg.BaseURL = "http://127.0.0.1:1" // tcpmux, on which no program listens
	_, err := seller.Sales(t.Context(), time.Time{})
	if !fault.Is(err, fault.UpstreamError) {
		t.Errorf("got %v, want upstream_error", err)
	}
}

func TestClient_StopsWhenContextIsCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	release := make(chan struct{})
	defer close(release)
	seller := against(t, func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte(`{"offers":`)) // an incomplete response
		w.(http.Flusher).Flush()
		cancel()
		<-release
	})
	if _, err := seller.Status(ctx, marketplaces.Ref{ListingID: "lst_1"}); !fault.Is(err, fault.UpstreamError) {
		t.Errorf("got %v, want upstream_error", err)
	}
}

func TestClient_SendsHeaders(t *testing.T) {
	t.Parallel()
	seller := against(t, func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Authorization"); got != "Bearer secret-token" {
			t.Errorf("Authorization: got %q, want the token", got)
		}
		if got := r.Header.Get("Content-Language"); r.Method == http.MethodPut && got != "en-US" {
			t.Errorf("Content-Language: got %q, want en-US because of eBay's error 25709", got)
		}
		w.WriteHeader(http.StatusNoContent)
	})
	if err := seller.call(t.Context(), http.MethodPut, "/x", struct{}{}, nil); err != nil {
		t.Error(err)
	}
}

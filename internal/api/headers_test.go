package api_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/internal/api/apitest"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// reading returns handlers for reading and updating cards.
func reading() *handlers {
	return &handlers{
		getCard: func(context.Context, server.GetCardRequestObject) (server.GetCardResponseObject, error) {
			return getCard200(), nil
		},
		updateCard: func(context.Context, server.UpdateCardRequestObject) (server.UpdateCardResponseObject, error) {
			return updateCard200(), nil
		},
		listCards: func(context.Context, server.ListCardsRequestObject) (server.ListCardsResponseObject, error) {
			return server.ListCards200JSONResponse{Data: []server.Card{card()}}, nil
		},
	}
}

func remaining(t testing.TB, resp *http.Response) int {
	t.Helper()
	n, err := strconv.Atoi(resp.Header.Get("X-RateLimit-Remaining"))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestLimit_OwnLimitsOfToken(t *testing.T) {
	t.Parallel()
	s := setup(t, reading())
	get := func(target string) *http.Response {
		resp, _ := s.do(t, request("GET", target, "", "Authorization", "Bearer narrow"))
		return resp
	}
	if resp := get("/api/cards/" + cardID); resp.StatusCode != 200 || resp.Header.Get("X-RateLimit-Limit") != "2" ||
		remaining(t, resp) != 1 {
		t.Errorf("%d %v", resp.StatusCode, resp.Header)
	}
	if resp := get("/api/nothing"); resp.StatusCode != 404 || remaining(t, resp) != 0 {
		t.Errorf("unknown path: got %d %v, want 404 and no requests remaining", resp.StatusCode, resp.Header)
	}
	for _, target := range []string{"/api/cards", "/api/nothing", "/api/identify"} {
		resp := get(target)
		if wait, err := strconv.Atoi(resp.Header.Get("Retry-After")); resp.StatusCode != 429 || err != nil ||
			wait < 1 || wait > 61 {
			t.Errorf("%s over the limit: %d %v", target, resp.StatusCode, resp.Header)
		}
	}
	resp, _ := s.do(t, request("PATCH", "/api/cards/"+cardID, `{"x":1}`, "Authorization", "Bearer narrow"))
	reset, _ := strconv.ParseInt(resp.Header.Get("X-RateLimit-Reset"), 10, 64)
	if in := time.Until(time.Unix(reset, 0)); resp.StatusCode != 400 || remaining(t, resp) != 0 ||
		in < 58*time.Second || in > 62*time.Second {
		t.Errorf("writes count apart: %d %v", resp.StatusCode, resp.Header)
	}
	resp, _ = s.do(t, request("POST", "/api/price-lookup", `{}`, "Authorization", "Bearer narrow"))
	if resp.StatusCode != 400 || resp.Header.Get("X-RateLimit-Limit") != "1" {
		t.Errorf("the AI class counts apart: %d %v", resp.StatusCode, resp.Header)
	}
}

func TestLimit_RequestsWithoutTokenCountAgainstAddress(t *testing.T) {
	t.Parallel()
	narrow := func(c *api.Config) {
		c.Limits = ratelimit.Limits{Read: 2}
		c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	}
	s := setup(t, reading(), narrow)
	from := func(peer string, forwarded ...string) int {
		r := request("GET", "/api/cards", "", "Authorization", "Bearer bad")
		r.RemoteAddr = peer
		r.Header["X-Forwarded-For"] = forwarded
		resp, _ := s.do(t, r)
		return resp.StatusCode
	}
	for i, step := range []struct {
		peer      string
		forwarded []string
		want      int
	}{
		{"192.0.2.1:1", nil, 401},
		{"192.0.2.1:2", []string{"198.51.100.1"}, 401}, // not a trusted proxy, so its header is ignored
		{"192.0.2.1:3", []string{"198.51.100.2"}, 429},
		{"192.0.2.2:1", nil, 401},
		{"10.0.0.1:1", []string{"192.0.2.1"}, 429},
		{"10.0.0.1:1", []string{"203.0.113.9, 192.0.2.1", "10.9.9.9"}, 429}, // the last that is not a trusted proxy
		{"10.0.0.1:1", []string{"192.0.2.1, nonsense"}, 401},                // only the address of the proxy is certain
		{"[::ffff:10.0.0.1]:1", []string{"2001:db8::1"}, 401},
		{"10.0.0.1:1", []string{"2001:db8::2"}, 401}, // the same /64
		{"10.0.0.1:1", []string{"2001:db8::3"}, 429},
	} {
		if got := from(step.peer, step.forwarded...); got != step.want {
			t.Errorf("step %d: %s forwarded %v: %d, want %d", i, step.peer, step.forwarded, got, step.want)
		}
	}
	if resp, _ := s.do(t, request("GET", "/api/cards", "")); resp.StatusCode != 200 {
		t.Errorf("valid token: got %d, want 200", resp.StatusCode)
	}
}

func TestRecord_IfNoneMatch(t *testing.T) {
	t.Parallel()
	s := setup(t, reading())
	cardTarget := "/api/cards/" + cardID
	first, _ := s.do(t, request("GET", "/api/cards", ""))
	listTag := first.Header.Get("ETag")
	for _, c := range []struct {
		target, header string
		want           int
	}{
		{cardTarget, `"3"`, 304}, {cardTarget, `W/"3"`, 304}, {cardTarget, `"1", "3"`, 304}, {cardTarget, `*`, 304},
		{cardTarget, `"2"`, 200}, {cardTarget, `3`, 200}, {"/api/cards", listTag, 304},
		{"/api/cards?limit=1", listTag, 304}, {"/api/cards", `"3"`, 200},
	} {
		t.Run(c.target+" "+c.header, func(t *testing.T) {
			resp, body := s.do(t, request("GET", c.target, "", "If-None-Match", c.header))
			if resp.StatusCode != c.want || c.want == 304 && (body != "" || resp.Header.Get("Content-Type") != "") {
				t.Errorf("%s If-None-Match: %s: %d %q %v", c.target, c.header, resp.StatusCode, body, resp.Header)
			}
		})
	}
	r := request("GET", cardTarget, "")
	r.Header["If-None-Match"] = []string{`"1"`, `"3"`}
	if resp, _ := s.do(t, r); resp.StatusCode != 304 || resp.Header.Get("ETag") != `"3"` {
		t.Errorf("list in two headers: got %d, want 304", resp.StatusCode)
	}
	resp, _ := s.do(t, request("PATCH", cardTarget, `{}`, "If-None-Match", `"4"`))
	if resp.StatusCode != 200 || resp.Header.Get("ETag") != `"4"` {
		t.Errorf("PATCH: %d %v", resp.StatusCode, resp.Header)
	}
}

func TestObserve_HeadIsGetWithoutBody(t *testing.T) {
	t.Parallel()
	s := setup(t, reading())
	live := httptest.NewServer(s)
	defer live.Close()
	for target, want := range map[string]int{"/api/cards/" + cardID: 200, "/api/cards/x": 404, "/api/nothing": 404,
		"/api/identify": 405} {
		t.Run(target, func(t *testing.T) {
			r, _ := http.NewRequest("HEAD", live.URL+target, nil)
			r.Header.Set("Authorization", "Bearer good")
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			body := apitest.Validate(t, r, resp)
			if resp.StatusCode != want || len(body) > 0 || resp.ContentLength <= 0 ||
				resp.Header.Get("X-RateLimit-Limit") != "1000" {
				t.Errorf("%d, %d bytes, Content-Length %d", resp.StatusCode, len(body), resp.ContentLength)
			}
		})
	}
	live.Close() // the request is logged after the response
	if log := s.log.String(); !strings.Contains(log, "method=HEAD route=/api/cards/{id} status=200") {
		t.Error(log)
	}
}

func TestOptions_PreflightIsNotCounted(t *testing.T) {
	t.Parallel()
	s := setup(t, reading())
	before, _ := s.do(t, request("GET", "/api/cards", ""))
	for target, allow := range map[string]string{
		"/api/cards": "GET, HEAD, POST, PATCH, OPTIONS", "/api/cards/" + cardID: "GET, HEAD, PATCH, DELETE, OPTIONS",
		"/api/cards/x/photos/y": "PUT, DELETE, OPTIONS", "/api/v2/cards": "GET, HEAD, OPTIONS",
	} {
		t.Run(target, func(t *testing.T) {
			resp, body := s.do(t, request("OPTIONS", target, "", "Authorization", "", "Origin", "https://shop.example",
				"Access-Control-Request-Method", "PATCH"))
			h := resp.Header
			if resp.StatusCode != 204 || body != "" || h.Get("Allow") != allow ||
				h.Get("Access-Control-Allow-Methods") != allow ||
				!strings.Contains(h.Get("Access-Control-Allow-Headers"), "Idempotency-Key") ||
				h.Get("Access-Control-Max-Age") == "" {
				t.Errorf("%d %q %v", resp.StatusCode, body, h)
			}
		})
	}
	if resp, _ := s.do(t, request("OPTIONS", "/api/nothing", "")); resp.StatusCode != 404 {
		t.Errorf("%d", resp.StatusCode)
	}
	after, _ := s.do(t, request("GET", "/api/cards", ""))
	if remaining(t, before)-remaining(t, after) != 1 ||
		!strings.Contains(after.Header.Get("Access-Control-Expose-Headers"), "Idempotent-Replayed") {
		t.Errorf("%v, %v", before.Header, after.Header)
	}
	resp, _ := s.do(t, request("DELETE", "/api/cards", ""))
	if resp.Header.Get("Allow") != "GET, HEAD, POST, PATCH, OPTIONS" {
		t.Errorf("Allow of 405 is %q", resp.Header.Get("Allow"))
	}
}

func TestObserve_RequestID(t *testing.T) {
	t.Parallel()
	s := setup(t, reading())
	for _, id := range []string{"a", "A.b_c-9", strings.Repeat("x", 128)} {
		r := request("GET", "/api/cards", "", "X-Request-Id", id)
		if resp, _ := s.do(t, r); resp.Header.Get("X-Request-Id") != id {
			t.Errorf("request id %s was replaced by %s", id, resp.Header.Get("X-Request-Id"))
		}
	}
	made := map[string]bool{}
	for _, id := range []string{"", "a b", "a\"b", strings.Repeat("x", 129), "ä"} {
		resp, _ := s.do(t, request("GET", "/api/cards", "", "X-Request-Id", id))
		made[resp.Header.Get("X-Request-Id")] = true
	}
	if len(made) != 5 || made["a b"] {
		t.Errorf("%v", made)
	}
}

func TestHandlerContext_Caller(t *testing.T) {
	t.Parallel()
	h := reading()
	inner := h.getCard
	h.getCard = func(ctx context.Context, r server.GetCardRequestObject) (server.GetCardResponseObject, error) {
		if who := caller.From(ctx); who.AccountID != "acc_1" || who.TokenID != "tok_1" || string(r.ID) != cardID {
			t.Errorf("caller %+v, card %s", who, r.ID)
		}
		return inner(ctx, r)
	}
	s := setup(t, h)
	s.do(t, request("GET", "/api/cards/"+cardID+"?", ""))
	log := s.log.String()
	if !strings.Contains(log, "account_id=acc_1") || !strings.Contains(log, "status=200") ||
		strings.Contains(log, "good") || strings.Contains(log, cardID) {
		t.Errorf("log: %s", log)
	}
}

func TestDispatch(t *testing.T) {
	t.Parallel()
	respond := func(word string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, word) })
	}
	s := setup(t, reading(), func(c *api.Config) { c.Photos, c.Other = respond("photo"), respond("page") })
	for target, want := range map[string]string{
		"/photos/pho_1": "photo", "/photos": "page", "/": "page", "/apix": "page", "/healthz": `{"status":"ok"}`,
		"/readyz": `{"status":"ok"}`,
	} {
		t.Run(target, func(t *testing.T) {
			w := httptest.NewRecorder()
			s.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
			if got := strings.TrimSpace(w.Body.String()); w.Code != 200 || got != want ||
				w.Header().Get("X-Request-Id") == "" {
				t.Errorf("%d %s", w.Code, got)
			}
		})
	}
	w := httptest.NewRecorder()
	setup(t, reading()).ServeHTTP(w, httptest.NewRequest("GET", "/photos/x", nil))
	if w.Code != 404 || !strings.Contains(w.Body.String(), "route_not_found") {
		t.Errorf("without a handler: got %d %s, want 404", w.Code, w.Body)
	}
}

// fullCard is a response that must not be replaced by 304.
type fullCard struct{ server.GetCard200JSONResponse }

func (c fullCard) VisitGetCardResponse(w http.ResponseWriter) error {
	api.DisableNotModified(w)
	return c.GetCard200JSONResponse.VisitGetCardResponse(w)
}

func TestDisableNotModified(t *testing.T) {
	t.Parallel()
	h := reading()
	h.getCard = func(context.Context, server.GetCardRequestObject) (server.GetCardResponseObject, error) {
		return fullCard{getCard200()}, nil
	}
	resp, body := setup(t, h).do(t, request("GET", "/api/cards/"+cardID, "", "If-None-Match", `"3"`))
	if resp.StatusCode != http.StatusOK || resp.Header.Get("ETag") != `"3"` || body == "" {
		t.Errorf("%d %v %s", resp.StatusCode, resp.Header, body)
	}
}

func TestHandlerContext_Deadline(t *testing.T) {
	t.Parallel()
	h, left := reading(), time.Duration(0)
	note := func(ctx context.Context) {
		if end, ok := ctx.Deadline(); ok {
			left = time.Until(end)
		}
	}
	h.getCard = func(ctx context.Context, _ server.GetCardRequestObject) (server.GetCardResponseObject, error) {
		note(ctx)
		return getCard200(), nil
	}
	h.updateCard = func(
		ctx context.Context, _ server.UpdateCardRequestObject,
	) (server.UpdateCardResponseObject, error) {
		note(ctx)
		return updateCard200(), nil
	}
	s := setup(t, h)
	for want, r := range map[time.Duration]*http.Request{
		15 * time.Second: request("GET", "/api/cards/"+cardID, ""),
		50 * time.Second: request("PATCH", "/api/cards/"+cardID, `{"notes":"x"}`),
	} {
		left = 0
		if s.do(t, r); left > want || left < want-5*time.Second {
			t.Errorf("%s: %v until the deadline, want %v", r.Method, left, want)
		}
	}
}

package api_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gorilla/mux"
	"github.com/prometheus/client_golang/prometheus"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/openapi"
)

func newServer(t *testing.T, address string, h http.Handler) *api.Server {
	t.Helper()
	return api.NewServer(address, "CARDVAULT_ADDR", h, slog.New(slog.DiscardHandler))
}

func TestServer_ListenErrorNamesSetting(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	err = newServer(t, taken.Addr().String(), nil).Listen()
	if err == nil || !strings.Contains(err.Error(), "CARDVAULT_ADDR") ||
		!strings.Contains(err.Error(), taken.Addr().String()+" is in use") {
		t.Errorf("got %v", err)
	}
	if err := newServer(t, "no such place", nil).Listen(); err == nil ||
		!strings.Contains(err.Error(), "CARDVAULT_ADDR") {
		t.Errorf("got %v", err)
	}
}

func TestServer_ShutdownWaitsForRequests(t *testing.T) {
	t.Parallel()
	started, finish := make(chan struct{}), make(chan struct{})
	s := newServer(t, "127.0.0.1:0", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(started)
		<-finish
		io.WriteString(w, "done")
	}))
	if err := s.Listen(); err != nil {
		t.Fatal(err)
	}
	served, answered, stopped := make(chan error, 1), make(chan string, 1), make(chan error, 1)
	go func() { served <- s.Serve() }()
	go func() {
		resp, err := http.Get("http://" + s.Addr())
		if err != nil {
			answered <- err.Error()
			return
		}
		body, _ := io.ReadAll(resp.Body)
		answered <- string(body)
	}()
	<-started
	go func() { stopped <- s.Shutdown(context.Background()) }()
	if err := <-served; err != nil { // Serve returns when Shutdown starts
		t.Error(err)
	}
	close(finish)
	if got := <-answered; got != "done" {
		t.Errorf("got %s", got)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

func TestServer_ShutdownClosesSlowRequests(t *testing.T) {
	t.Parallel()
	started := make(chan struct{})
	s := newServer(t, "127.0.0.1:0", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(started)
		<-r.Context().Done()
	}))
	if err := s.Listen(); err != nil {
		t.Fatal(err)
	}
	go s.Serve()
	go http.Get("http://" + s.Addr())
	<-started
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	if err := s.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

// The connection is closed, so that the client does not take the partial response for a complete one.
func TestObserve_PanicAfterResponseStarted(t *testing.T) {
	t.Parallel()
	s := setup(t, reading(), func(c *api.Config) {
		c.Other = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "half")
			panic("no")
		})
	})
	live := httptest.NewUnstartedServer(s)
	live.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	live.Start()
	defer live.Close()
	resp, err := http.Get(live.URL)
	if err == nil {
		_, err = io.ReadAll(resp.Body)
	}
	if err == nil {
		t.Error("the client got no error for a partial response")
	}
	live.Close() // the request is logged after the response
	if log := s.log.String(); !strings.Contains(log, "panic=no") || !strings.Contains(log, "route=other") {
		t.Errorf("log: %s", log)
	}
}

func TestValidate_ExtendsDeadlineOfUploads(t *testing.T) {
	t.Parallel()
	const readTimeout = 2 * time.Second // long enough for the headers of a request on a busy machine
	h := scanning(new(scanned))
	h.putPhoto = func(
		_ context.Context, r server.PutCardPhotoRequestObject,
	) (server.PutCardPhotoResponseObject, error) {
		if got, err := io.ReadAll(r.Body); string(got) != "a picture" {
			t.Errorf("%q, %v", got, err)
		}
		return putCardPhoto200(), nil
	}
	live := httptest.NewUnstartedServer(setup(t, h))
	live.Config.ReadTimeout = readTimeout
	live.Start()
	t.Cleanup(live.Close)
	form := formOf("photos/a.jpg", "a picture")
	for address, upload := range map[string]struct{ method, media, body string }{
		"/api/cards/" + cardID + "/photos/front": {"PUT", "image/webp", "a picture"},
		"/api/cards/scan":                        {"POST", formMedia, form},
	} {
		t.Run(address, func(t *testing.T) {
			t.Parallel()
			body, slowly := io.Pipe()
			go func() {
				io.WriteString(slowly, upload.body[:5])
				<-time.After(2 * readTimeout)
				io.WriteString(slowly, upload.body[5:])
				slowly.Close()
			}()
			r, _ := http.NewRequest(upload.method, live.URL+address, body)
			r.Header.Set("Authorization", "Bearer good")
			r.Header.Set("Content-Type", upload.media)
			resp, err := http.DefaultClient.Do(r)
			if err != nil || resp.StatusCode != http.StatusOK {
				t.Errorf("%v, %v", resp, err)
			}
		})
	}
}

// A client that sends Expect: 100-continue gets the error before it sends the body.
func TestAuthenticate_RefusesUploadBeforeBody(t *testing.T) {
	t.Parallel()
	live := httptest.NewServer(setup(t, &handlers{}))
	defer live.Close()
	conn, err := net.Dial("tcp", live.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(time.Minute))
	io.WriteString(conn, "PUT /api/cards/"+cardID+"/photos/front HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer bad\r\n"+
		"Content-Type: image/png\r\nContent-Length: 15000000\r\nExpect: 100-continue\r\n\r\n")
	status, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || !strings.Contains(status, "401") {
		t.Errorf("%q, %v", status, err)
	}
}

// A connection that is closed in the middle of a body is an error of the client.
func TestValidate_IncompleteBody(t *testing.T) {
	t.Parallel()
	live := httptest.NewServer(setup(t, failing(nil, false)))
	defer live.Close()
	for _, line := range []string{
		"PUT /api/cards/" + cardID + "/photos/front HTTP/1.1\r\nContent-Type: image/png",
		"POST /api/batches HTTP/1.1\r\nContent-Type: application/json",
		"POST /api/cards/scan HTTP/1.1\r\nContent-Type: " + formMedia,
		"GET /api/cards HTTP/1.1",
	} {
		t.Run(line, func(t *testing.T) {
			conn, err := net.Dial("tcp", live.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			conn.SetDeadline(time.Now().Add(time.Minute))
			io.WriteString(conn, line+"\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Length: 100\r\n\r\nhalf")
			conn.(*net.TCPConn).CloseWrite()
			answer, err := io.ReadAll(conn)
			if err != nil || !strings.Contains(string(answer), "400 Bad Request") ||
				!strings.Contains(string(answer), "did not arrive whole") {
				t.Errorf("%v: %s", err, answer)
			}
		})
	}
}

func TestValidate_LeavesPictureToHandler(t *testing.T) {
	t.Parallel()
	h := &handlers{putPhoto: func(
		_ context.Context, r server.PutCardPhotoRequestObject,
	) (server.PutCardPhotoResponseObject, error) {
		if got, err := io.ReadAll(r.Body); err != nil || len(got) != 15<<20 || r.Photo != "front" {
			t.Errorf("%d bytes, %v, role %s", len(got), err, r.Photo)
		}
		return putCardPhoto200(), nil
	}}
	live := httptest.NewServer(setup(t, h))
	defer live.Close()
	r, _ := http.NewRequest("PUT", live.URL+"/api/cards/"+cardID+"/photos/front",
		strings.NewReader(strings.Repeat("x", 15<<20)))
	r.Header.Set("Authorization", "Bearer good")
	r.Header.Set("Content-Type", "image/webp")
	resp, err := http.DefaultClient.Do(r)
	if err != nil || resp.StatusCode != 200 {
		t.Fatalf("%v, %v", resp, err)
	}
}

func TestAdmin(t *testing.T) {
	t.Parallel()
	s := setup(t, reading())
	s.do(t, request("GET", "/api/cards", ""))
	s.do(t, request("BREW", "/api/cards/x/y/z", ""))
	unavailable := errors.New("no")
	admin := api.Admin(api.Checks{"database": func(context.Context) error { return unavailable },
		"clock": func(context.Context) error { return nil }}, s.registry)
	for target, want := range map[string]struct {
		status int
		text   string
	}{
		"/healthz":      {200, `{"status":"ok"}`},
		"/readyz":       {503, `{"failing":["database"],"status":"unavailable"}`},
		"/metrics":      {200, `cardvault_http_requests_total{method="GET",route="/api/cards",status="2xx"} 1`},
		"/debug/pprof/": {200, "goroutine"},
		"/nothing":      {404, ""},
	} {
		t.Run(target, func(t *testing.T) {
			w := httptest.NewRecorder()
			admin.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
			if w.Code != want.status || !strings.Contains(w.Body.String(), want.text) {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
	w := httptest.NewRecorder()
	admin.ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if text := w.Body.String(); !strings.Contains(text, `{method="other",route="unknown",status="4xx"} 1`) ||
		!strings.Contains(text, "in_flight 0") ||
		!strings.Contains(text, `cardvault_http_request_seconds_count{method="GET",route="/api/cards"} 1`) {
		t.Error(text)
	}
}

// parsed returns a function that parses a contract, as in api.Version.
func parsed(text string) func() (*openapi3.T, error) {
	return func() (*openapi3.T, error) { return openapi3.NewLoader().LoadFromData([]byte(text)) }
}

func TestNew_InvalidConfig(t *testing.T) {
	t.Parallel()
	mountless := func(*mux.Router, string) {}
	for name, change := range map[string]func(*api.Config){
		"nothing":    func(c *api.Config) { *c = api.Config{} },
		"no limiter": func(c *api.Config) { c.Limiter = nil },
		"broken contract": func(c *api.Config) {
			c.Versions = []api.Version{{Base: "/api", Contract: parsed("{"), Mount: mountless}}
		},
		"OpenAPI 3.1": func(c *api.Config) {
			c.Versions[0].Contract = parsed(`{"openapi":"3.1.0","info":{},"paths":{}}`)
		},
		"missing routes": func(c *api.Config) { c.Versions[0].Mount = mountless },
		"route not in contract": func(c *api.Config) {
			c.Versions = c.Versions[1:]
			c.Versions[0].Contract = openapi.ParseV1
		},
		"metric already registered": func(c *api.Config) {
			options := prometheus.GaugeOpts{Name: "cardvault_http_requests_in_flight"}
			c.Registry.MustRegister(prometheus.NewGauge(options))
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := config(&handlers{})
			change(&c)
			if _, err := api.New(c); err == nil {
				t.Errorf("New accepted the configuration %q", name)
			}
		})
	}
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/internal/api/apitest"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/ratelimit"
	"github.com/cardvault/cardvault/internal/standin"
)

// TestMain runs the end-to-end tests and then fails if they left an operation of the contract out.
func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	code := m.Run()
	if missing := apitest.Uncalled(); code == 0 && len(missing) > 0 && !filtered() {
		fmt.Fprintf(os.Stderr, "no end-to-end test calls: %s\n", strings.Join(missing, ", "))
		code = 1
	}
	os.Exit(code)
}

// filtered reports whether only some of the tests were asked for.
func filtered() bool {
	for _, arg := range os.Args {
		if strings.HasPrefix(arg, "-test.run=") || strings.HasPrefix(arg, "-test.list=") || strings.HasPrefix(arg, "-test.bench=") {
			return true
		}
	}
	return false
}

// service is the whole product in one process, wired as `cardvault serve` wires it, on a database
// of its own, with the stand-in marketplace beside it.
type service struct {
	*app
	url    string // of the API, with /api
	market *httptest.Server
}

// start runs the service until the test ends; adjust changes its settings first.
func start(t testing.TB, adjust ...func(*config.Config)) *service {
	t.Helper()
	return startOn(t, pgtest.URL(t), adjust...)
}

func startOn(t testing.TB, databaseURL string, adjust ...func(*config.Config)) *service {
	t.Helper()
	c := settings(t, databaseURL)
	s := &service{}
	s.market = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		standin.New(s.db, slog.Default()).ServeHTTP(w, r)
	}))
	t.Cleanup(s.market.Close)
	c.MarketURL, c.MarketPoll = s.market.URL, 20*time.Millisecond
	public := httptest.NewUnstartedServer(nil)
	c.PublicURL = "http://" + public.Listener.Addr().String()
	for _, f := range adjust {
		f(c)
	}
	opened, err := open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	s.app = opened
	t.Cleanup(s.close)
	s.serve(t, public)
	s.url = public.URL + "/api"
	return s
}

// settings are the defaults of the command line for a database, fit for tests.
func settings(t testing.TB, databaseURL string) *config.Config {
	t.Helper()
	cli := &commands{}
	parser, err := kong.New(cli, kong.Exit(func(int) { t.Fatal("kong wants to exit") }))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse([]string{"serve", "--database-url", databaseURL}); err != nil {
		t.Fatal(err)
	}
	c := cli.Config
	c.AllowPrivateNetworks, c.PhotoStore, c.LogLevel = true, t.TempDir(), "error"
	c.SecretKey, c.RedisURL = "", ""
	return &c
}

// serve starts the workers and the public handler.
func (s *service) serve(t testing.TB, public *httptest.Server) {
	t.Helper()
	parts, err := s.services(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	registry := newRegistry()
	loops, err := s.workers(parts, registry)
	if err != nil {
		t.Fatal(err)
	}
	handler, err := s.handler(parts, registry, ratelimit.NewMemory(), api.Checks{"database": s.db.Ping})
	if err != nil {
		t.Fatal(err)
	}
	if err := loops.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), drainTime)
		defer cancel()
		if err := loops.Stop(ctx); err != nil {
			t.Errorf("the workers did not drain: %v", err)
		}
	})
	public.Config.Handler = handler
	public.Start()
	t.Cleanup(public.Close)
}

// client is an account's access to the API. Every answer it gets is held against the contract.
type client struct {
	t       testing.TB
	service *service
	account string
	token   string
}

// client makes an account with a token whose limits are out of the way.
func (s *service) client(t testing.TB, sandbox bool) *client {
	t.Helper()
	account, err := s.accounts.Create(t.Context(), t.Name(), sandbox)
	if err != nil {
		t.Fatal(err)
	}
	_, secret, err := s.accounts.CreateToken(t.Context(), account.ID, "test", ratelimit.Limits{Read: 1e6, Write: 1e6, AI: 1e6})
	if err != nil {
		t.Fatal(err)
	}
	return &client{t: t, service: s, account: account.ID, token: secret}
}

// answer is what the service answered.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// do sends a request; body is JSON text, or bytes with a Content-Type among headers ("Name: value").
func (c *client) do(method, path string, body any, headers ...string) answer {
	c.t.Helper()
	var reader io.Reader
	contentType := ""
	switch b := body.(type) {
	case nil:
	case string:
		reader, contentType = strings.NewReader(b), "application/json"
	case []byte:
		reader = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.service.url+path, reader)
	if err != nil {
		c.t.Fatal(err)
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	return answer{resp.StatusCode, resp.Header, apitest.Validate(c.t, r, resp)}
}

// want fails the test unless the answer has the status, and decodes its body into dest if there is one.
func (a answer) want(t testing.TB, status int, dest any) answer {
	t.Helper()
	if a.status != status {
		t.Fatalf("status %d, want %d: %s", a.status, status, a.body)
	}
	if dest != nil {
		if err := json.Unmarshal(a.body, dest); err != nil {
			t.Fatalf("%v: %s", err, a.body)
		}
	}
	return a
}

// refused fails the test unless the answer is an error with the code.
func (a answer) refused(t testing.TB, code string) answer {
	t.Helper()
	var e struct {
		Error struct {
			Code    string
			Message string
			Status  int
		}
	}
	if err := json.Unmarshal(a.body, &e); err != nil || e.Error.Code != code || e.Error.Status != a.status || e.Error.Message == "" {
		t.Errorf("%d %s, want %s", a.status, a.body, code)
	}
	return a
}

// card is what the tests look at of a card.
type card struct {
	ID             string
	WorkflowStatus string `json:"workflow_status"`
	Title          *string
	Identification struct {
		Status, Source, Provider *string
		CatalogID                *string `json:"catalog_id"`
	}
	BatchID   *string `json:"batch_id"`
	ListingID *string `json:"listing_id"`
	Photos    []struct {
		ID, Role, Status string
		URL, Failure     *string
		Width            *int
	}
	Version   int64
	UpdatedAt time.Time `json:"updated_at"`
}

// listOf is a page of anything.
type listOf[T any] struct {
	Data       []T
	HasMore    bool    `json:"has_more"`
	NextCursor *string `json:"next_cursor"`
}

// create imports one card, given as JSON.
func (c *client) create(draft string) card {
	c.t.Helper()
	var made listOf[card]
	c.do("POST", "/cards", `{"cards":[`+draft+`]}`).want(c.t, http.StatusCreated, &made)
	return made.Data[0]
}

// get reads a card.
func (c *client) get(id string) card {
	c.t.Helper()
	var found card
	c.do("GET", "/cards/"+id, nil).want(c.t, http.StatusOK, &found)
	return found
}

// eventually waits until done, for things that happen in the background and give no signal to a
// client other than their result; it fails after half a minute.
func eventually(t testing.TB, what string, done func() bool) {
	t.Helper()
	deadline := time.NewTimer(30 * time.Second)
	defer deadline.Stop()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for !done() {
		select {
		case <-deadline.C:
			t.Fatalf("%s: not after half a minute", what)
		case <-look.C:
		}
	}
}

package e2e

import (
	"context"
	"fmt"
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
	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/sandboxmarket"
)

// TestMain runs the end-to-end tests and then fails if they left an operation of the contract out.
func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	code := m.Run()
	if missing := apitest.Uncalled(); code == 0 && len(missing) > 0 && !filtered() {
		fmt.Fprintf(os.Stderr, "no end-to-end test calls: %s\n", strings.Join(missing, ", "))
		code = 1
	}
	os.RemoveAll(builtIn)
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
	*app.App
	url    string // of the API, with /api
	public http.Handler
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
		sandboxmarket.New(s.DB, slog.Default()).ServeHTTP(w, r)
	}))
	t.Cleanup(s.market.Close)
	c.MarketURL, c.MarketPoll = s.market.URL, 20*time.Millisecond
	public := httptest.NewUnstartedServer(nil)
	c.PublicURL = "http://" + public.Listener.Addr().String()
	for _, f := range adjust {
		f(c)
	}
	opened, err := app.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	s.App = opened
	t.Cleanup(s.Close)
	s.serve(t, public)
	s.url = public.URL + "/api"
	return s
}

// settings are the defaults of the command line for a database, fit for tests.
func settings(t testing.TB, databaseURL string) *config.Config {
	t.Helper()
	var cli struct {
		config.Config `embed:""`
	}
	parser, err := kong.New(&cli, kong.Exit(func(int) { t.Fatal("kong wants to exit") }))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse([]string{"--database-url", databaseURL}); err != nil {
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
	parts, err := s.Services(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	registry := app.NewRegistry()
	loops, err := s.Workers(parts, registry)
	if err != nil {
		t.Fatal(err)
	}
	limiter, err := s.Limiter()
	if err != nil {
		t.Fatal(err)
	}
	handler, err := s.Handler(parts, registry, limiter, api.Checks{"database": s.DB.Ping})
	if err != nil {
		t.Fatal(err)
	}
	if err := loops.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), app.DrainTime)
		defer cancel()
		if err := loops.Stop(ctx); err != nil {
			t.Errorf("the workers did not drain: %v", err)
		}
	})
	s.public, public.Config.Handler = handler, handler
	public.Start()
	t.Cleanup(public.Close)
}

// eventually waits until done, for things that happen in the background and give no signal to a
// client other than their result; it fails after a minute: machines are busy.
func eventually(t testing.TB, what string, done func() bool) {
	t.Helper()
	deadline := time.NewTimer(time.Minute)
	defer deadline.Stop()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for !done() {
		select {
		case <-deadline.C:
			t.Fatalf("%s: not after a minute", what)
		case <-look.C:
		}
	}
}

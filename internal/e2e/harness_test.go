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
	"github.com/cardvault/cardvault/internal/marketplaces/registry"
	"github.com/cardvault/cardvault/internal/polltest"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/sandboxmarket/markettest"
)

// TestMain runs the end-to-end tests. It fails if no test called an operation of the contract.
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

// filtered reports whether the command line selects some of the tests.
func filtered() bool {
	for _, arg := range os.Args {
		for _, flag := range []string{"-test.run=", "-test.list=", "-test.bench="} {
			if strings.HasPrefix(arg, flag) {
				return true
			}
		}
	}
	return false
}

// service is the whole service in the process of the test, assembled as `cardvault serve` assembles it. It has a
// database and a sandbox marketplace of its own.
type service struct {
	*app.App
	url    string // of the API, with /api
	public http.Handler
	market *httptest.Server
	parts  *app.Services
}

// start runs the service until the test ends. Each function in adjust changes its settings before it starts.
func start(t testing.TB, adjust ...func(*config.Config)) *service {
	t.Helper()
	return startOn(t, pgtest.URL(t), adjust...)
}

// startOn is start with an existing database.
func startOn(t testing.TB, databaseURL string, adjust ...func(*config.Config)) *service {
	t.Helper()
	return startWith(t, app.Marketplaces, databaseURL, adjust...)
}

// startWith is startOn with other marketplaces.
func startWith(
	t testing.TB, kinds []registry.Kind, databaseURL string, adjust ...func(*config.Config),
) *service {
	t.Helper()
	c := settings(t, databaseURL)
	s := &service{}
	s.market = httptest.NewServer(markettest.Handler(t, func() *postgres.DB { return s.DB }))
	t.Cleanup(s.market.Close)
	c.MarketURL, c.MarketPoll = s.market.URL, 100*time.Millisecond
	c.IdentifyTimeout = readingTime
	public := httptest.NewUnstartedServer(nil)
	c.PublicURL = "http://" + public.Listener.Addr().String()
	for _, f := range adjust {
		f(c)
	}
	opened, err := app.OpenWith(t.Context(), c, kinds)
	if err != nil {
		t.Fatal(err)
	}
	s.App = opened
	t.Cleanup(s.Close)
	s.serve(t, public)
	s.url = public.URL + "/api"
	return s
}

// settings returns the defaults of the command line with the changes that tests need.
func settings(t testing.TB, databaseURL string) *config.Config {
	t.Helper()
	var cli struct {
		config.Config `embed:""`
	}
	parser, err := kong.New(&cli, kong.Exit(func(int) { t.Fatal("the command line is invalid") }))
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

// serve starts the workers and the public server.
func (s *service) serve(t testing.TB, public *httptest.Server) {
	t.Helper()
	parts, err := s.Services(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	registry := app.NewRegistry()
	loops, err := s.Workers(parts, registry, app.AllWork)
	if err != nil {
		t.Fatal(err)
	}
	handler, err := s.Handler(parts, registry, api.Checks{"database": s.DB.Ping})
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
	s.parts, s.public, public.Config.Handler = parts, handler, handler
	public.Start()
	t.Cleanup(public.Close)
}

// drainTime is how long workers get to finish. A photo takes much longer on a machine that runs other tests.
const drainTime = 2 * time.Minute

// A machine that runs other tests meanwhile may need much longer for a photo than the default limit of a provider.
const (
	readingTime = time.Minute                 // the limit of each provider
	patience    = 2*readingTime + time.Minute // how long eventually waits: a photo goes through two providers
)

// eventually polls until done returns true and fails the test after patience. It is for work in the background whose
// only signal to a client is its result.
func eventually(t testing.TB, what string, done func() bool) {
	t.Helper()
	polltest.Until(t, patience, what, done)
}

package dashboardtest

import (
	"context"
	"encoding/json"
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
	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/demo"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/ebaytest"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/ratelimit"
	"github.com/cardvault/cardvault/internal/sandboxmarket/markettest"
)

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	os.Exit(m.Run())
}

// service is the whole service with the demo account.
type service struct {
	*app.App
	base string // the URL of the dashboard, without a path
	demo demo.Result
	ebay *ebaytest.Server // nil unless the test sets it
}

// start runs the service until the test ends. Each function in adjust changes its settings before it starts.
func start(t testing.TB, adjust ...func(*config.Config)) *service {
	t.Helper()
	c := settings(t)
	s := &service{}
	market := httptest.NewServer(markettest.Handler(t, func() *postgres.DB { return s.DB }))
	t.Cleanup(market.Close)
	public := httptest.NewUnstartedServer(nil)
	s.base = "http://" + public.Listener.Addr().String()
	c.MarketURL, c.PublicURL = market.URL, s.base
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
	return s
}

// settings returns the defaults of the command line with the changes that tests need.
func settings(t testing.TB) *config.Config {
	t.Helper()
	var cli struct {
		config.Config `embed:""`
	}
	parser, err := kong.New(&cli, kong.Exit(func(int) { t.Fatal("the command line is invalid") }))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse([]string{"--database-url", pgtest.URL(t)}); err != nil {
		t.Fatal(err)
	}
	c := cli.Config
	c.AllowPrivateNetworks, c.PhotoStore, c.LogLevel = true, t.TempDir(), "error"
	c.SecretKey, c.RedisURL = "", ""
	return &c
}

// serve loads the demo and starts the workers and the public server.
func (s *service) serve(t testing.TB, public *httptest.Server) {
	t.Helper()
	parts, err := s.Services(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.demo, err = demo.Load(t.Context(), demo.Services{
		DB: s.DB, Clock: s.Clock, Accounts: s.Accounts, Users: s.Users, Batches: s.Batches, Cards: s.Cards,
		Photos: s.Photos, Catalog: s.Catalog, Identify: parts.Identify,
	}, demo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parts.Exports.Request(t.Context(), s.demo.AccountID); err != nil {
		t.Fatal(err)
	}
	registry := app.NewRegistry()
	loops, err := s.Workers(parts, registry, app.AllWork)
	if err != nil {
		t.Fatal(err)
	}
	public.Config.Handler, err = s.Handler(parts, registry, api.Checks{"database": s.DB.Ping})
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
	public.Start()
	t.Cleanup(public.Close)
}

// things gives the demo account something of each kind that a path of a page can name. It returns what the names in
// paths stand for.
func (s *service) things(t testing.TB) *strings.Replacer {
	t.Helper()
	p := s.program(t)
	owner, err := s.Users.ByEmail(t.Context(), s.demo.Email)
	if err != nil {
		t.Fatal(err)
	}
	link, err := s.Users.NewLink(t.Context(), owner.ID)
	if err != nil {
		t.Fatal(err)
	}
	// No program listens on this port, so that the page of the endpoint shows failures.
	webhook := p.send("POST", "/webhooks", `{"url":"http://127.0.0.1:9999/"}`)
	priced := p.list("/cards?status=priced&has_photo=true&sort=created_at")
	listing := p.send("POST", "/listings/"+priced[0].ID+"/publish", "")
	sale := p.send("POST", "/cards/"+priced[1].ID+"/sell",
		`{"channel":"in_person","price":{"amount":1240,"currency":"USD"}}`)
	p.send("POST", "/cards/"+priced[2].ID+"/sell",
		`{"channel":"own_store","price":{"amount":310,"currency":"USD"}}`)
	job := p.send("POST", "/jobs", `{"kind":"update","patch":{"identification":{"condition":"DMG"}},`+
		`"card_ids":["`+priced[1].ID+`","`+priced[3].ID+`"]}`)
	if err := s.Views.Save(t.Context(), s.demo.AccountID, "Dear cards", "sort=-price&status=priced"); err != nil {
		t.Fatal(err)
	}
	s.countRequests(t)
	s.recordStock(t)
	card, batch := p.list("/cards?status=photographed&sort=created_at")[0], p.completeBatch()
	return strings.NewReplacer(
		"{link}", link, "{user}", owner.ID, "{token}", s.demo.TokenID,
		"{email}", owner.Email, "{password}", s.demo.Password, "{batch}", batch.ID, "{batch name}", batch.Name,
		"{card}", card.ID, "{card title}", card.Title, "{another title}", priced[3].Title,
		"{listing}", listing.ID, "{listed}", priced[0].ID, "{listing title}", priced[0].Title,
		"{sale}", sale.ID, "{sale title}", priced[1].Title, "{job}", job.ID,
		"{webhook}", webhook.ID, "{delivery}", p.list("/webhooks/" + webhook.ID + "/deliveries")[0].ID,
		"{event}", p.list("/events")[0].ID,
	)
}

// countRequests gives the demo account a week of requests: more by day than by night, some of them refused.
func (s *service) countRequests(t testing.TB) {
	t.Helper()
	_, err := s.DB.Exec(t.Context(), `
		INSERT INTO request_usage
			(account_id, hour, token_id, reads, writes, ai, reads_refused, writes_refused, ai_refused)
		SELECT $1, hour, $2, 40 * busy, 15 * busy, busy, 0, 0, CASE WHEN busy > 9 THEN 8 ELSE 0 END
		FROM generate_series(1, 166) AS ago,
			LATERAL (SELECT date_trunc('hour', now(), 'UTC') - ago * interval '1 hour' AS hour) AS h,
			LATERAL (
				SELECT round((4 + ago % 9) * sin(extract(hour FROM hour AT TIME ZONE 'UTC') * pi() / 24))::bigint
					AS busy
			) AS b
		ON CONFLICT DO NOTHING`, s.demo.AccountID, s.demo.TokenID)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Usage.Store(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// recordStock gives the demo account a value of the stock for 12 weeks, with a week in which the service was off.
func (s *service) recordStock(t testing.TB) {
	t.Helper()
	_, err := s.DB.Exec(t.Context(), `
		INSERT INTO stock_values (account_id, day, currency, cards, asking, cost, change)
		SELECT $1, (now() AT TIME ZONE 'UTC')::date - ago, v.currency, v.cards, v.asking, v.cost, 0
		FROM generate_series(1, 83) AS ago, LATERAL (VALUES
			('', 24 - ago / 6, 0::bigint, 0::bigint),
			('USD', 14 - ago / 8, 13500 - ago * 90 + ago % 9 * 120, 6500 - ago * 45)
		) AS v (currency, cards, asking, cost)
		WHERE ago NOT BETWEEN 40 AND 46
		ON CONFLICT DO NOTHING`, s.demo.AccountID)
	if err != nil {
		t.Fatal(err)
	}
}

// program calls the API with a token of an account that has all scopes.
type program struct {
	t                   testing.TB
	account, api, token string
}

// program returns a program of the demo account.
func (s *service) program(t testing.TB) *program {
	t.Helper()
	return s.programOf(t, s.demo.AccountID)
}

// programOf returns a program of an account.
func (s *service) programOf(t testing.TB, accountID string) *program {
	t.Helper()
	_, secret, err := s.Accounts.CreateToken(t.Context(), accountID, "warehouse", ratelimit.Limits{}, caller.Scopes...)
	if err != nil {
		t.Fatal(err)
	}
	return &program{t, accountID, s.base + "/api", secret}
}

// thing is a card or something else of an account.
type thing struct{ ID, Title, Name, Status string }

// list returns the things that a list of the API has.
func (p *program) list(path string) []thing {
	p.t.Helper()
	var found struct{ Data []thing }
	p.call("GET", path, "", &found)
	if len(found.Data) == 0 {
		p.t.Fatalf("GET %s: got nothing", path)
	}
	return found.Data
}

// completeBatch returns the demo's batch that is complete.
func (p *program) completeBatch() thing {
	p.t.Helper()
	for _, batch := range p.list("/batches") {
		if batch.Status == "complete" {
			return batch
		}
	}
	p.t.Fatal("no batch of the demo is complete")
	return thing{}
}

// send returns the thing that a request makes.
func (p *program) send(method, path, body string) (made thing) {
	p.t.Helper()
	p.call(method, path, body, &made)
	return made
}

func (p *program) call(method, path, body string, into any) {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), method, p.api+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+p.token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= http.StatusBadRequest || json.Unmarshal(answer, into) != nil {
		p.t.Fatalf("%s %s: got %d %s, %v", method, path, response.StatusCode, answer, err)
	}
}

// drainTime is how long workers get to finish. A photo takes much longer on a machine that runs other tests.
const drainTime = 2 * time.Minute

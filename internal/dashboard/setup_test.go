package dashboard

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/cards/csvfile"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/listings/listingfile"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay"
	"github.com/cardvault/cardvault/internal/marketplaces/registry"
	"github.com/cardvault/cardvault/internal/marketplaces/sandbox"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/photos"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/pricing"
	"github.com/cardvault/cardvault/internal/ratelimit"
	"github.com/cardvault/cardvault/internal/sales"
	"github.com/cardvault/cardvault/internal/stock"
	"github.com/cardvault/cardvault/internal/usage"
	"github.com/cardvault/cardvault/internal/users"
	"github.com/cardvault/cardvault/internal/views"
	"github.com/cardvault/cardvault/internal/webhooks"
)

const (
	ada      = "ada@example.com"
	password = "correct horse battery"
)

// shop is a dashboard with an account whose owner is ada.
type shop struct {
	t       testing.TB
	config  Config
	db      *postgres.DB
	account accounts.Account
	ada     users.User
	server  *httptest.Server
	guesses *guesser
	served  *Dashboard
}

// guesser is an identification provider that returns what the test wants.
type guesser struct {
	list atomic.Pointer[[]identify.Candidate]
	read atomic.Pointer[identify.Reading]
}

// Read implements identify.TextProvider.
func (g *guesser) Read(ctx context.Context, p identify.Photo) ([]identify.Candidate, identify.Reading, error) {
	found, err := g.Identify(ctx, p)
	if read := g.read.Load(); read != nil {
		return found, *read, err
	}
	return found, identify.Reading{}, err
}

// Name implements identify.Provider.
func (g *guesser) Name() string { return "guesser" }

// Identify implements identify.Provider.
func (g *guesser) Identify(context.Context, identify.Photo) ([]identify.Candidate, error) {
	if list := g.list.Load(); list != nil {
		return slices.Clone(*list), nil
	}
	return nil, nil
}

// deref returns a text, or "" for nil.
func deref(s *string) string { return format.Text(s) }

// markets are the marketplaces, which are not set up.
var markets = registry.Markets{{Kind: ebay.Kind}, {Kind: sandbox.Kind}}

func init() { format.NameMarkets(markets) } // for tests without a dashboard

func setup(t testing.TB) *shop {
	t.Helper()
	db := pgtest.New(t)
	cursors, err := paging.NewCursors([]byte("a secret of thirty-two bytes ..."))
	if err != nil {
		t.Fatal(err)
	}
	recorder := events.NewRecorder(nil) // the accounts have no webhook endpoints
	grouped := batches.New(db, clock.System, cursors, recorder)
	queues := cards.NewQueues()
	inventory := cards.New(db, clock.System, cursors, recorder, grouped, queues)
	holders, catalogue := accounts.New(db, clock.System), catalog.New(db)
	allowed := accounts.Identification{Providers: []string{"guesser"}, Threshold: 0.85, Games: cards.Games}
	holders.UseIdentification(allowed, allowed)
	inventory.UseCatalogue(catalogue)
	published := listings.New(db, clock.System, cursors, inventory, listings.Config{
		Markets: map[string]listings.Market{"sandbox": {}, "ebay": {}}, Default: "sandbox", Sandbox: "sandbox",
		Sales: sales.Recorder{},
	})
	store, err := photos.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	pictures := photos.NewService(inventory, store, nil, clock.System)
	guesses, limiter := &guesser{}, ratelimit.NewMemory()
	chain := identify.Chain{Providers: []identify.Provider{guesses}, Threshold: 0.85, Timeout: time.Minute}
	s := &shop{t: t, db: db, guesses: guesses, config: Config{
		Services: Services{
			Accounts: holders, Cards: inventory, Batches: grouped, Photos: pictures, Catalog: catalogue,
			Identification: identify.New(
				db, clock.System, chain, chain, holders, inventory, pictures, queues.Identifications),
			Pricing: pricing.New(db, clock.System, inventory, catalogue), Listings: published,
			Sales:        sales.New(db, clock.System, cursors, recorder, inventory, published, markets.Names()),
			CSVFiles:     csvfile.New(db, clock.System, inventory, grouped, pictures),
			ListingFiles: listingfile.New(db, inventory, nil, clock.System.Time),
			Views:        views.New(db, clock.System),
			Usage:        usage.NewLog(db, clock.System), Stock: stock.New(db, inventory),
			Markets:     markets,
			DeliveryLog: webhooks.NewLog(db, cursors),
			Webhooks:    webhooks.NewEndpoints(db, clock.System, nil, nil, nil), // which can list them, no more
		},
		Users: users.New(db, clock.System, holders, limiter), Sessions: users.NewSessions(db),
		Clock: clock.System, Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
		ClientAddress: func(r *http.Request) netip.Addr { return netip.MustParseAddrPort(r.RemoteAddr).Addr() },
		PhotoURL:      func(_ string, p cards.Photo) string { return "/photos/" + p.ID },
		Limits:        ratelimit.Defaults, Limiter: limiter,
		Public: "http://localhost:8080",
	}}
	s.serve()
	s.account = s.newAccount("Ada's cards")
	s.ada = s.newUser(s.account, ada, users.Owner)
	return s
}

// serve serves the dashboard with the shop's configuration.
func (s *shop) serve() {
	s.t.Helper()
	var err error
	if s.served, err = New(s.config); err != nil {
		s.t.Fatal(err)
	}
	s.server = httptest.NewServer(s.served)
	s.t.Cleanup(s.server.Close)
}

func (s *shop) newAccount(name string) accounts.Account {
	s.t.Helper()
	account, err := s.config.Accounts.Create(s.t.Context(), name, false)
	if err != nil {
		s.t.Fatal(err)
	}
	return account
}

func (s *shop) newUser(account accounts.Account, email string, role users.Role) users.User {
	s.t.Helper()
	user, err := s.config.Users.Create(s.t.Context(), account.ID, email, role, password)
	if err != nil {
		s.t.Fatal(err)
	}
	return user
}

// invite returns the secret of an invitation.
func (s *shop) invite(account accounts.Account, email string, role users.Role) string {
	s.t.Helper()
	secret, err := s.config.Users.Invite(s.t.Context(), account.ID, email, role)
	if err != nil {
		s.t.Fatal(err)
	}
	return secret
}

// browser keeps cookies and does not follow redirects.
type browser struct {
	t    testing.TB
	base string
	http *http.Client
}

func (s *shop) browser() *browser {
	s.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return &browser{t: s.t, base: s.server.URL, http: &http.Client{
		Jar:           jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// answer is a response whose body was read.
type answer struct {
	*http.Response
	body string
}

func (b *browser) do(r *http.Request) answer {
	b.t.Helper()
	response, err := b.http.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return answer{response, string(body)}
}

func (b *browser) request(method, path string, form url.Values) *http.Request {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return r
}

func (b *browser) get(path string) answer { return b.do(b.request(http.MethodGet, path, nil)) }

// post sends a form with these names and values.
func (b *browser) post(path string, pairs ...string) answer {
	b.t.Helper()
	form := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		form.Add(pairs[i], pairs[i+1])
	}
	return b.do(b.request(http.MethodPost, path, form))
}

// logIn returns a browser with a session of the user.
func (s *shop) logIn(email string) *browser {
	s.t.Helper()
	b := s.browser()
	b.want(b.post("/login", "email", email, "password", password), http.StatusSeeOther, "")
	return b
}

// want checks the status, and that the page contains the text.
func (b *browser) want(a answer, status int, text string) {
	b.t.Helper()
	if a.StatusCode != status || !strings.Contains(a.body, text) {
		b.t.Errorf("%s %s: got %d %s, want %d with %q", a.Request.Method, a.Request.URL.Path, a.StatusCode, a.body,
			status, text)
	}
}

// wantSoon checks that the page contains each text within half a minute: a sum that takes long to read is kept for some
// seconds.
func (b *browser) wantSoon(path string, texts ...string) {
	b.t.Helper()
	deadline, poll := time.NewTimer(30*time.Second), time.NewTicker(50*time.Millisecond)
	defer deadline.Stop()
	defer poll.Stop()
	for {
		page := b.get(path)
		missing := slices.IndexFunc(texts, func(text string) bool { return !strings.Contains(page.body, text) })
		if missing < 0 {
			return
		}
		select {
		case <-deadline.C:
			b.t.Fatalf("GET %s: got %d %s, want %q", path, page.StatusCode, page.body, texts[missing])
		case <-poll.C:
		}
	}
}

// wantRedirect checks that the response leads to the path.
func (b *browser) wantRedirect(a answer, path string) {
	b.t.Helper()
	if got := a.Header.Get("Location"); a.StatusCode != http.StatusSeeOther || got != path {
		b.t.Errorf("%s %s: got %d to %q, want 303 to %q", a.Request.Method, a.Request.URL.Path, a.StatusCode, got, path)
	}
}

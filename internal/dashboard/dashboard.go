// Package dashboard serves the web interface: what a seller does in a browser, at a desk or on a phone.
//
// Pages are rendered on the server and work without scripts; htmx makes them quicker. The package calls the same domain
// services as the API and holds no rule and no SQL. GET never changes anything. Pages load nothing from other origins
// and run no inline scripts, which a Content-Security-Policy enforces.
package dashboard

import (
	"context"
	"embed"
	"errors"
	"html/template"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"strings"
	"sync"

	"github.com/alexedwards/scs/v2"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/accounts/deletion"
	"github.com/cardvault/cardvault/internal/audit"
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/cards/csvfile"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/dashboard/bulk"
	"github.com/cardvault/cardvault/internal/dashboard/cardlist"
	"github.com/cardvault/cardvault/internal/dashboard/cardpage"
	"github.com/cardvault/cardvault/internal/dashboard/developers"
	"github.com/cardvault/cardvault/internal/dashboard/home"
	"github.com/cardvault/cardvault/internal/dashboard/imports"
	"github.com/cardvault/cardvault/internal/dashboard/login"
	"github.com/cardvault/cardvault/internal/dashboard/lookup"
	"github.com/cardvault/cardvault/internal/dashboard/printing"
	"github.com/cardvault/cardvault/internal/dashboard/selling"
	"github.com/cardvault/cardvault/internal/dashboard/settings"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/exports"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/spend"
	"github.com/cardvault/cardvault/internal/jobs"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/listings/listingfile"
	"github.com/cardvault/cardvault/internal/marketplaces/registry"
	"github.com/cardvault/cardvault/internal/photos"
	"github.com/cardvault/cardvault/internal/pricing"
	"github.com/cardvault/cardvault/internal/ratelimit"
	"github.com/cardvault/cardvault/internal/sales"
	"github.com/cardvault/cardvault/internal/stock"
	"github.com/cardvault/cardvault/internal/usage"
	"github.com/cardvault/cardvault/internal/users"
	"github.com/cardvault/cardvault/internal/views"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// Services are the domain services that the pages call, the same as those of the API.
type Services struct {
	Accounts       *accounts.Service
	Cards          *cards.Service
	CSVFiles       *csvfile.Service
	Batches        *batches.Service
	Photos         *photos.Service
	Identification *identify.Service
	Catalog        *catalog.Service
	Pricing        *pricing.Service
	Listings       *listings.Service
	ListingFiles   *listingfile.Service
	Jobs           *jobs.Service
	Sales          *sales.Service
	Events         *events.Reader
	Webhooks       *webhooks.Endpoints
	Deliveries     *webhooks.Deliveries
	DeliveryLog    *webhooks.Log
	Audit          *audit.Log
	Exports        *exports.Service
	Deletions      *deletion.Service
	Views          *views.Service
	Usage          *usage.Log
	Stock          *stock.Service
	Markets        registry.Markets
	// Spend is the budget of remote identification providers, or nil if there are none.
	Spend *spend.Budget
}

// Config holds the dependencies and settings of the dashboard. All fields are required, except Reads, SignOn and
// SignOnLabel.
type Config struct {
	Services
	Users    *users.Service
	Sessions scs.CtxStore
	Clock    clock.Clock
	Logger   *slog.Logger
	Limits   ratelimit.Limits // of tokens without limits of their own
	// Limiter counts the requests of tokens. The dashboard only reads it.
	Limiter ratelimit.Limiter
	// SharedLimiter is true if Limiter counts the requests to all processes of the service, not only to this one.
	SharedLimiter bool
	// Reads is the maximum number of pages of an account that are read at a time; 0 for concurrency.DefaultReads.
	Reads int
	// ClientAddress returns the address that a request comes from.
	ClientAddress func(*http.Request) netip.Addr
	// PhotoURL returns the URL of a photo of an account's card.
	PhotoURL func(accountID string, p cards.Photo) string
	// Keys stores the results of forms, so that one that is sent again has no second effect.
	Keys web.Keys
	// Public is the URL of the service without a path. Cookies are Secure unless it is one of this machine.
	Public string
	// SignOn is the log-in at an identity provider, nil if there is none. SignOnLabel is the text of its button.
	SignOn      login.SignOn
	SignOnLabel string
}

// Dashboard serves all paths that belong to no other part of the service.
type Dashboard struct {
	*web.Frame
	Services
	look   *lookup.Reader
	config Config

	login      *login.Handlers
	home       *home.Handlers
	cardlist   *cardlist.Handlers
	cardpage   *cardpage.Handlers
	bulk       *bulk.Handlers
	imports    *imports.Handlers
	printing   *printing.Handlers
	selling    *selling.Handlers
	developers *developers.Handlers
	settings   *settings.Handlers
	handler    http.Handler
}

//go:embed assets
var files embed.FS

// templates are shared by all dashboards of a process.
var templates = sync.OnceValues(func() (*web.Templates, error) {
	assets, err := fs.Sub(files, "assets")
	if err != nil {
		return nil, err
	}
	functions := template.FuncMap{}
	maps.Copy(functions, bulk.Functions)
	maps.Copy(functions, developers.Functions)
	return web.ReadTemplates(assets, functions, login.Views, home.Views, cardlist.Views, cardpage.Views, bulk.Views,
		imports.Views, printing.Views, selling.Views, developers.Views, settings.Views)
})

// New returns the dashboard.
func New(c Config) (*Dashboard, error) {
	if c.Users == nil || c.Sessions == nil || c.Accounts == nil || c.Cards == nil || c.Sales == nil ||
		c.Clock.Now == nil || c.Logger == nil || c.Limiter == nil || c.ClientAddress == nil || c.PhotoURL == nil ||
		c.Public == "" {
		return nil, errors.New("dashboard.New: a required field of Config is missing")
	}
	format.NameMarkets(c.Markets)
	parsed, err := templates()
	if err != nil {
		return nil, err
	}
	frame := web.Config{
		Users: c.Users, SessionStore: c.Sessions, Clock: c.Clock, Logger: c.Logger, ClientAddress: c.ClientAddress,
		Keys: c.Keys, Public: c.Public, MaxReads: c.Reads, Templates: parsed, ReviewsLeft: c.Cards.ReviewsLeft,
	}
	if len(c.Markets.Connected()) > 0 {
		frame.Revoked = func(ctx context.Context, accountID string) (string, error) {
			labels, err := c.Markets.Revoked(ctx, accountID)
			return strings.Join(labels, " and "), err
		}
	}
	look := &lookup.Reader{
		Cards: c.Cards, Accounts: c.Accounts, Users: c.Users, Batches: c.Batches, PhotoURL: c.PhotoURL,
	}
	d := &Dashboard{Frame: web.New(frame), Services: c.Services, look: look, config: c}
	d.developers = &developers.Handlers{
		Frame: d.Frame, Accounts: c.Accounts, Events: c.Events, Webhooks: c.Webhooks, Deliveries: c.Deliveries,
		DeliveryLog: c.DeliveryLog, Usage: c.Usage, Limits: c.Limits, Limiter: c.Limiter,
		SharedLimiter: c.SharedLimiter,
	}
	d.login = &login.Handlers{
		Frame: d.Frame, Accounts: c.Accounts, SignOn: c.SignOn, SignOnLabel: c.SignOnLabel,
	}
	d.settings = &settings.Handlers{
		Frame: d.Frame, Reader: look, Audit: c.Audit, Exports: c.Exports, Deletions: c.Deletions,
		Identification: c.Identification, Listings: c.Listings, Limits: c.Limits, Markets: c.Markets, Spend: c.Spend,
	}
	d.selling = &selling.Handlers{
		Frame: d.Frame, Reader: look, Listings: c.Listings, ListingFiles: c.ListingFiles, Sales: c.Sales,
		Markets: c.Markets.Names(),
	}
	d.cardlist = &cardlist.Handlers{Frame: d.Frame, Reader: look, CSVFiles: c.CSVFiles, SavedViews: c.Views}
	d.cardpage = &cardpage.Handlers{
		Frame: d.Frame, Reader: look, Photos: c.Photos, Identification: c.Identification, Catalog: c.Catalog,
		Pricing: c.Pricing, Listings: c.Listings, Sales: c.Sales,
	}
	d.bulk = &bulk.Handlers{Frame: d.Frame, Reader: look, Jobs: c.Jobs, Pricing: c.Pricing}
	d.imports = &imports.Handlers{Frame: d.Frame, Reader: look, CSVFiles: c.CSVFiles, Photos: c.Photos}
	d.printing = &printing.Handlers{Frame: d.Frame, Reader: look}
	d.home = &home.Handlers{
		Frame: d.Frame, Reader: look, Identification: c.Identification, Sales: c.Sales, Stock: c.Stock,
		Listings: c.Listings, DeliveryLog: c.DeliveryLog, Selling: d.selling, Imports: d.imports,
		Markets: c.Markets,
	}
	d.handler = d.newHandler()
	return d, nil
}

// ServeHTTP implements http.Handler.
func (d *Dashboard) ServeHTTP(w http.ResponseWriter, r *http.Request) { d.handler.ServeHTTP(w, r) }

// newHandler returns the middlewares, in the order in which a request passes them, and the routes.
func (d *Dashboard) newHandler() http.Handler {
	crossOrigin := http.NewCrossOriginProtection()
	crossOrigin.SetDenyHandler(http.HandlerFunc(d.RefuseCrossOrigin))
	h := http.Handler(d.router())
	for _, middleware := range []func(http.Handler) http.Handler{
		d.Sessions.LoadAndSave, web.TrackSession, d.ReadForm, limitBody, crossOrigin.Handler, setHeaders,
	} {
		h = middleware(h)
	}
	return h
}

func limitBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		most := max(web.MaxForm, imports.MaxBody(r.URL.Path), cardpage.MaxBody(r.URL.Path))
		r.Body = http.MaxBytesReader(w, r.Body, most)
		next.ServeHTTP(w, r)
	})
}

// policy allows pages to load the dashboard's own files and to call this service, nothing else. Pico draws its icons
// from data: URLs.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

func setHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("Referrer-Policy", "same-origin")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-store") // pages show what only this user may see
		next.ServeHTTP(w, r)
	})
}

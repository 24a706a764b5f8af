package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/internal/api/idempotency"
	v1 "github.com/cardvault/cardvault/internal/api/v1"
	v2 "github.com/cardvault/cardvault/internal/api/v2"
	"github.com/cardvault/cardvault/internal/audit"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/dashboard"
	"github.com/cardvault/cardvault/internal/dashboard/login"
	"github.com/cardvault/cardvault/internal/photos"
	"github.com/cardvault/cardvault/internal/ratelimit"
	"github.com/cardvault/cardvault/internal/signon"
	"github.com/cardvault/cardvault/internal/stock"
	"github.com/cardvault/cardvault/internal/usage"
	"github.com/cardvault/cardvault/internal/users"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// readShare is the part of the connections to the database that reads of one account by the API may hold, and pages of
// its dashboard as well: a quarter.
const readShare = 4

func (a *App) reads() int { return max(2, a.Config.DatabaseMaxConns/readShare) }

// servers returns the public server and the one for operators.
func (a *App) servers(s *Services, registry *prometheus.Registry) (public, admin *api.Server, err error) {
	ready := a.Ready()
	handler, err := a.Handler(s, registry, ready)
	if err != nil {
		return nil, nil, err
	}
	public = api.NewServer(a.Config.Addr, "CARDVAULT_ADDR", handler, slog.Default())
	admin = a.adminServer(ready, registry)
	return public, admin, nil
}

// Ready returns the checks that must succeed before the process is useful.
func (a *App) Ready() api.Checks {
	return api.Checks{"database": a.DB.Ping, "photos": a.store.Check, "clock": func(ctx context.Context) error {
		if err := a.checkClock(ctx); errors.Is(err, clock.ErrSkewed) {
			return err
		}
		return nil // whether the database answers is another check
	}}
}

// checkClock keeps a machine whose clock is wrong from stamping changes: an account's times only rise, so it would be
// stuck in the future with them. A minute is far above what NTP leaves, and well below the 5 minutes after which
// receivers refuse a webhook's signature.
func (a *App) checkClock(ctx context.Context) error {
	return a.Clock.CheckSkew(ctx, a.DB, a.Config.ClockTolerance)
}

// Handler returns the handler of the public server.
func (a *App) Handler(s *Services, registry *prometheus.Registry, ready api.Checks) (http.Handler, error) {
	proxies, err := a.Config.Proxies()
	if err != nil {
		return nil, err
	}
	if err := a.registerRemote(registry); err != nil {
		return nil, err
	}
	versions, err := a.versions(s)
	if err != nil {
		return nil, err
	}
	address := func(r *http.Request) netip.Addr { return api.ClientAddress(r, proxies) }
	pages, err := a.dashboard(s, address)
	if err != nil {
		return nil, err
	}
	return api.New(api.Config{
		Versions: versions, Tokens: a.Accounts, Idempotency: idempotency.New(a.DB),
		Limiter: a.Limiter, Usage: a.Usage, Limits: a.Config.Limits(),
		AccountFactor: a.Config.AccountRateFactor, Reads: a.reads(),
		Clock: a.Clock, Logger: slog.Default(), Registry: registry,
		Photos: photos.NewHandler(a.photoURLs, a.store, api.WriteError),
		Other:  documents(pages, a.notifications(s, address)),
		Ready:  ready, Tracer: a.tracer, TrustedProxies: proxies,
	})
}

// dashboard returns the web interface.
func (a *App) dashboard(s *Services, address func(*http.Request) netip.Addr) (*dashboard.Dashboard, error) {
	public, err := a.Config.Public()
	if err != nil {
		return nil, err
	}
	config := dashboard.Config{
		Services: dashboard.Services{
			Accounts: a.Accounts, Cards: a.Cards, Batches: a.Batches, Photos: a.Photos, Identification: s.Identify,
			Catalog: a.Catalog, Pricing: s.Pricing, Listings: s.Listings, Jobs: s.Jobs, Sales: s.Sales,
			Events: a.Events, Webhooks: a.Endpoints, Deliveries: a.Deliveries,
			DeliveryLog: webhooks.NewLog(a.DB, a.cursors), CSVFiles: a.CSVFiles(), ListingFiles: a.ListingFiles(),
			Audit: audit.NewLog(a.DB, a.cursors), Exports: s.Exports, Deletions: a.Deletions, Views: a.Views,
			Markets: a.Markets, Spend: a.Spend, Usage: usage.NewLog(a.DB, a.Clock),
			Stock: stock.New(a.DB, a.Cards),
		},
		Keys:  formKeys{idempotency.New(a.DB)},
		Users: a.Users, Sessions: users.NewSessions(a.DB), Clock: a.Clock, Logger: slog.Default(),
		ClientAddress: address, Public: public, Reads: a.reads(),
		Limits: a.Config.Limits().Or(ratelimit.Defaults), Limiter: a.Limiter, SharedLimiter: a.Config.RedisURL != "",
		PhotoURL: func(accountID string, p cards.Photo) string {
			// Without the host: a page may only show pictures of the host that it came from.
			return strings.TrimPrefix(a.photoURLs.For(accountID, p.ID, p.ContentType, a.Clock.Time()), public)
		},
		SignOnLabel: a.Config.OIDCLabel,
	}
	if a.Config.OIDCIssuer != "" {
		config.SignOn = signon.New(signon.Config{
			Issuer: a.Config.OIDCIssuer, ClientID: a.Config.OIDCClientID, ClientSecret: a.Config.OIDCClientSecret,
			RedirectURL: public + login.SignOnCallback,
		})
	}
	return dashboard.New(config)
}

// newLimiter returns the limiter of requests and of log-ins: in memory, or shared by way of Redis.
func (a *App) newLimiter() (ratelimit.Limiter, error) {
	if a.Config.RedisURL == "" {
		return ratelimit.NewMemory(), nil
	}
	limiter, err := ratelimit.NewRedis(a.Config.RedisURL, slog.Default())
	if err != nil {
		return nil, fmt.Errorf("CARDVAULT_REDIS_URL: %w", err)
	}
	return limiter, nil
}

// handlers returns the server of v1.
func (a *App) handlers(s *Services) *v1.Server {
	return &v1.Server{
		Accounts: a.Accounts, Users: a.Users,
		Cards: a.Cards, Batches: a.Batches, Photos: a.Photos, PhotoURLs: a.photoURLs,
		Events: a.Events, Clock: a.Clock, Catalog: a.Catalog,
		Webhooks: a.Endpoints, Deliveries: a.Deliveries, DeliveryLog: webhooks.NewLog(a.DB, a.cursors),
		Limits:         a.Config.Limits().Or(ratelimit.Defaults),
		Identification: s.Identify, Listings: s.Listings, Pricing: s.Pricing, Sales: s.Sales,
		Imports: a.CSVFiles(), Exports: s.Exports,
		Jobs: s.Jobs, Usage: usage.NewLog(a.DB, a.Clock), Stock: stock.New(a.DB, a.Cards),
	}
}

// versions returns the API's versions; v1 announces its end once that is set.
func (a *App) versions(s *Services) ([]api.Version, error) {
	deprecation, sunset, err := a.Config.EndOfV1()
	if err != nil {
		return nil, err
	}
	public, err := a.Config.Public()
	if err != nil {
		return nil, err
	}
	first := v1.Version(a.handlers(s))
	first.Known = map[string][]string{"Marketplace": a.Markets.Names(), "SaleChannel": s.Sales.Channels()}
	first.Deprecation = api.Deprecation{
		Since: deprecation, Sunset: sunset, Guide: public + "/docs/versioning", Successor: public + "/api/v2",
	}
	return []api.Version{first, v2.Version()}, nil
}

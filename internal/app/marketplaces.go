package app

import (
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay"
	"github.com/cardvault/cardvault/internal/marketplaces/registry"
	"github.com/cardvault/cardvault/internal/marketplaces/sandbox"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// Marketplaces are the marketplaces that ship with CardVault.
var Marketplaces = []registry.Kind{
	ebay.Kind,
	sandbox.Kind,
}

// openMarketplaces opens the marketplaces.
func (a *App) openMarketplaces(kinds []registry.Kind) error {
	public, err := a.Config.Public()
	if err != nil {
		return err
	}
	a.Markets, err = registry.Open(kinds, registry.Installation{
		Config: a.Config, Public: public, DB: a.DB, Keys: a.keyring, Listings: listings.NewWaiting(a.reviser),
	})
	return err
}

// markets returns the marketplaces that are set up, as listings use them.
func (a *App) markets() map[string]listings.Market {
	markets := map[string]listings.Market{}
	for _, m := range a.Markets {
		if !m.Available() {
			continue
		}
		market := listings.Market{Limits: m.Limits, Seller: m.Seller}
		if m.Connector != nil {
			market.Connection = m.Connector
		}
		markets[m.Name] = market
	}
	return markets
}

const (
	// notificationClass is the class of marketplaces' notifications in the limiter.
	notificationClass ratelimit.Class = "notification"
	// notificationLimit is the number of notifications of one address in a minute.
	notificationLimit = 1200
)

// notifications returns a function that returns the handler of the notifications at a path, or nil if no marketplace
// sends notifications there.
func (a *App) notifications(s *Services, address func(*http.Request) netip.Addr) func(path string) http.Handler {
	allow := func(r *http.Request) (time.Duration, bool) {
		key := ratelimit.AddressKey(address(r))
		decision := a.Limiter.Take(r.Context(), key, notificationClass, notificationLimit)
		return decision.RetryAfter, decision.Allowed
	}
	service := registry.Notified{PollNow: s.Listings.PollNow, Allow: allow, Fail: api.WriteError}
	handlers := map[string]http.Handler{}
	for _, m := range a.Markets {
		var handler http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			api.WriteError(w, r, fault.NotFound(fault.RouteNotFound))
		})
		if m.Available() && m.Notifications != nil {
			handler = m.Notifications(service)
		}
		handlers[m.NotificationsPath()+"/"] = handler
	}
	return func(path string) http.Handler {
		for prefix, handler := range handlers {
			if strings.HasPrefix(path, prefix) {
				return handler
			}
		}
		return nil
	}
}

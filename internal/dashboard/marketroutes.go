package dashboard

import (
	"net/http"
	"time"

	"github.com/cardvault/cardvault/internal/dashboard/settings"
	"github.com/cardvault/cardvault/internal/marketplaces/registry"
)

// marketRoutes returns the routes of the account's connections to marketplaces.
func (d *Dashboard) marketRoutes() (routes []route) {
	s := d.settings
	for _, m := range d.Markets.Connectable() {
		path := settings.MarketPath(m)
		add := func(method, name string, limit time.Duration, handle settings.OnMarket) {
			routes = append(routes, route{method, path + name, owners, limit, s.IfAvailable(m, handle)})
		}
		add(post, "", settings.ConnectTime, s.ConfigureMarket)
		add(post, "/connect", settings.ConnectTime, s.ConnectMarket)
		add(get, "/callback", settings.ConnectTime, s.FinishMarket)
		if m.Connect.Page != "" {
			add(get, "/page", settings.ConnectTime, s.ShowMarketPage)
		}
		for _, action := range m.Connect.Actions {
			add(post, "/"+action.Name, settings.ConnectTime,
				func(w http.ResponseWriter, r *http.Request, m registry.Market) error {
					return s.ActOnMarket(w, r, m, action)
				})
		}
		add(post, "/disconnect", changeTime, s.DisconnectMarket)
		add(post, "/give-up", settings.ConnectTime, s.GiveUpMarket)
		routes = append(routes,
			route{get, path + "/disconnect", owners, noLimit, func(w http.ResponseWriter, r *http.Request) error {
				return s.ConfirmDisconnect(w, r, m)
			}},
			route{get, path + "/give-up", owners, changeTime, func(w http.ResponseWriter, r *http.Request) error {
				return s.ConfirmGiveUp(w, r, m)
			}})
	}
	return routes
}

package app

import (
	"net/http"
	"strings"

	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/portal"
)

// documents serves the paths outside the API: the portal under /docs, the list of its pages at /llms.txt, the
// contracts, marketplaces' notifications, and the dashboard.
func documents(dashboard http.Handler, notifications func(path string) http.Handler) http.Handler {
	contracts := api.Contracts()
	docs := portal.New(api.WriteError)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.Path; {
		case portal.Serves(path):
			docs.ServeHTTP(w, r)
		case strings.HasPrefix(path, "/openapi/"):
			contracts.ServeHTTP(w, r)
		case notifications(path) != nil:
			notifications(path).ServeHTTP(w, r)
		case !strings.HasPrefix(path, "/"): // requests of other protocols, such as CONNECT
			api.WriteError(w, r, fault.NotFound(fault.RouteNotFound))
		default:
			dashboard.ServeHTTP(w, r)
		}
	})
}

package app

import (
	"net/http"

	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/internal/portal"
)

// documents serves what is there to be read: the portal under /docs, to which the service's own address leads, the list
// of its pages at /llms.txt, and the contracts.
func documents() (http.Handler, error) {
	contracts, err := api.Contracts()
	if err != nil {
		return nil, err
	}
	docs := portal.New(api.WriteError)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.Path; {
		case portal.Serves(path):
			docs.ServeHTTP(w, r)
		case path == "/" && (r.Method == http.MethodGet || r.Method == http.MethodHead):
			http.Redirect(w, r, "/docs", http.StatusFound)
		default:
			contracts.ServeHTTP(w, r)
		}
	}), nil
}

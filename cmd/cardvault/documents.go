package main

import (
	"net/http"
	"strings"

	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/internal/portal"
)

// documents serves what is there to be read: the portal under /docs, and the contracts.
func documents() (http.Handler, error) {
	contracts, err := api.Contracts()
	if err != nil {
		return nil, err
	}
	docs := portal.New(api.WriteError)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/docs" || strings.HasPrefix(r.URL.Path, "/docs/") {
			docs.ServeHTTP(w, r)
			return
		}
		contracts.ServeHTTP(w, r)
	}), nil
}

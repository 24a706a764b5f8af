package dashboard

import (
	"context"
	"net/http"
	"time"
)

const (
	// pageTime is how long a page that only reads may take.
	pageTime = 15 * time.Second
	// changeTime is how long a form may take, and identifyTime one that waits for identification providers.
	changeTime   = 20 * time.Second
	identifyTime = 45 * time.Second
)

// within calls the handler with a deadline.
func within(limit time.Duration, next handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		ctx, cancel := context.WithTimeout(r.Context(), limit)
		defer cancel()
		return next(w, r.WithContext(ctx))
	}
}

package web

import (
	"context"
	"net/http"
	"time"
)

const (
	// PageTime is how long a page that only reads may take.
	PageTime = 15 * time.Second
	// ChangeTime is how long a form may take, and IdentifyTime one that waits for identification providers.
	ChangeTime   = 20 * time.Second
	IdentifyTime = 45 * time.Second
)

// Within calls the handler with a deadline.
func Within(limit time.Duration, next Handler) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		ctx, cancel := context.WithTimeout(r.Context(), limit)
		defer cancel()
		return next(w, r.WithContext(ctx))
	}
}

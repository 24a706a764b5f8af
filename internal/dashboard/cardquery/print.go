package cardquery

import (
	"net/http"

	"github.com/cardvault/cardvault/internal/dashboard/web"
)

// Printed is the handler of a page to print. For HEAD, it reads no cards: it checks the address only.
func Printed(next web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if r.Method != http.MethodHead {
			return next(w, r)
		}
		if _, err := SelectionToRead(r); err != nil {
			return err
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(http.StatusOK)
		return nil
	}
}

package lookup

import (
	"time"

	"github.com/cardvault/cardvault/internal/waiting"
)

// Wait says why something is not done yet, for the template "wait".
type Wait struct {
	Message string
	Since   time.Time
	Next    *time.Time // when the next attempt is; nil if it is due or under way
}

// NewWait returns nil if nothing waits.
func NewWait(w *waiting.Waiting, now time.Time) *Wait {
	if w == nil {
		return nil
	}
	shown := Wait{Message: w.Message(), Since: w.Since}
	if w.NextAttemptAt != nil && w.NextAttemptAt.After(now) {
		shown.Next = w.NextAttemptAt
	}
	return &shown
}

package developers

import (
	"context"

	"github.com/cardvault/cardvault/internal/ratelimit"
)

// windowUsage is how many requests of a class a token has sent in the window that runs now.
type windowUsage struct {
	Class       ratelimit.Class
	Used, Limit int
	Percent     float64 // of the limit
	Wait        int     // seconds until the next request is allowed; 0 if it is allowed now
}

// usageOf returns the usage of a token by class. It does not count as a request.
func (h *Handlers) usageOf(ctx context.Context, tokenID string, limits ratelimit.Limits) []windowUsage {
	classes := []ratelimit.Class{ratelimit.Read, ratelimit.Write, ratelimit.AI}
	all := make([]windowUsage, len(classes))
	for i, class := range classes {
		all[i] = newWindowUsage(class, h.Limiter.Peek(ctx, tokenID, class, limits.Of(class)))
	}
	return all
}

// newWindowUsage returns the usage before the request that the decision is about.
func newWindowUsage(class ratelimit.Class, next ratelimit.Decision) windowUsage {
	u := windowUsage{Class: class, Used: next.Limit, Limit: next.Limit, Wait: int(next.RetryAfter.Seconds())}
	if next.Allowed {
		u.Used = next.Limit - next.Remaining - 1
	}
	u.Percent = 100 * float64(u.Used) / float64(max(u.Limit, 1))
	return u
}

package listings

import (
	"math/rand/v2"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/queue"
)

// waitAfter is how long to wait before what failed with err is tried again: longer with every attempt,
// and at least as long as the marketplace asks.
func waitAfter(claim queue.Claim, err error) time.Duration {
	wait := backoff(claim.Attempts)
	if e, ok := fault.As(err); ok {
		wait = max(wait, e.RetryAfter)
	}
	return spread(wait)
}

// The pauses between tries: 5 s, doubled with every one, at most 10 min.
const (
	firstWait   = 5 * time.Second
	longestWait = 10 * time.Minute
)

// backoff returns the pause after so many tries, from 1.
func backoff(attempts int) time.Duration {
	wait := firstWait
	for range attempts - 1 {
		if wait *= 2; wait >= longestWait {
			return longestWait
		}
	}
	return wait
}

// spread lengthens a pause by up to a tenth, so that what failed together is not tried together.
func spread(wait time.Duration) time.Duration {
	return wait + rand.N(wait/10+1)
}

package listings

import (
	"math/rand/v2"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/queue"
)

// retryDelay returns the delay before the next attempt after err. It grows with every attempt and is
// at least what the marketplace requested. Without a connection it is the longest, because connecting the
// account makes the work due.
func retryDelay(claim queue.Claim, err error) time.Duration {
	if _, broken := marketplaces.AsConnectionError(err); broken {
		return withJitter(longestWait)
	}
	wait := backoff(claim.Attempts)
	if e, ok := fault.As(err); ok {
		wait = max(wait, e.RetryAfter)
	}
	return withJitter(wait)
}

// The delay between attempts starts at 5 s and doubles up to 10 min.
const (
	firstWait   = 5 * time.Second
	longestWait = 10 * time.Minute
)

// backoff returns the delay after the given number of attempts, from 1.
func backoff(attempts int) time.Duration {
	wait := firstWait
	for range attempts - 1 {
		if wait *= 2; wait >= longestWait {
			return longestWait
		}
	}
	return wait
}

// withJitter lengthens a delay by up to a tenth, so that calls that failed together are not retried together.
func withJitter(wait time.Duration) time.Duration {
	return wait + rand.N(wait/10+1)
}

package api

import (
	"context"
	"net/http"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/keyed"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// defaultReads is the number of concurrent reads of one account if Config.Reads is 0.
const defaultReads = 6

// readWait is how long a read waits for another read of its account to finish. It holds no connection meanwhile.
const readWait = 3 * time.Second

// readLimiter limits the concurrent reads of each account, so that the slow reads of one account, such as searches, do
// not occupy all database connections.
type readLimiter struct {
	running *keyed.Semaphore // by account
	limit   int
}

func newReadLimiter(limit int) readLimiter {
	if limit == 0 {
		limit = defaultReads
	}
	return readLimiter{keyed.NewSemaphore(keyed.Unlimited, int64(limit)), limit}
}

// limitReads runs a read when its account has fewer than the maximum running. It comes directly before the handlers, so
// that only reads that use the database count, and after handlerContext, so that the wait is part of the read's time.
func (l readLimiter) limitReads(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		state := stateOf(r.Context())
		if state.call.operation.class != ratelimit.Read {
			next.ServeHTTP(w, r)
			return
		}
		held, err := l.acquire(r.Context(), state.caller.AccountID)
		if err != nil {
			WriteError(w, r, err)
			return
		}
		defer held.Release()
		next.ServeHTTP(w, r)
	})
}

// acquire waits until the account may run another read.
func (l readLimiter) acquire(ctx context.Context, accountID string) (keyed.Held, error) {
	if held, ok := l.running.TryAcquire(accountID, 1); ok {
		return held, nil
	}
	waiting, cancel := context.WithTimeout(ctx, readWait)
	defer cancel()
	held, err := l.running.Acquire(waiting, accountID, 1)
	if err != nil && ctx.Err() == nil {
		err = fault.New(fault.RateLimited,
			"%d reads of your account are running, and none ended in %d seconds. Send fewer at the same time.",
			l.limit, seconds(readWait)).WithRetryAfter(time.Second)
	}
	return held, err
}

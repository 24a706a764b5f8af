package api

import (
	"context"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/keyed"
)

// defaultReads is how many reads of one account run at a time unless Config says otherwise.
const defaultReads = 6

// readWait is how long a read waits for another of its account to end. It holds no connection meanwhile.
const readWait = 3 * time.Second

// readLimit bounds the reads of one account that run at a time: slow ones, such as many searches, must
// not hold all connections to the database.
type readLimit struct {
	running *keyed.Semaphore
	limit   int
}

func newReadLimit(limit int) readLimit {
	if limit == 0 {
		limit = defaultReads
	}
	return readLimit{keyed.NewSemaphore(keyed.Unlimited, int64(limit)), limit}
}

// acquire waits until the account may have one more read running.
func (l readLimit) acquire(ctx context.Context, accountID string) (keyed.Held, error) {
	if held, ok := l.running.TryAcquire(accountID, 1); ok {
		return held, nil
	}
	waiting, cancel := context.WithTimeout(ctx, readWait)
	defer cancel()
	held, err := l.running.Acquire(waiting, accountID, 1)
	if err != nil && ctx.Err() == nil {
		err = fault.New(fault.RateLimited, "%d reads of your account are running, and none ended in %d seconds. Send fewer at the same time.",
			l.limit, seconds(readWait)).WithRetryAfter(time.Second)
	}
	return held, err
}

package jobs

import (
	"context"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/worker"
)

const (
	// jobsAtOnce is the number of jobs that a process works on concurrently, one per account.
	jobsAtOnce = 2
	// turnTime is how long a job is worked on before it is released, so that other jobs get a turn and the process can
	// stop.
	turnTime = 2 * time.Second
	// lease is much longer than a turn. A second worker would be harmless: each card is changed once.
	lease = time.Minute
	// retryDelay is the delay after the first failure. It grows with each further one, up to maxRetryDelay.
	retryDelay    = 5 * time.Second
	maxRetryDelay = 5 * time.Minute
)

// The limits of a transaction, which holds the account's clock while other writers wait.
const (
	firstCards  = 50
	maxCards    = chunkSize
	maxHoldTime = 100 * time.Millisecond
)

// Background works on the jobs of all accounts, and deletes finished jobs after Retention.
func (s *Service) Background() worker.Loop {
	runner := &queue.Runner{
		Queue: s.work, DB: s.db, Parallel: jobsAtOnce, Lease: lease, Handle: s.handle,
		Backoff: func(c queue.Claim, _ error) time.Duration {
			return min(time.Duration(c.Attempts)*retryDelay, maxRetryDelay)
		},
	}
	return worker.Group{
		runner.Loop("job"), worker.NewPeriodic("finished jobs", sweepInterval, s.sweep),
		worker.NewPeriodic("edits of finished jobs", editsInterval, s.sweepEdits),
	}
}

// handle works on a claimed job for one turn. After failures it begins with fewer cards.
func (s *Service) handle(ctx context.Context, c queue.Claim) error {
	begun := time.Now()
	for size := cardCount(max(firstCards>>min(c.Attempts-1, 8), 1)); time.Since(begun) < turnTime; {
		finished, lockTime, err := s.advance(ctx, c.AccountID, c.Key, int(size))
		if err != nil || finished {
			return err
		}
		size = size.after(lockTime)
	}
	_, err := s.work.Repeat(ctx, s.db, c, 0)
	s.work.Wake()
	return err
}

// cardCount is the number of cards of one transaction.
type cardCount int

// after returns the next number, given how long the last transaction held the account's clock.
func (n cardCount) after(took time.Duration) cardCount {
	switch {
	case took > maxHoldTime:
		return max(n/2, 1)
	case took < maxHoldTime/2:
		return min(2*n, maxCards)
	}
	return n
}

// advance collects the next cards of the job's filter or, once they are known, changes the next cards. It returns how
// long it held the account's clock.
func (s *Service) advance(
	ctx context.Context, accountID, jobID string, size int,
) (finished bool, lockTime time.Duration, err error) {
	p, err := find(ctx, s.db, accountID, jobID)
	switch {
	case fault.Is(err, fault.JobNotFound) || err == nil && p.Status.Finished():
		return true, 0, s.work.Drop(ctx, s.db, accountID, jobID)
	case err != nil:
		return false, 0, err
	case p.Filter != nil:
		return false, 0, s.collect(ctx, &p)
	}
	estimates, err := s.estimate(ctx, &p, size)
	if err != nil {
		return false, 0, err
	}
	var begun time.Time
	err = s.clock.Write(ctx, s.db, accountID, func(tx *postgres.Tx, stamp clock.Stamp) error {
		begun = time.Now()
		finished, err = s.change(ctx, tx, stamp, jobID, size, estimates)
		return err
	})
	return finished, time.Since(begun), err
}

// change changes the next cards of a job and its counters. It changes nothing if the estimates are not of these cards,
// because another worker was faster.
func (s *Service) change(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, jobID string, size int, estimates *estimates,
) (finished bool, err error) {
	p, err := find(ctx, tx, stamp.AccountID, jobID)
	if err != nil || p.Status.Finished() {
		return true, err
	}
	if estimates != nil && estimates.after != p.Done+p.Refused {
		return false, nil
	}
	next, err := take(ctx, tx, &p.Job, size)
	if err != nil {
		return false, err
	}
	if len(next.cardIDs) > 0 {
		done, err := s.apply(ctx, tx, stamp, &p, next, estimates)
		if err != nil {
			return false, err
		}
		if err := insertEdits(tx, &p, done.edits); err != nil {
			return false, err
		}
		if err := insertRefusals(ctx, tx, stamp, &p.Job, next.cardIDs, done.outcomes); err != nil {
			return false, err
		}
		p.count(done.outcomes)
		p.Unchanged += done.same
	} else if p.Undoes != nil {
		p.Total = p.Done + p.Refused // the edits that are left have expired
	}
	p.Status, p.UpdatedAt = Running, stamp.At
	if finished = p.Done+p.Refused == p.Total; finished {
		p.finish(Done, stamp.At)
	}
	if finished && p.Kind == Restore && p.Refused > 0 { // the refused cards can come back once their obstacles are gone
		if err := setUndoneBy(ctx, tx, &Job{AccountID: p.AccountID, ID: *p.Undoes}, nil, stamp.At); err != nil {
			return false, err
		}
	}
	return finished, s.store(ctx, tx, &p)
}

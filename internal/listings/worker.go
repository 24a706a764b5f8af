package listings

import (
	"context"
	"time"

	"github.com/cardvault/cardvault/internal/concurrency"
	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/worker"
)

const (
	// lease is how long a claim is valid. The work of a crashed worker is claimed again after it.
	lease = 2 * time.Minute
	// callTime limits marketplace calls under one claim, counted from the claim. It leaves a quarter of
	// the lease to store the result.
	callTime = lease * 3 / 4
	// parallel is the number of listings, or groups of listings, for which a worker makes marketplace calls at once,
	// for each queue.
	parallel = 16
	// pollInterval is the longest time between two polls of a queue.
	pollInterval = time.Second
)

// Worker calls the marketplaces: it publishes and ends listings and detects when they are sold or ended.
// Any number of workers in any number of processes can share a database.
type Worker struct {
	*Service
	loops        worker.Group
	requests     *worker.Periodic
	salesReports *worker.Periodic
	uploads      *concurrency.Semaphore // of the pictures of a group, by account
}

// NewWorker returns a stopped worker. Work that s stores wakes it.
func NewWorker(s *Service) *Worker {
	w := &Worker{Service: s, uploads: concurrency.NewSemaphore(uploadingAccounts, 1)}
	requests := w.runner(s.work, w.handleOne, w.handleBackoff)
	requests.Groups = &queue.Groups{Size: maxGroup, Split: w.split, Handle: w.handle}
	w.requests = requests.Loop("listing")
	w.salesReports = w.runner(s.polls, w.handlePoll, w.pollBackoff).Loop("sales poll")
	w.loops = worker.Group{w.requests, w.salesReports}
	return w
}

func (w *Worker) runner(
	q *queue.Queue, handle func(context.Context, queue.Claim) error, backoff func(queue.Claim, error) time.Duration,
) *queue.Runner {
	return &queue.Runner{
		Queue: q, DB: w.db, Parallel: parallel, Lease: lease,
		PollInterval: min(pollInterval, w.cfg.PollInterval, w.cfg.StatusInterval),
		Handle:       handle, Backoff: backoff, Reason: waitReason,
	}
}

// Start implements worker.Loop.
func (w *Worker) Start(ctx context.Context) error { return w.loops.Start(ctx) }

// Stop implements worker.Loop.
func (w *Worker) Stop(ctx context.Context) error { return w.loops.Stop(ctx) }

// Wake makes the worker poll its queues now.
func (w *Worker) Wake() {
	w.requests.Wake()
	w.salesReports.Wake()
}

// job is a claim with the deadline for the marketplace calls made under it.
type job struct {
	queue.Claim
	callBy time.Time
}

// newJob must be called as soon as the claim is made, because it starts the clock for the deadline.
func newJob(claim queue.Claim) job { return job{claim, time.Now().Add(callTime)} }

package listings

import (
	"context"
	"time"

	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/worker"
)

const (
	// lease is how long a claim holds; what a crashed worker had comes back after it.
	lease = 2 * time.Minute
	// callTime bounds what is asked of a marketplace under one claim, counted from the claim. It
	// leaves a quarter of the lease for writing the result down.
	callTime = lease * 3 / 4
	// sideBySide is how many questions a worker has open at once.
	sideBySide = 16
	// pollInterval is the longest time between two polls of a queue.
	pollInterval = time.Second
)

// Worker talks to the marketplaces: it publishes, ends, and learns of sales and endings. Any
// number of workers, in any number of processes, may run on one database.
type Worker struct {
	*Service
	loops        worker.Group
	requests     *worker.Periodic
	salesReports *worker.Periodic
}

// NewWorker returns a stopped worker that wakes when s writes down work.
func NewWorker(s *Service) *Worker {
	w := &Worker{Service: s}
	w.requests = w.runner(s.work, w.serve, w.serveAgain).Loop("listing")
	w.salesReports = w.runner(s.polls, w.poll, w.pollAgain).Loop("sales poll")
	w.loops = worker.Group{w.requests, w.salesReports}
	return w
}

func (w *Worker) runner(q *queue.Queue, handle func(context.Context, queue.Claim) error, backoff func(queue.Claim, error) time.Duration) *queue.Runner {
	return &queue.Runner{
		Queue: q, DB: w.db, Parallel: sideBySide, Lease: lease, PollInterval: min(pollInterval, w.cfg.PollEvery, w.cfg.StatusEvery),
		Handle: handle, Backoff: backoff,
	}
}

// Start implements worker.Loop.
func (w *Worker) Start(ctx context.Context) error { return w.loops.Start(ctx) }

// Stop implements worker.Loop.
func (w *Worker) Stop(ctx context.Context) error { return w.loops.Stop(ctx) }

// Wake has the worker look for work that is due soon.
func (w *Worker) Wake() {
	w.requests.Wake()
	w.salesReports.Wake()
}

// job is a claim and the time by which calls to a marketplace under it must be over.
type job struct {
	queue.Claim
	callBy time.Time
}

// newJob is called as soon as the claim is made.
func newJob(claim queue.Claim) job { return job{claim, time.Now().Add(callTime)} }

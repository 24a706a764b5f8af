package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/worker"
)

// agesEvery is how often the ages are measured: each time costs a look into the index for every
// account with work.
const agesEvery = 10 * time.Second

// Ages measures how far queues are behind. It has a loop of its own, so that it also tells of one
// whose workers hang. Register it to have its figures.
type Ages struct {
	*prometheus.GaugeVec
	db     *postgres.DB
	queues []*Queue
}

// NewAges returns the measure of these queues.
func NewAges(db *postgres.DB, queues ...*Queue) *Ages {
	gauge := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "cardvault_queue_oldest_due_seconds", Help: "For how long the oldest work in the queue that nobody has begun has been due."},
		[]string{"queue"})
	return &Ages{GaugeVec: gauge, db: db, queues: queues}
}

// Loop returns the background part that keeps the figures up to date.
func (a *Ages) Loop() worker.Loop {
	return worker.NewPeriodic("queue ages", agesEvery, func(ctx context.Context) (bool, error) { return false, a.measure(ctx) })
}

// measure leaves out no queue for another one's error.
func (a *Ages) measure(ctx context.Context) error {
	errs := make([]error, len(a.queues))
	for i, q := range a.queues {
		age, err := q.oldestDue(ctx, a.db.Planned())
		if err != nil {
			errs[i] = err
			continue
		}
		a.WithLabelValues(q.table).Set(age.Seconds())
	}
	return errors.Join(errs...)
}

// oldestDue returns for how long the row that is longest due has been; 0 if none is.
func (q *Queue) oldestDue(ctx context.Context, db postgres.Querier) (time.Duration, error) {
	now := q.clock.Time()
	var due sql.NullTime
	if err := db.Get(ctx, &due, q.oldest, now); err != nil {
		return 0, fmt.Errorf("queue.oldestDue: %w", err)
	}
	if !due.Valid {
		return 0, nil
	}
	return now.Sub(due.Time), nil
}

package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/worker"
)

const (
	// lagEvery is how often the lag is measured.
	lagEvery = 10 * time.Second
	// lagTimeout bounds the measurement of one queue.
	lagTimeout = 5 * time.Second
	// lagAccounts bounds the accounts that a measurement reads. Those that wait longest for their turn come first.
	lagAccounts = 1000
)

// LagCollector measures how far queues are behind. It has a loop of its own, so that it also reports a
// queue whose workers hang. Register it to export its figures.
type LagCollector struct {
	*prometheus.GaugeVec
	db     *postgres.DB
	queues []*Queue
}

// NewLagCollector returns the collector of these queues.
func NewLagCollector(db *postgres.DB, queues ...*Queue) *LagCollector {
	gauge := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "cardvault_queue_oldest_due_seconds",
		Help: "For how long the oldest work in the queue that nobody has begun has been due.",
	}, []string{"queue"})
	return &LagCollector{GaugeVec: gauge, db: db, queues: queues}
}

// Loop returns the background part that keeps the figures up to date.
func (l *LagCollector) Loop() worker.Loop {
	return worker.NewPeriodic("queue lag", lagEvery, func(ctx context.Context) (more bool, err error) {
		return false, l.measure(ctx)
	})
}

// measure measures every queue, also when one of them fails.
func (l *LagCollector) measure(ctx context.Context) error {
	errs := make([]error, len(l.queues))
	for i, q := range l.queues {
		lag, err := q.lag(ctx, l.db)
		if err != nil {
			errs[i] = err
			continue
		}
		l.WithLabelValues(q.table).Set(lag)
	}
	return errors.Join(errs...)
}

// lag returns for how many seconds the oldest due row has been due; 0 if none is.
func (q *Queue) lag(ctx context.Context, db *postgres.DB) (seconds float64, err error) {
	ctx, cancel := context.WithTimeout(ctx, lagTimeout)
	defer cancel()
	if err := db.Unprepared().Get(ctx, &seconds, q.sql.lag, lagAccounts); err != nil {
		return 0, fmt.Errorf("queue.lag: %w", err)
	}
	return seconds, nil
}

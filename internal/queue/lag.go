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
	// lagEvery is the time between two measurements.
	lagEvery = 10 * time.Second
	// lagTimeout limits the measurement of one queue.
	lagTimeout = 5 * time.Second
	// lagAccounts is the largest number of accounts that a measurement reads, starting with the longest waiting.
	lagAccounts = 1000
)

// LagCollector measures how long due work waits in queues. It has a loop of its own, so that it also
// reports a queue whose workers hang. Register it with Prometheus to export the metric.
type LagCollector struct {
	*prometheus.GaugeVec
	db     *postgres.DB
	queues []*Queue
}

// NewLagCollector returns the collector for queues.
func NewLagCollector(db *postgres.DB, queues ...*Queue) *LagCollector {
	gauge := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "cardvault_queue_oldest_due_seconds",
		Help: "How long the oldest due job of the queue has been waiting for a worker.",
	}, []string{"queue"})
	return &LagCollector{GaugeVec: gauge, db: db, queues: queues}
}

// Loop returns the background loop that updates the metric.
func (l *LagCollector) Loop() worker.Loop {
	return worker.NewPeriodic("queue lag", lagEvery, func(ctx context.Context) (more bool, err error) {
		return false, l.measure(ctx)
	})
}

// measure measures every queue, even if one fails.
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

// lag returns how many seconds the oldest due row has been due, or 0 if none is due.
func (q *Queue) lag(ctx context.Context, db *postgres.DB) (seconds float64, err error) {
	ctx, cancel := context.WithTimeout(ctx, lagTimeout)
	defer cancel()
	if err := db.Unprepared().Get(ctx, &seconds, q.sql.lag, lagAccounts); err != nil {
		return 0, fmt.Errorf("measure lag: %w", err)
	}
	return seconds, nil
}

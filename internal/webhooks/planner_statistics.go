package webhooks

import (
	"context"
	"database/sql"
	"log/slog"
	"sync"
	"time"
)

// Claims and polls are planned each time, because a plan made while the table was all but empty has
// PostgreSQL walk all of the account's rows once a burst has filled it (measured: 0.5 s at 100,000 rows,
// 0.1 ms after). A claim that takes slowStatement nevertheless was probably planned with statistics of
// that time. Autovacuum renews them within a minute; statistics, at most every statisticsEvery.
const (
	slowStatement   = 50 * time.Millisecond
	analyzeInterval = 15 * time.Second
)

// statistics has the planner look at the table again after a slow statement.
type plannerStatistics struct {
	db *sql.DB

	mu   sync.Mutex
	last time.Time
}

// observe takes the time that a statement on deliveries_pending took.
func (s *plannerStatistics) observe(ctx context.Context, duration time.Duration) {
	if duration < slowStatement {
		return
	}
	s.mu.Lock()
	due := time.Since(s.last) >= analyzeInterval
	if due {
		s.last = time.Now()
	}
	s.mu.Unlock()
	if !due {
		return
	}
	if err := s.refresh(ctx); err != nil {
		slog.DebugContext(ctx, "the statistics of waiting deliveries were not refreshed", "error", err)
	}
}

// refresh does not wait for autovacuum, which would then give up, and which refreshes them itself.
func (s *plannerStatistics) refresh(ctx context.Context) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing once committed
	for _, statement := range []string{"SET LOCAL lock_timeout = '100ms'", "ANALYZE deliveries_pending"} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return tx.Commit()
}

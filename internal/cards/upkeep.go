package cards

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/partitions"
	"github.com/cardvault/cardvault/internal/worker"
)

// How long clients can read the history of a card and its deletion.
const (
	HistoryRetention  = 2 * 366 * 24 * time.Hour
	DeletionRetention = 90 * 24 * time.Hour
)

const (
	// Partitions are created so many periods ahead, in case no process runs over a long weekend.
	partitionsAhead = 4
	upkeepInterval  = time.Hour
)

var (
	historyTable   = partitions.Table{Name: "card_history", Key: "at", Period: partitions.Month}
	deletionsTable = partitions.Table{Name: "card_deletions", Key: "deleted_at"}
)

// Prepare creates the partitions that updates write to. It must run after migrations and before cards are written. Rows
// without a partition go to the default partition, and the next call moves them.
func Prepare(ctx context.Context, db *postgres.DB, c clock.Clock) error {
	if err := partitions.Prepare(ctx, db, c.Time(), partitionsAhead, historyTable, deletionsTable); err != nil {
		return fmt.Errorf("prepare partitions: %w", err)
	}
	return nil
}

// NewUpkeep returns the loop that creates partitions ahead of time, builds the indexes that older ones lack, and drops
// those whose retention is over. Several processes can run it.
func NewUpkeep(db *postgres.DB, c clock.Clock) *worker.Periodic {
	return worker.NewPeriodic("card upkeep", upkeepInterval, func(ctx context.Context) (bool, error) {
		now := c.Time()
		return false, errors.Join(
			Prepare(ctx, db, c),
			historyTable.BuildIndexes(ctx, db),
			historyTable.DropBefore(ctx, db, now.Add(-HistoryRetention)),
			deletionsTable.DropBefore(ctx, db, now.Add(-DeletionRetention)),
		)
	})
}

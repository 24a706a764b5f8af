// Package partitions makes and drops the day partitions of tables that keep their rows for a number
// of days. It never deletes rows from a day: whole days are dropped, which costs the same however
// many rows they hold.
//
// A table must be partitioned by range over a timestamptz and have a default partition named
// <table>_default, which takes the rows of days that have no partition yet.
package partitions

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"github.com/cardvault/cardvault/internal/postgres"
)

// Table is a partitioned table.
type Table struct {
	Name string
	Key  string // the column it is partitioned by
}

// day is the length of a partition, in UTC.
const day = 24 * time.Hour

// lockTimeout bounds how long a statement may wait for the table: all others wait behind it.
const lockTimeout = "SET LOCAL lock_timeout = '1s'"

// ErrInUse says that a transaction that lasts, such as a backup's, kept the table from being changed.
var ErrInUse = errors.New("the table is in use by a long transaction")

// Make makes the partitions of the days from today's to ahead days after it. Those that exist are
// left alone, and so is a day that the default partition has rows of already: they stay there.
// It gives up at the first day it is kept from by ErrInUse. Several processes may call it at once.
func (t Table) Make(ctx context.Context, db *postgres.DB, now time.Time, ahead int) error {
	existing, err := t.days(ctx, db)
	if err != nil {
		return fmt.Errorf("partitions.Make: %w", err)
	}
	today := now.UTC().Truncate(day)
	for i := range ahead + 1 {
		from := today.Add(time.Duration(i) * day)
		if existing[t.partition(from)] {
			continue
		}
		if err := t.makeDay(ctx, db, from); err != nil {
			return fmt.Errorf("partitions.Make: %w", err)
		}
	}
	return nil
}

// DropBefore drops the partitions of days that ended at or before the time given, and deletes rows
// that are older from the default partition. It gives up at the first one it is kept from by ErrInUse.
func (t Table) DropBefore(ctx context.Context, db *postgres.DB, before time.Time) error {
	existing, err := t.days(ctx, db)
	if err != nil {
		return fmt.Errorf("partitions.DropBefore: %w", err)
	}
	last := t.partition(before.UTC().Truncate(day)) // names sort by time
	for name := range existing {
		if name >= last {
			continue
		}
		if err := execute(ctx, db, "DROP TABLE IF EXISTS "+pq.QuoteIdentifier(name)); err != nil {
			return fmt.Errorf("partitions.DropBefore: %w", err)
		}
	}
	_, err = db.Exec(ctx, fmt.Sprintf("DELETE FROM %s_default WHERE %s < $1", t.Name, t.Key), before)
	if err != nil {
		return fmt.Errorf("partitions.DropBefore: %w", err)
	}
	return nil
}

func (t Table) partition(from time.Time) string { return t.Name + "_" + from.Format("20060102") }

// days returns the names of the day partitions.
func (t Table) days(ctx context.Context, db *postgres.DB) (map[string]bool, error) {
	var names []string
	err := db.Select(ctx, &names, `
		SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
		WHERE i.inhparent = $1::regclass`, t.Name)
	if err != nil {
		return nil, err
	}
	form := regexp.MustCompile("^" + regexp.QuoteMeta(t.Name) + `_\d{8}$`)
	existing := map[string]bool{}
	for _, name := range names {
		if form.MatchString(name) {
			existing[name] = true
		}
	}
	return existing, nil
}

func (t Table) makeDay(ctx context.Context, db *postgres.DB, from time.Time) error {
	const layout = "2006-01-02T15:04:05Z"
	err := execute(ctx, db, fmt.Sprintf("CREATE TABLE IF NOT EXISTS %s PARTITION OF %s FOR VALUES FROM ('%s') TO ('%s')",
		t.partition(from), t.Name, from.Format(layout), from.Add(day).Format(layout)))
	var refused *pq.Error
	if errors.As(err, &refused) && (refused.Code == pqerror.CheckViolation || refused.Code == pqerror.UniqueViolation || refused.Code == pqerror.DuplicateTable) {
		return nil // rows of that day are in the default partition, or another process was quicker
	}
	return err
}

// execute runs a change of the schema in a transaction that does not wait long for its locks: the
// error is ErrInUse if it would have to.
func execute(ctx context.Context, db *postgres.DB, statement string) error {
	err := inTx(ctx, db, lockTimeout, statement)
	var refused *pq.Error
	if errors.As(err, &refused) && refused.Code == pqerror.LockNotAvailable {
		return fmt.Errorf("%w: %w", ErrInUse, err)
	}
	return err
}

// inTx runs statements that are not worth a prepared one, so they go to the pool directly.
func inTx(ctx context.Context, db *postgres.DB, statements ...string) error {
	tx, err := db.SQL().BeginTx(ctx, &sql.TxOptions{})
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing once committed
	for _, text := range statements {
		if _, err := tx.ExecContext(ctx, text); err != nil {
			return err
		}
	}
	return tx.Commit()
}

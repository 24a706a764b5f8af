// Package partitions makes and drops the day partitions of tables that keep their rows for a number
// of days. It never deletes rows from a day: whole days are dropped, which costs the same however
// many rows they hold.
//
// A table must be partitioned by range over a timestamptz and have a default partition named
// <table>_default, which takes the rows of days that have no partition yet: of the distant future, if a clock
// was wrong, and of days that no process was there to make. Make moves them to their days, so that the default
// partition stays all but empty: rows in it keep their day's partition from being made, and are read
// whenever another one is.
package partitions

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
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

// The longest that one change of the schema, with the rows that it moves, and one other statement may take. Who calls
// often has no time limit, and a connection may have gone silent.
const (
	changeTimeout    = 5 * time.Minute
	statementTimeout = time.Minute
)

// ErrInUse says that a transaction that lasts, such as a backup's, kept the table from being changed.
var ErrInUse = errors.New("the table is in use by a long transaction")

// moveDays bounds how many days' rows one call of Make moves out of the default partition.
const moveDays = 16

// Make makes the partitions of the days from today's to ahead days after it, and those of other days that the
// default partition has rows of. Those that exist are left alone. It gives up at the first day it is kept from
// by ErrInUse. Several processes may call it at once.
func (t Table) Make(ctx context.Context, db *postgres.DB, now time.Time, ahead int) error {
	existing, err := t.days(ctx, db)
	if err != nil {
		return fmt.Errorf("partitions.Make: %w", err)
	}
	days := make([]time.Time, 0, ahead+1)
	for i := range ahead + 1 {
		days = append(days, now.UTC().Truncate(day).Add(time.Duration(i)*day))
	}
	astray, err := t.daysInDefault(ctx, db)
	if err != nil {
		return fmt.Errorf("partitions.Make: %w", err)
	}
	for _, from := range append(days, astray...) {
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
	if err := t.deleteBefore(ctx, db, before); err != nil {
		return fmt.Errorf("partitions.DropBefore: %w", err)
	}
	return nil
}

func (t Table) partition(from time.Time) string { return t.Name + "_" + from.Format("20060102") }

// days returns the names of the day partitions.
func (t Table) days(ctx context.Context, db *postgres.DB) (map[string]bool, error) {
	ctx, cancel := context.WithTimeout(ctx, statementTimeout)
	defer cancel()
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

// makeDay makes the partition of one day, with the rows that the default partition has of it.
func (t Table) makeDay(ctx context.Context, db *postgres.DB, from time.Time) error {
	err := execute(ctx, db, fmt.Sprintf("CREATE TABLE IF NOT EXISTS %s PARTITION OF %s FOR VALUES FROM ('%s') TO ('%s')",
		t.partition(from), t.Name, from.Format(layout), from.Add(day).Format(layout)))
	if refusedWith(err, pqerror.CheckViolation) { // the default partition has rows of that day
		err = t.moveDay(ctx, db, from)
	}
	if refusedWith(err, pqerror.UniqueViolation, pqerror.DuplicateTable) {
		return nil // another process was quicker
	}
	return err
}

// layout is a time as the bounds of a partition have it.
const layout = "2006-01-02T15:04:05Z"

// refusedWith reports whether PostgreSQL refused a statement with one of these codes.
func refusedWith(err error, codes ...pqerror.Code) bool {
	var refused *pq.Error
	return errors.As(err, &refused) && slices.Contains(codes, refused.Code)
}

// execute runs changes of the schema in a transaction that does not wait long for its locks: the
// error is ErrInUse if it would have to.
func execute(ctx context.Context, db *postgres.DB, statements ...string) error {
	ctx, cancel := context.WithTimeout(ctx, changeTimeout)
	defer cancel()
	err := inTx(ctx, db, append([]string{lockTimeout}, statements...)...)
	if refusedWith(err, pqerror.LockNotAvailable) {
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

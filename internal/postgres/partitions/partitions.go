// Package partitions creates and drops the day partitions of tables that keep their rows for a number of
// days. Dropping a day costs the same however many rows it has; deleting its rows does not.
//
// A table must be partitioned by range of a timestamptz column and have a default partition named
// <table>_default. The default partition takes rows of days that have no partition: days in the far
// future, if a clock was wrong, and days on which no process ran. Make moves these rows to partitions of
// their own. The default partition should be almost empty, because PostgreSQL reads all of it whenever a
// partition is created, and refuses to create the partition of a day that has rows in it.
//
// The usual alternative, pg_partman, is an extension that each database would have to install.
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
	Key  string // the column that the table is partitioned by
}

// day is the length of a partition, in UTC.
const day = 24 * time.Hour

// lockTimeout limits how long a statement waits for the table, because all later statements queue behind it.
const lockTimeout = "SET LOCAL lock_timeout = '1s'"

// Time limits of one schema change, including the rows that it moves, and of one other statement. Callers often have
// no deadline, and a connection may become silent.
const (
	changeTimeout    = 5 * time.Minute
	statementTimeout = time.Minute
)

// ErrInUse means that a long transaction, such as a backup, prevented a change of the table.
var ErrInUse = errors.New("the table is in use by a long transaction")

// moveDays is the largest number of days whose rows one call of Make moves out of the default partition.
const moveDays = 16

// Make creates the missing partitions of today, of the next ahead days, and of other days that have rows in the
// default partition. It stops at the first day that fails, for example with ErrInUse. Several processes may call it
// at a time.
func (t Table) Make(ctx context.Context, db *postgres.DB, now time.Time, ahead int) error {
	existing, err := t.days(ctx, db)
	if err != nil {
		return fmt.Errorf("partitions.Make: %w", err)
	}
	days := make([]time.Time, 0, ahead+1)
	for i := range ahead + 1 {
		days = append(days, now.UTC().Truncate(day).Add(time.Duration(i)*day))
	}
	misplaced, err := t.daysInDefault(ctx, db)
	if err != nil {
		return fmt.Errorf("partitions.Make: %w", err)
	}
	for _, from := range append(days, misplaced...) {
		if existing[t.partition(from)] {
			continue
		}
		if err := t.makeDay(ctx, db, from); err != nil {
			return fmt.Errorf("partitions.Make: %w", err)
		}
	}
	return nil
}

// DropBefore drops the partitions of days that ended at or before the given time, and deletes older rows
// from the default partition. It stops at the first partition that fails, for example with ErrInUse.
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

// makeDay creates the partition of one day, with the day's rows in the default partition.
func (t Table) makeDay(ctx context.Context, db *postgres.DB, from time.Time) error {
	create := fmt.Sprintf("CREATE TABLE IF NOT EXISTS %s PARTITION OF %s FOR VALUES FROM ('%s') TO ('%s')",
		t.partition(from), t.Name, from.Format(layout), from.Add(day).Format(layout))
	err := execute(ctx, db, create)
	if hasCode(err, pqerror.CheckViolation) { // the day has rows in the default partition
		err = t.moveDay(ctx, db, from)
	}
	if hasCode(err, pqerror.UniqueViolation, pqerror.DuplicateTable) {
		return nil // another process created it first
	}
	return err
}

// layout is the format of a partition's bounds.
const layout = "2006-01-02T15:04:05Z"

// hasCode reports whether err is an error of PostgreSQL with one of the codes.
func hasCode(err error, codes ...pqerror.Code) bool {
	var pgErr *pq.Error
	return errors.As(err, &pgErr) && slices.Contains(codes, pgErr.Code)
}

// execute runs schema changes in one transaction. It returns ErrInUse if the transaction would wait longer
// than lockTimeout for a lock.
func execute(ctx context.Context, db *postgres.DB, statements ...string) error {
	ctx, cancel := context.WithTimeout(ctx, changeTimeout)
	defer cancel()
	err := inTx(ctx, db, append([]string{lockTimeout}, statements...)...)
	if hasCode(err, pqerror.LockNotAvailable) {
		return fmt.Errorf("%w: %w", ErrInUse, err)
	}
	return err
}

// inTx runs statements in a transaction of the pool, so that they are not prepared.
func inTx(ctx context.Context, db *postgres.DB, statements ...string) error {
	tx, err := db.SQL().BeginTx(ctx, &sql.TxOptions{})
	if err != nil {
		return err
	}
	defer tx.Rollback() // has no effect after the commit
	for _, text := range statements {
		if _, err := tx.ExecContext(ctx, text); err != nil {
			return err
		}
	}
	return tx.Commit()
}

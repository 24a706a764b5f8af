// Package partitions creates and drops the partitions of tables that keep their rows for a time. A partition holds a
// day or a month. Dropping one costs the same however many rows it has; deleting its rows does not.
//
// A table must be partitioned by range of a timestamptz column and have a default partition named <table>_default. The
// default partition takes rows of periods that have no partition: periods in the far future, if a clock was wrong, and
// periods in which no process ran. Make moves these rows to partitions of their own. The default partition should be
// almost empty, because PostgreSQL reads all of it whenever a partition is created, and refuses to create the partition
// of a period that has rows in it.
//
// The usual alternative, pg_partman, is an extension that each database would have to install.
package partitions

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"time"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"github.com/cardvault/cardvault/internal/postgres"
)

// Table is a partitioned table.
type Table struct {
	Name   string
	Key    string // the column that the table is partitioned by
	Period Period // of one partition; the default is Day
}

// Period is the period of a partition, in UTC.
type Period int

// The periods.
const (
	Day Period = iota
	Month
)

// start returns the beginning of the period that contains t.
func (p Period) start(t time.Time) time.Time {
	year, month, day := t.UTC().Date()
	if p == Month {
		day = 1
	}
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// next returns the beginning of the period after the one that starts at start.
func (p Period) next(start time.Time) time.Time {
	if p == Month {
		return start.AddDate(0, 1, 0)
	}
	return start.AddDate(0, 0, 1)
}

// unit is the period's name in PostgreSQL's date_trunc.
func (p Period) unit() string {
	if p == Month {
		return "month"
	}
	return "day"
}

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

// maxMoved is the largest number of periods whose rows one call of Make moves out of the default partition.
const maxMoved = 16

// Make creates the missing partitions of the current period, of the next ahead periods, and of others that have rows in
// the default partition. It stops at the first one that fails, for example with ErrInUse. Several processes may call it
// at a time.
func (t Table) Make(ctx context.Context, db *postgres.DB, now time.Time, ahead int) error {
	existing, err := t.partitions(ctx, db)
	if err != nil {
		return fmt.Errorf("create partitions: %w", err)
	}
	starts := []time.Time{t.Period.start(now)}
	for range ahead {
		starts = append(starts, t.Period.next(starts[len(starts)-1]))
	}
	periods, err := t.periodsInDefault(ctx, db)
	if err != nil {
		return fmt.Errorf("create partitions: %w", err)
	}
	for _, from := range append(starts, periods...) {
		if existing[t.partition(from)] {
			continue
		}
		if err := t.makePartition(ctx, db, from); err != nil {
			return fmt.Errorf("create partitions: %w", err)
		}
	}
	return nil
}

// Prepare calls Make for each table. A table in use by a long transaction, such as a backup, is logged as a warning and
// is not an error, because the default partition takes its rows and a service must be able to start.
func Prepare(ctx context.Context, db *postgres.DB, now time.Time, ahead int, tables ...Table) error {
	for _, t := range tables {
		err := t.Make(ctx, db, now, ahead)
		switch {
		case errors.Is(err, ErrInUse):
			slog.WarnContext(ctx, "creating a partition failed, retrying later", "table", t.Name, "error", err)
		case err != nil:
			return err
		}
	}
	return nil
}

// DropBefore drops the partitions of periods that ended at or before the given time, and deletes older rows
// from the default partition. It stops at the first partition that fails, for example with ErrInUse.
func (t Table) DropBefore(ctx context.Context, db *postgres.DB, before time.Time) error {
	existing, err := t.partitions(ctx, db)
	if err != nil {
		return fmt.Errorf("drop partitions: %w", err)
	}
	last := t.partition(t.Period.start(before)) // names sort by time
	for name := range existing {
		if name >= last {
			continue
		}
		if err := execute(ctx, db, "DROP TABLE IF EXISTS "+pq.QuoteIdentifier(name)); err != nil {
			return fmt.Errorf("drop partitions: %w", err)
		}
	}
	if err := t.deleteBefore(ctx, db, before); err != nil {
		return fmt.Errorf("drop partitions: %w", err)
	}
	return nil
}

func (t Table) partition(from time.Time) string { return t.Name + "_" + from.Format("20060102") }

// partitions returns the names of the partitions except the default one.
func (t Table) partitions(ctx context.Context, db *postgres.DB) (map[string]bool, error) {
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

// makePartition creates the partition of one period, with the period's rows in the default partition.
func (t Table) makePartition(ctx context.Context, db *postgres.DB, from time.Time) error {
	create := fmt.Sprintf("CREATE TABLE IF NOT EXISTS %s PARTITION OF %s FOR VALUES FROM ('%s') TO ('%s')",
		t.partition(from), t.Name, from.Format(layout), t.Period.next(from).Format(layout))
	err := execute(ctx, db, create)
	if hasCode(err, pqerror.CheckViolation) { // the period has rows in the default partition
		err = t.movePeriod(ctx, db, from)
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

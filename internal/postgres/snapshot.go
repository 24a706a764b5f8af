package postgres

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/cardvault/cardvault/internal/tracing"
)

// orderedSnapshot makes all statements of a snapshot see one state of the database, and makes PostgreSQL read rows in
// the order of an index. Otherwise PostgreSQL reads and sorts all rows of an account that it believes to be small. Its
// statistics are late when an account grows, so a bounded scan of 10,000 rows would become a scan of a million.
// Prepared statements are planned once for all values, because the plan must not depend on them. JIT is off because the
// estimated cost of disabled plans is so high that PostgreSQL would compile the statement, which takes longer than
// running it.
const orderedSnapshot = `
	SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;
	SET LOCAL enable_sort = off; SET LOCAL enable_incremental_sort = off; SET LOCAL enable_seqscan = off;
	SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL jit = off`

// Snapshot is a read-only transaction for scans whose cost must not depend on PostgreSQL's estimates.
type Snapshot struct{ session }

// Snapshot runs fn in a Snapshot.
func (db *DB) Snapshot(ctx context.Context, fn func(*Snapshot) error) error {
	_, span := tracing.Child(ctx, trace.SpanKindClient, "snapshot", attribute.String("db.system.name", "postgresql"))
	defer span.End()
	err := db.snapshot(ctx, fn)
	span.Fail(tracing.Class(err))
	return err
}

func (db *DB) snapshot(ctx context.Context, fn func(*Snapshot) error) error {
	raw, release, err := db.begin(ctx)
	if err != nil {
		return mapError(ctx, err)
	}
	defer release()
	defer raw.Rollback() // there is nothing to commit
	if _, err := raw.ExecContext(ctx, orderedSnapshot); err != nil {
		return mapError(ctx, err)
	}
	tx := &Tx{tx: raw, db: db}
	tx.session = session{direct: raw, prepared: tx.prepared}
	if err := fn(&Snapshot{tx.session}); err != nil {
		return err
	}
	raw.Rollback()
	db.prepareMissing(ctx, tx.missing)
	return nil
}

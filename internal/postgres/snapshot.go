package postgres

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/cardvault/cardvault/internal/tracing"
)

// How a snapshot reads: its statements see one state of the database, and rows come in an index's order or, if no index
// has it, at the price of a sort that PostgreSQL takes for prohibitive. Left to choose, it reads and sorts all rows of
// an account that it takes for small, and it learns late that one has grown: a bounded scan of 10,000 rows would
// become one of a million. What is so dear in its eyes it would also compile, which takes longer than to run it.
const orderedSnapshot = `
	SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;
	SET LOCAL enable_sort = off; SET LOCAL enable_incremental_sort = off;
	SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL jit = off`

// inverted turns orderedSnapshot for a statement that an inverted index answers: only bitmap scans read those.
const inverted = `
	SET LOCAL enable_bitmapscan = on; SET LOCAL enable_indexscan = off; SET LOCAL enable_indexonlyscan = off`

const ordered = `
	SET LOCAL enable_bitmapscan = off; SET LOCAL enable_indexscan = on; SET LOCAL enable_indexonlyscan = on`

// Snapshot is a read-only transaction for scans whose cost must not depend on what PostgreSQL estimates.
type Snapshot struct {
	session
	tx *Tx
}

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
	defer raw.Rollback() // nothing was written
	if _, err := raw.ExecContext(ctx, orderedSnapshot); err != nil {
		return mapError(ctx, err)
	}
	tx := &Tx{tx: raw, db: db}
	tx.session = session{direct: raw, prepared: tx.prepared}
	if err := fn(&Snapshot{tx.session, tx}); err != nil {
		return err
	}
	raw.Rollback()
	db.prepareLacking(ctx, tx.lacking)
	return nil
}

// Inverted runs fn, whose statements are to read inverted indexes.
func (s *Snapshot) Inverted(ctx context.Context, fn func(Querier) error) error {
	if _, err := s.tx.tx.ExecContext(ctx, inverted); err != nil {
		return mapError(ctx, err)
	}
	if err := fn(s); err != nil {
		return err
	}
	_, err := s.tx.tx.ExecContext(ctx, ordered)
	return mapError(ctx, err)
}

package partitions

import (
	"context"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
)

// batchBlocks is the number of blocks of the default partition that one statement deletes from: 1 MiB, or a few
// thousand rows. Going through the blocks in order reads each block once, however many rows were deleted.
const batchBlocks = 128

// periodsInDefault returns the earliest periods that have rows in the default partition, up to maxMoved.
func (t Table) periodsInDefault(ctx context.Context, db *postgres.DB) ([]time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, statementTimeout)
	defer cancel()
	var starts []time.Time
	err := db.Select(ctx, &starts, fmt.Sprintf(`
		SELECT DISTINCT date_trunc('%[3]s', %[2]s AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' AS start
		FROM %[1]s_default ORDER BY start LIMIT $1`, t.Name, t.Key, t.Period.unit()), maxMoved)
	for i, start := range starts {
		starts[i] = start.UTC()
	}
	return starts, err
}

// movePeriod creates the partition of a period that has rows in the default partition, and moves these rows, in one
// transaction, so that readers always see every row. It moves most rows without blocking writers. Then it locks the
// default partition against writers, moves the rows that arrived since, and attaches the partition. The lock timeout of
// execute applies to all these locks.
func (t Table) movePeriod(ctx context.Context, db *postgres.DB, from time.Time) error {
	move := fmt.Sprintf(`
		WITH moved AS (DELETE FROM %[1]s_default WHERE %[2]s >= '%[3]s' AND %[2]s < '%[4]s' RETURNING *)
		INSERT INTO %[5]s SELECT * FROM moved`,
		t.Name, t.Key, from.Format(layout), t.Period.next(from).Format(layout), t.partition(from))
	create := fmt.Sprintf("CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES)",
		t.partition(from), t.Name)
	return execute(ctx, db,
		create,
		move,
		fmt.Sprintf("LOCK TABLE %s_default IN SHARE ROW EXCLUSIVE MODE", t.Name),
		move,
		fmt.Sprintf("ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM ('%s') TO ('%s')",
			t.Name, t.partition(from), from.Format(layout), t.Period.next(from).Format(layout)))
}

// deleteBefore deletes the rows before a time from the default partition, in batches.
func (t Table) deleteBefore(ctx context.Context, db *postgres.DB, before time.Time) error {
	var blocks int64
	err := db.Get(ctx, &blocks, `SELECT pg_relation_size($1::regclass) / current_setting('block_size')::bigint`,
		t.Name+"_default")
	for block := int64(0); err == nil && block < blocks; block += batchBlocks {
		err = t.deleteBlocks(ctx, db, before, block, block+batchBlocks)
	}
	return err
}

// deleteBlocks is deleteBefore for the blocks from first to last, without last.
func (t Table) deleteBlocks(ctx context.Context, db *postgres.DB, before time.Time, first, last int64) error {
	ctx, cancel := context.WithTimeout(ctx, statementTimeout)
	defer cancel()
	_, err := db.Exec(ctx, fmt.Sprintf(`
		DELETE FROM %s_default WHERE %s < $1 AND ctid >= $2::text::tid AND ctid < $3::text::tid`, t.Name, t.Key),
		before, fmt.Sprintf("(%d,0)", first), fmt.Sprintf("(%d,0)", last))
	return err
}

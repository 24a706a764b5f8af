package partitions

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
)

// indexTime limits the building of one index: it reads a whole partition, and waits for long transactions.
const indexTime = 6 * time.Hour

// indexLock is the advisory lock of the process that builds indexes.
const indexLock = 4861230917

// missingIndex is an index of the table that a partition lacks.
type missingIndex struct {
	Index      string `db:"index"`
	Definition string `db:"definition"`
	Partition  string `db:"partition"`
}

// BuildIndexes gives existing partitions the indexes that a migration created ON ONLY the table. New partitions have
// them from the start. Writers are not blocked, which PostgreSQL cannot do for all partitions in one statement, and
// which a migration cannot do because it does not know the names of the partitions. Several processes may call it at a
// time: one works.
func (t Table) BuildIndexes(ctx context.Context, db *postgres.DB) error {
	missing, err := t.missingIndexes(ctx, db)
	if err != nil || len(missing) == 0 {
		return err
	}
	conn, err := db.SQL().Conn(ctx)
	if err != nil {
		return fmt.Errorf("build indexes: %w", err)
	}
	defer conn.Close()
	var locked bool
	err = conn.QueryRowContext(ctx, `SELECT pg_try_advisory_lock($1)`, indexLock).Scan(&locked)
	if err != nil || !locked {
		return err
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock($1)`, indexLock)
	if missing, err = t.missingIndexes(ctx, db); err != nil { // another process may have built some
		return err
	}
	for _, m := range missing {
		if err := m.build(ctx, db, conn, t.Name); err != nil {
			return fmt.Errorf("build index %s: %w", m.Partition, err)
		}
	}
	return nil
}

// missingIndexes returns the partitions that lack an index of the table.
func (t Table) missingIndexes(ctx context.Context, db *postgres.DB) (missing []missingIndex, err error) {
	ctx, cancel := context.WithTimeout(ctx, statementTimeout)
	defer cancel()
	err = db.Select(ctx, &missing, `
		SELECT i.relname AS index, pg_get_indexdef(x.indexrelid) AS definition, p.relname AS partition
		FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
		JOIN pg_inherits h ON h.inhparent = x.indrelid JOIN pg_class p ON p.oid = h.inhrelid
		WHERE x.indrelid = $1::regclass AND NOT x.indisvalid AND NOT EXISTS (
			SELECT FROM pg_inherits hi JOIN pg_index xi ON xi.indexrelid = hi.inhrelid
			WHERE hi.inhparent = x.indexrelid AND xi.indrelid = p.oid)
		ORDER BY p.relname DESC, i.relname`, t.Name) // the newest first
	if err != nil {
		return nil, fmt.Errorf("list missing indexes: %w", err)
	}
	return missing, nil
}

// build builds the index and attaches it to the table's index. If an earlier attempt left an invalid index, build
// replaces it.
func (m missingIndex) build(ctx context.Context, db *postgres.DB, conn *sql.Conn, table string) error {
	building, cancel := context.WithTimeout(ctx, indexTime)
	defer cancel()
	name := pq.QuoteIdentifier(m.Partition + strings.TrimPrefix(m.Index, table))
	var valid bool
	err := conn.QueryRowContext(building, `
		SELECT coalesce(bool_or(indisvalid), false) FROM pg_index
		WHERE indexrelid = to_regclass($1)`, name).Scan(&valid)
	if err != nil {
		return err
	}
	if !valid {
		_, columns, _ := strings.Cut(m.Definition, " USING ")
		for _, statement := range []string{
			"DROP INDEX CONCURRENTLY IF EXISTS " + name,
			"CREATE INDEX CONCURRENTLY " + name + " ON " + pq.QuoteIdentifier(m.Partition) + " USING " + columns,
		} {
			if _, err := conn.ExecContext(building, statement); err != nil {
				return err
			}
		}
	}
	return execute(ctx, db, "ALTER INDEX "+pq.QuoteIdentifier(m.Index)+" ATTACH PARTITION "+name)
}

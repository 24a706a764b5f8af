package deletion

import (
	"context"
	"fmt"
	"time"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
)

const (
	// batchSize is the number of rows that a statement deletes. A statement takes milliseconds, and blocks no other
	// account.
	batchSize = 2000
	// statementTimeout limits a statement.
	statementTimeout = 20 * time.Second
)

// clear deletes the rows and the files of an account until a time. It returns how many, and whether none is left.
func (s *Service) clear(
	ctx context.Context, accountID string, until time.Time,
) (count int64, finished bool, err error) {
	tables, err := s.tables(ctx)
	if err != nil {
		return 0, false, err
	}
	for _, table := range tables {
		for batch := int64(batchSize); batch == batchSize; count += batch {
			if time.Now().After(until) {
				return count, false, nil
			}
			if batch, err = s.deleteBatch(ctx, table, accountID); err != nil {
				return count, false, err
			}
		}
	}
	for {
		if time.Now().After(until) {
			return count, false, nil
		}
		files, err := s.files.DeleteSome(ctx, accountID)
		if err != nil || files == 0 {
			return count, err == nil, err
		}
		count += int64(files)
	}
}

// tables returns the tables that have rows of accounts, as expressions of SQL. Of a partitioned table it returns the
// partitions, because rows are found by their places in them. It leaves out the tables of the deletion itself.
func (s *Service) tables(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, statementTimeout)
	defer cancel()
	var tables []string
	err := s.db.Select(ctx, &tables, `
		SELECT format('%I', c.relname) FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
		WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
			AND a.attname = 'account_id' AND NOT a.attisdropped AND c.relname NOT IN ($1, 'queue_accounts')
		ORDER BY c.relname`, workTable)
	if err != nil {
		return nil, fmt.Errorf("list tables: %w", err)
	}
	return tables, nil
}

// deleteBatch deletes some of the account's rows of a table. A partition may have been dropped in the meantime.
func (s *Service) deleteBatch(ctx context.Context, table, accountID string) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, statementTimeout)
	defer cancel()
	result, err := s.db.Unprepared().Exec(ctx, `
		DELETE FROM `+table+` WHERE account_id = $1 AND ctid = ANY(ARRAY(
			SELECT ctid FROM `+table+` WHERE account_id = $1 LIMIT $2))`, accountID, batchSize)
	if pq.As(err, pqerror.UndefinedTable) != nil {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("delete rows of %s: %w", table, err)
	}
	return result.RowsAffected()
}

package usage

import (
	"context"
	"fmt"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
)

const (
	// maxBatch is the largest number of tokens that one statement stores. It takes milliseconds.
	maxBatch = 1000
	// storeTimeout limits a statement.
	storeTimeout = 5 * time.Second
)

// batchLength returns how many tokens the next statement stores. Unless accounts may share a transaction, a statement
// stores tokens of one account only.
func batchLength(list []counted, shared bool) int {
	n := min(len(list), maxBatch)
	for i := 1; i < n && !shared; i++ {
		if list[i].accountID != list[0].accountID {
			return i
		}
	}
	return n
}

// addToHour adds counts to the current hour by the database's clock. It drops counts of an account that is being
// deleted, because they would stay behind. list is ordered, so that processes lock rows in the same order.
func addToHour(ctx context.Context, db *postgres.DB, list []counted) error {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	var hour time.Time
	if err := db.Get(ctx, &hour, `SELECT date_trunc('hour', now(), 'UTC')`); err != nil {
		return fmt.Errorf("store counts: %w", err)
	}
	return addTo(ctx, db, hour, list)
}

func addTo(ctx context.Context, db *postgres.DB, hour time.Time, list []counted) error {
	var accounts, tokens pq.StringArray
	var columns [6]pq.Int64Array
	for _, one := range list {
		accounts, tokens = append(accounts, one.accountID), append(tokens, one.tokenID)
		for i, n := range []int64{
			one.Read.Requests, one.Write.Requests, one.AI.Requests,
			one.Read.Refused, one.Write.Refused, one.AI.Refused,
		} {
			columns[i] = append(columns[i], n)
		}
	}
	_, err := db.Exec(ctx, `
		INSERT INTO request_usage AS u
			(account_id, hour, token_id, reads, writes, ai, reads_refused, writes_refused, ai_refused)
		SELECT n.account_id, $1, n.token_id, n.reads, n.writes, n.ai, n.reads_refused, n.writes_refused, n.ai_refused
		FROM unnest($2::text[], $3::text[],
				$4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[])
			AS n (account_id, token_id, reads, writes, ai, reads_refused, writes_refused, ai_refused)
		JOIN accounts a ON a.id = n.account_id AND a.closed_at IS NULL
		ORDER BY n.account_id COLLATE "C", n.token_id COLLATE "C"
		ON CONFLICT (account_id, hour, token_id) DO UPDATE SET
			reads = u.reads + excluded.reads, reads_refused = u.reads_refused + excluded.reads_refused,
			writes = u.writes + excluded.writes, writes_refused = u.writes_refused + excluded.writes_refused,
			ai = u.ai + excluded.ai, ai_refused = u.ai_refused + excluded.ai_refused`,
		hour, accounts, tokens, columns[0], columns[1], columns[2], columns[3], columns[4], columns[5])
	if err != nil {
		return fmt.Errorf("store counts: %w", err)
	}
	return nil
}

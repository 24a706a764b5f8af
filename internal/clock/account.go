package clock

import (
	"context"
	"fmt"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/quota"
)

// CountedAll is the last card that is counted of an account whose cards are all counted. It is after all identifiers.
const CountedAll = "~"

// row is a locked row of account_clock.
type row struct {
	Stamp
	quota.Usage
	CountedTo string `db:"counted_to"`
	Quotas    string `db:"quotas"`
}

// account holds an account's use and quotas, with the changes of a transaction.
type account struct {
	usage     quota.Usage
	countedTo string
	quotas    quota.Limits
}

// stamp keeps the row's values for the transaction and returns the stamp of the write.
func (c Clock) stamp(tx *postgres.Tx, r row) (Stamp, error) {
	own, err := quota.Parse(r.Quotas)
	if err != nil {
		return Stamp{}, fmt.Errorf("account %s: %w", r.AccountID, err)
	}
	l := lineOf(tx, r.AccountID)
	l.reserved = r.At
	l.account = account{usage: r.Usage, countedTo: r.CountedTo, quotas: own.Or(c.Quotas)}
	s := r.Stamp
	s.At = s.At.Add(time.Microsecond - room) // the clock has the last time of the room of the write
	return s, nil
}

// Quotas returns the quotas of the account.
func (s Stamp) Quotas(tx *postgres.Tx) quota.Limits { return lineOf(tx, s.AccountID).account.quotas }

// Check returns quota_exceeded if adding more would exceed a quota that every change counts. Cards that are not counted
// yet do not count.
func (s Stamp) Check(tx *postgres.Tx, more quota.Usage) error {
	a := &lineOf(tx, s.AccountID).account
	return a.quotas.CheckUsage(a.usage, more)
}

// Counted reports whether a change of the card is to be counted. It is not while the account's cards are still being
// counted and the card has its turn later.
func Counted(tx *postgres.Tx, accountID, cardID string) bool {
	return cardID <= CountedTo(tx, accountID)
}

// Count adds to the account's use of its quotas, with the transaction's deferred statements.
func Count(tx *postgres.Tx, accountID string, more quota.Usage) {
	if more == (quota.Usage{}) {
		return
	}
	a := &lineOf(tx, accountID).account
	a.usage = a.usage.Plus(more)
	advance(tx, accountID, nil, more)
}

// advance advances the account's clock to the times and adds to its counters.
func advance(tx *postgres.Tx, accountID string, times pq.StringArray, more quota.Usage) {
	tx.DeferRows(`
		UPDATE account_clock SET
			last_at = greatest(last_at, (SELECT max(at) FROM unnest($2::timestamptz[]) AS at)),
			cards = cards + (SELECT coalesce(sum(n), 0)::bigint FROM unnest($3::bigint[]) AS n),
			card_bytes = card_bytes + (SELECT coalesce(sum(n), 0)::bigint FROM unnest($4::bigint[]) AS n),
			photos = photos + (SELECT coalesce(sum(n), 0)::bigint FROM unnest($5::bigint[]) AS n),
			photo_bytes = photo_bytes + (SELECT coalesce(sum(n), 0)::bigint FROM unnest($6::bigint[]) AS n)
		WHERE account_id = $1`, accountID, times, pq.Int64Array{more.Cards}, pq.Int64Array{more.CardBytes},
		pq.Int64Array{more.Photos}, pq.Int64Array{more.PhotoBytes})
}

// CountTo counts the account's cards up to cardID, which were not counted before.
func (s Stamp) CountTo(ctx context.Context, tx *postgres.Tx, cardID string, more quota.Usage) error {
	_, err := tx.Exec(ctx, `
		UPDATE account_clock SET counted_to = $2, cards = cards + $3, card_bytes = card_bytes + $4,
			photos = photos + $5, photo_bytes = photo_bytes + $6
		WHERE account_id = $1`, s.AccountID, cardID, more.Cards, more.CardBytes, more.Photos, more.PhotoBytes)
	if err != nil {
		return fmt.Errorf("count cards: %w", err)
	}
	return nil
}

// CountedTo returns the last card of the account that is counted, or CountedAll.
func CountedTo(tx *postgres.Tx, accountID string) string {
	return lineOf(tx, accountID).account.countedTo
}

// Package queuetest simulates the passing of time for queues. Due times are the database's, whose clock a
// test cannot set. Only tests import it.
package queuetest

import (
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
)

// tables are the tables of the queues.
var tables = []string{"photo_fetches", "identifications", "fingerprint_work", "listing_work", "marketplace_polls"}

// Pass makes every row of every queue due earlier by d, as if d had passed.
func Pass(t testing.TB, db *postgres.DB, d time.Duration) {
	t.Helper()
	err := db.InTx(t.Context(), func(tx *postgres.Tx) error {
		for _, table := range tables {
			sooner := `UPDATE ` + table + ` SET due_at = due_at - $1 * interval '1 microsecond'`
			if _, err := tx.Exec(t.Context(), sooner, d.Microseconds()); err != nil {
				return err
			}
		}
		_, err := tx.Exec(t.Context(), `
			UPDATE queue_accounts SET due_at = due_at - $1 * interval '1 microsecond',
				turn_at = turn_at - $1 * interval '1 microsecond', changes = changes + 1`, d.Microseconds())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Retry makes the rows of a queue's table due that failed at least attempts times.
func Retry(t testing.TB, db *postgres.DB, table string, attempts int) {
	t.Helper()
	_, err := db.Exec(t.Context(), `
		WITH due AS (
			UPDATE `+table+` SET due_at = now() WHERE attempts >= $1 AND claim_id IS NULL AND due_at > now()
			RETURNING account_id)
		UPDATE queue_accounts SET due_at = now(), turn_at = least(turn_at, now()), changes = changes + 1
		WHERE queue = $2 AND account_id IN (SELECT account_id FROM due)`, attempts, table)
	if err != nil {
		t.Fatal(err)
	}
}

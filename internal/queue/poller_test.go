package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/queue/queuetest"
)

func identifications() *Queue { return New("identifications", "card_id") }

func enqueue(t testing.TB, db *postgres.DB, q *Queue, account string, keys ...string) {
	t.Helper()
	err := db.InTx(t.Context(), func(tx *postgres.Tx) error { return q.Enqueue(t.Context(), tx, account, keys...) })
	if err != nil {
		t.Fatal(err)
	}
}

// due returns the accounts that a fresh poll finds.
func due(t testing.TB, db *postgres.DB, q *Queue) []string {
	t.Helper()
	accounts, err := (&poller{queue: q}).poll(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return accounts
}

func claim(t testing.TB, db *postgres.DB, q *Queue, account string, limit int) []Claim {
	t.Helper()
	claims, err := q.Claim(t.Context(), db, account, limit, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return claims
}

// fill has accounts with one row each wait until due from now.
func fill(t testing.TB, db *postgres.DB, accounts int, due time.Duration) {
	t.Helper()
	for _, statement := range []string{
		`INSERT INTO identifications (account_id, card_id, due_at)
			SELECT 'acc_' || n, 'card_' || n, now() + $2 * interval '1 microsecond' FROM generate_series(1, $1::int) AS n`,
		`INSERT INTO queue_accounts (account_id, queue, due_at, turn_at)
			SELECT 'acc_' || n, 'identifications', now() + $2 * interval '1 microsecond', now() + $2 * interval '1 microsecond'
			FROM generate_series(1, $1::int) AS n`,
	} {
		if _, err := db.Exec(t.Context(), statement, accounts, due.Microseconds()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.Exec(t.Context(), `ANALYZE identifications, queue_accounts`); err != nil {
		t.Fatal(err)
	}
}

// fewPages is what an index probe reads at most: the pages from its root to a leaf, and a few rows.
const fewPages = 12

// With nothing due a poll reads the same few pages for any number of accounts; so does the lag.
func TestPoller_CostIsIndependentOfAccounts(t *testing.T) {
	t.Parallel()
	for _, accounts := range []int{10, 100_000} {
		t.Run(fmt.Sprint(accounts), func(t *testing.T) {
			t.Parallel()
			db, q := pgtest.New(t), identifications()
			fill(t, db, accounts, time.Hour)
			poll := pgtest.PagesRead(t, db, q.sql.dueAccounts, time.Time{}, maxDueAccounts)
			lag := pgtest.PagesRead(t, db, q.sql.lag, lagAccounts)
			t.Logf("%d accounts: a poll reads %d pages, the lag %d", accounts, poll, lag)
			if poll > fewPages || lag > fewPages {
				t.Errorf("a poll reads %d pages and the lag %d of %d accounts with nothing due; want at most %d", poll, lag, accounts, fewPages)
			}
		})
	}
}

// holdSnapshot opens a snapshot as a backup does, until it is released.
func holdSnapshot(t testing.TB, db *postgres.DB) (release func()) {
	t.Helper()
	backup, err := db.SQL().BeginTx(t.Context(), &sql.TxOptions{Isolation: sql.LevelRepeatableRead})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := backup.Exec(`SELECT count(*) FROM queue_accounts`); err != nil {
		t.Fatal(err)
	}
	return func() { backup.Rollback() }
}

// While a snapshot is open, the index keeps the entries of all marks that have moved on.
func TestPoller_SkipsMarksKeptForALongSnapshot(t *testing.T) {
	t.Parallel()
	db, q, ctx := pgtest.New(t), identifications(), t.Context()
	fill(t, db, 20_000, -time.Hour)
	defer holdSnapshot(t, db)()
	if _, err := db.Exec(ctx, `UPDATE queue_accounts SET due_at = now() + interval '1 hour', turn_at = now() + interval '1 hour'`); err != nil {
		t.Fatal(err)
	}
	p := poller{queue: q}
	if accounts, err := p.poll(ctx, db); err != nil || len(accounts) != 0 {
		t.Fatalf("poll = %v, %v", accounts, err)
	}
	full, next := pgtest.PagesRead(t, db, q.sql.dueAccounts, time.Time{}, maxDueAccounts), pgtest.PagesRead(t, db, q.sql.dueAccounts, p.since, maxDueAccounts)
	t.Logf("a full poll reads %d pages, the next one %d", full, next)
	if next > fewPages || full < 10*fewPages {
		t.Errorf("the poll after a full one reads %d pages, the full one %d; want at most %d after one of many", next, full, fewPages)
	}
	enqueue(t, db, q, "acc_new", "card_a")
	if accounts, err := p.poll(ctx, db); err != nil || !slices.Equal(accounts, []string{"acc_new"}) {
		t.Errorf("poll = %v, %v; want the account that has work now", accounts, err)
	}
}

func TestPoller_AccountsWithMoreGoBehindTheOthers(t *testing.T) {
	t.Parallel()
	db, q := pgtest.New(t), identifications()
	keys := make([]string, 1000)
	for i := range keys {
		keys[i] = fmt.Sprintf("card_%03d", i)
	}
	enqueue(t, db, q, "acc_many", keys...)
	enqueue(t, db, q, "acc_one", "card_a")
	enqueue(t, db, q, "acc_two", "card_a", "card_b")
	turn := func(want ...string) {
		t.Helper()
		accounts := due(t, db, q)
		if !slices.Equal(accounts, want) {
			t.Fatalf("due accounts %v, want %v", accounts, want)
		}
		if claims := claim(t, db, q, accounts[0], 1); len(claims) != 1 {
			t.Fatalf("claimed %v", claims)
		}
	}
	turn("acc_many", "acc_one", "acc_two")
	turn("acc_one", "acc_two", "acc_many")
	turn("acc_two", "acc_many")
	turn("acc_many", "acc_two")
	turn("acc_two", "acc_many")
	turn("acc_many")
	queuetest.Pass(t, db, time.Minute) // the leases have expired
	if accounts := due(t, db, q); len(accounts) != 3 {
		t.Errorf("due accounts %v once the leases have expired, want all three", accounts)
	}
}

// While a snapshot is open, the index keeps the entries of all rows that were finished.
func TestClaim_SkipsRowsKeptForALongSnapshot(t *testing.T) {
	t.Parallel()
	db, q, ctx := pgtest.New(t), identifications(), t.Context()
	keys := make([]string, 10_000)
	for i := range keys {
		keys[i] = fmt.Sprintf("card_%d", i)
	}
	enqueue(t, db, q, "acc_a", keys...)
	defer holdSnapshot(t, db)()
	for range 9 {
		if claims := claim(t, db, q, "acc_a", 1000); len(claims) != 1000 {
			t.Fatalf("claimed %d", len(claims))
		}
		if _, err := db.Exec(ctx, `DELETE FROM identifications WHERE account_id = 'acc_a' AND claim_id IS NOT NULL`); err != nil {
			t.Fatal(err)
		}
	}
	pages := pgtest.PagesRead(t, db, q.sql.claim, "acc_a", 4, time.Minute.Microseconds(), "clm_a")
	t.Logf("a claim of 4 reads %d pages", pages)
	if pages > 8*fewPages {
		t.Errorf("a claim of 4 rows reads %d pages after 9,000 were finished, want at most %d", pages, 8*fewPages)
	}
}

// An account whose rows are all finished needs no more turns.
func TestPoller_ForgetsAccountsWithoutRows(t *testing.T) {
	t.Parallel()
	db, q := pgtest.New(t), identifications()
	enqueue(t, db, q, "acc_a", "card_a")
	for _, c := range claim(t, db, q, "acc_a", 1) {
		if held, err := q.Finish(t.Context(), db, c); err != nil || !held {
			t.Fatal(held, err)
		}
	}
	queuetest.Pass(t, db, time.Minute)
	if got := due(t, db, q); !slices.Equal(got, []string{"acc_a"}) {
		t.Fatalf("due accounts %v, want the one whose lease would expire now", got)
	}
	claim(t, db, q, "acc_a", 1)
	var marks int
	if err := db.Get(t.Context(), &marks, `SELECT count(*) FROM queue_accounts`); err != nil || marks != 0 {
		t.Errorf("%d marks are left, %v", marks, err)
	}
}

// Rows are enqueued while a claim of the account runs: neither waits for the other, and the mark stays
// where the new rows are found.
func TestClaim_DoesNotWaitForAnEnqueue(t *testing.T) {
	t.Parallel()
	db, q, ctx := pgtest.New(t), identifications(), t.Context()
	enqueue(t, db, q, "acc_a", "card_a")
	err := db.InTx(ctx, func(tx *postgres.Tx) error {
		if err := q.Enqueue(ctx, tx, "acc_a", "card_b"); err != nil {
			return err
		}
		soon, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		claims, err := q.Claim(soon, db, "acc_a", 10, time.Hour)
		if err != nil || len(claims) != 1 || claims[0].Key != "card_a" {
			return fmt.Errorf("claimed %v, %w", claims, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := due(t, db, q); !slices.Equal(got, []string{"acc_a"}) {
		t.Fatalf("due accounts %v after the commit", got)
	}
	if claims := claim(t, db, q, "acc_a", 10); len(claims) != 1 || claims[0].Key != "card_b" {
		t.Errorf("claimed %v, want the row that was enqueued meanwhile", claims)
	}
}

// Many enqueue, claim, retry and finish the rows of one account at once: no snapshot shows a row that is
// due before the account's mark.
func TestClaim_NeverMovesTheMarkPastARow(t *testing.T) {
	t.Parallel()
	db, q, ctx := pgtest.New(t), identifications(), t.Context()
	work := func(n int) error {
		key := fmt.Sprintf("card_%d", rand.N(20))
		err := db.InTx(ctx, func(tx *postgres.Tx) error { return q.Enqueue(ctx, tx, "acc_a", key) })
		if err != nil {
			return err
		}
		claims, err := q.Claim(ctx, db, "acc_a", 2, time.Duration(1+rand.N(3))*time.Minute)
		for _, c := range claims {
			var end error
			switch n % 3 {
			case 0:
				_, end = q.Retry(ctx, db, c, time.Duration(rand.N(60))*time.Second)
			case 1:
				_, end = q.Finish(ctx, db, c)
			}
			err = errors.Join(err, end)
		}
		return err
	}
	var workers sync.WaitGroup
	done := make(chan struct{})
	for range 6 {
		workers.Go(func() {
			for n := range 150 {
				if err := work(n); err != nil {
					t.Error(err)
				}
			}
		})
	}
	go func() { workers.Wait(); close(done) }()
	defer func() { <-done }()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		var passed int
		err := db.Get(ctx, &passed, `
			SELECT count(*) FROM identifications r LEFT JOIN queue_accounts a ON a.account_id = r.account_id AND a.queue = 'identifications'
			WHERE a.due_at IS NULL OR r.due_at < a.due_at`)
		if err != nil || passed != 0 {
			t.Fatalf("%d rows are due before their account's mark, %v", passed, err)
		}
	}
}

// A process of an older version enqueues without a mark.
func TestPoller_AuditFindsUnmarkedRows(t *testing.T) {
	t.Parallel()
	db, q, ctx := pgtest.New(t), identifications(), t.Context()
	enqueue(t, db, q, "acc_marked", "card_a")
	claim(t, db, q, "acc_marked", 1)
	_, err := db.Exec(ctx, `
		INSERT INTO identifications (account_id, card_id, due_at)
		VALUES ('acc_marked', 'card_b', now()), ('acc_unmarked', 'card_a', now()), ('acc_unmarked', 'card_b', now() + interval '1 hour')`)
	if err != nil {
		t.Fatal(err)
	}
	if got := due(t, db, q); len(got) != 0 {
		t.Fatalf("due accounts %v before the audit", got)
	}
	if err := (&poller{queue: q}).audit(ctx, db); err != nil {
		t.Fatal(err)
	}
	got := due(t, db, q)
	if slices.Sort(got); !slices.Equal(got, []string{"acc_marked", "acc_unmarked"}) {
		t.Errorf("due accounts %v after the audit", got)
	}
}

// An audit reads a bounded slice at a time, and begins again after its pause.
func TestPoller_AuditGoesOnWhereItStopped(t *testing.T) {
	t.Parallel()
	db, q, ctx := pgtest.New(t), identifications(), t.Context()
	fill(t, db, 2*auditSlice, time.Hour)
	if _, err := db.Exec(ctx, `DELETE FROM queue_accounts`); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(ctx, `INSERT INTO queue_accounts SELECT account_id, 'identifications', due_at, due_at FROM identifications WHERE account_id < 'acc_99'`); err != nil {
		t.Fatal(err)
	}
	p := poller{queue: q}
	for step := range 3 {
		if got := due(t, db, q); len(got) != 0 {
			t.Fatalf("due accounts %v before step %d", got, step)
		}
		if err := p.audit(ctx, db); err != nil {
			t.Fatal(err)
		}
		if step == 1 {
			break
		}
	}
	if got := len(due(t, db, q)); got == 0 {
		t.Error("the second step found none of the unmarked accounts")
	}
	if err := p.audit(ctx, db); err != nil || p.audited.IsZero() || p.position != (auditPosition{}) {
		t.Errorf("the audit did not end after its last row: %+v, %v", p.position, err)
	}
}

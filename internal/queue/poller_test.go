package queue

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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

// due returns the accounts that a new poller finds.
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

// fill adds accounts with one row each, which is due after due.
func fill(t testing.TB, db *postgres.DB, accounts int, due time.Duration) {
	t.Helper()
	_, err := db.Exec(t.Context(), `
		INSERT INTO identifications (account_id, card_id, due_at)
		SELECT 'acc_' || n, 'card_' || n, now() + $2 * interval '1 microsecond' FROM generate_series(1, $1::int) AS n`,
		accounts, due.Microseconds())
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		`INSERT INTO queue_accounts (account_id, queue, due_at, turn_at)
			SELECT account_id, 'identifications', due_at, due_at FROM identifications`,
		`ANALYZE identifications, queue_accounts`,
	} {
		if _, err := db.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
}

// fewPages is the largest number of pages that an index probe reads: from the root to a leaf, and a few rows.
const fewPages = 12

// Without due work, a poll reads the same few pages for any number of accounts. So does a measurement of the lag.
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
				t.Errorf("a poll reads %d pages and the lag %d, of %d accounts without due work, want at most %d",
					poll, lag, accounts, fewPages)
			}
		})
	}
}

// holdSnapshot holds a snapshot open, like a backup, until it is released.
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

// While a snapshot is open, the index keeps the old entries of all marks that have moved.
func TestPoller_SkipsMarksKeptForLongSnapshot(t *testing.T) {
	t.Parallel()
	db, q, ctx := pgtest.New(t), identifications(), t.Context()
	fill(t, db, 20_000, -time.Hour)
	defer holdSnapshot(t, db)()
	_, err := db.Exec(ctx, `
		UPDATE queue_accounts SET due_at = now() + interval '1 hour', turn_at = now() + interval '1 hour'`)
	if err != nil {
		t.Fatal(err)
	}
	p := poller{queue: q}
	if accounts, err := p.poll(ctx, db); err != nil || len(accounts) != 0 {
		t.Fatalf("poll = %v, %v", accounts, err)
	}
	full := pgtest.PagesRead(t, db, q.sql.dueAccounts, time.Time{}, maxDueAccounts)
	next := pgtest.PagesRead(t, db, q.sql.dueAccounts, p.since, maxDueAccounts)
	t.Logf("a full poll reads %d pages, the next one %d", full, next)
	if next > fewPages || full < 10*fewPages {
		t.Errorf("a full poll reads %d pages and the next one %d, want at most %d", full, next, fewPages)
	}
	enqueue(t, db, q, "acc_new", "card_a")
	accounts, err := p.poll(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"acc_new"}, accounts); diff != "" {
		t.Errorf("accounts of the poll (-want +got):\n%s", diff)
	}
}

func TestPoller_AccountsWithMoreGoLast(t *testing.T) {
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
		if diff := cmp.Diff(want, accounts); diff != "" {
			t.Fatalf("due accounts (-want +got):\n%s", diff)
		}
		if claims := claim(t, db, q, accounts[0], 1); len(claims) != 1 {
			t.Fatalf("claimed %v, want one row", claims)
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
		t.Errorf("due accounts after the leases expired: %v, want all three", accounts)
	}
}

// An account without rows gets no more turns.
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
	if diff := cmp.Diff([]string{"acc_a"}, due(t, db, q)); diff != "" {
		t.Fatalf("due accounts when the lease expires (-want +got):\n%s", diff)
	}
	claim(t, db, q, "acc_a", 1)
	var marks int
	if err := db.Get(t.Context(), &marks, `SELECT count(*) FROM queue_accounts`); err != nil || marks != 0 {
		t.Errorf("%d marks are left, %v, want none", marks, err)
	}
}

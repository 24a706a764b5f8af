package deletion

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// shop is an account with rows in several tables, beside another account with the same.
type shop struct {
	*Service
	t              testing.TB
	account, other accounts.Account
	users          int            // calls of DeleteMembersIn
	left           map[string]int // files by account
	crash          error          // of DeleteSome
	unfinished     int            // listings that WithdrawAll does not end
	published      int            // listings that are published after it
	withdrawn      int            // calls of WithdrawAll
}

// events is the number of events of each account: more than two batches.
const events = 2*batchSize + 500

func setup(t testing.TB) *shop {
	t.Helper()
	db := pgtest.New(t)
	holders := accounts.New(db, clock.System)
	s := &shop{t: t, left: map[string]int{}}
	s.Service = New(db, holders, s, s)
	s.UseListings(s)
	for _, account := range []*accounts.Account{&s.account, &s.other} {
		var err error
		if *account, err = holders.Create(t.Context(), "Ada's cards", false); err != nil {
			t.Fatal(err)
		}
		if _, _, err := holders.CreateToken(t.Context(), account.ID, "till", ratelimit.Limits{}); err != nil {
			t.Fatal(err)
		}
		_, err = db.SQL().Exec(`
			INSERT INTO events (account_id, created_at, id, event, body)
			SELECT $1, now(), 'evt_' || n, 'card.updated', '{}' FROM generate_series(1, $2::int) AS n`,
			account.ID, events)
		if err != nil {
			t.Fatal(err)
		}
		_, err = db.SQL().Exec(`INSERT INTO stock_values VALUES ($1, '2026-05-11', 'USD', 1, 500, 100, 7)`, account.ID)
		if err != nil {
			t.Fatal(err)
		}
		s.left[account.ID] = 3
	}
	return s
}

// DeleteMembersIn implements Users.
func (s *shop) DeleteMembersIn(context.Context, *postgres.Tx, string) error {
	s.users++
	return nil
}

// DeleteSome implements Files.
func (s *shop) DeleteSome(_ context.Context, accountID string) (int, error) {
	if s.crash != nil {
		return 0, s.crash
	}
	if s.left[accountID] == 0 {
		return 0, nil
	}
	s.left[accountID]--
	return 1, nil
}

// WithdrawAll implements Listings.
func (s *shop) WithdrawAll(context.Context, string) (int, error) {
	s.withdrawn++
	return s.unfinished, nil
}

// Unfinished implements Listings.
func (s *shop) Unfinished(context.Context, postgres.Querier, string) (int, error) {
	return s.unfinished + s.published, nil
}

// request asks for the deletion of the account after Wait.
func (s *shop) request() accounts.Account {
	s.t.Helper()
	account, err := s.Request(s.t.Context(), s.account.ID, Wait)
	if err != nil {
		s.t.Fatal(err)
	}
	return account
}

// pass makes the account's deletion due earlier, as if time had passed.
func (s *shop) pass(d time.Duration) {
	s.t.Helper()
	for _, statement := range []string{
		`UPDATE accounts SET delete_at = delete_at - $2 * interval '1 second',
			closed_at = closed_at - $2 * interval '1 second' WHERE id = $1`,
		`UPDATE account_deletions SET due_at = due_at - $2 * interval '1 second' WHERE account_id = $1`,
		`UPDATE queue_accounts SET due_at = due_at - $2 * interval '1 second',
			turn_at = turn_at - $2 * interval '1 second' WHERE account_id = $1`,
	} {
		if _, err := s.db.SQL().Exec(statement, s.account.ID, d.Seconds()); err != nil {
			s.t.Fatal(err)
		}
	}
}

// claim returns the account's deletion if it is due.
func (s *shop) claim() *queue.Claim {
	s.t.Helper()
	claims, err := s.work.Claim(s.t.Context(), s.db, s.account.ID, 1, lease)
	if err != nil {
		s.t.Fatal(err)
	}
	if len(claims) == 0 {
		return nil
	}
	return &claims[0]
}

// run works on the deletion until it is not due.
func (s *shop) run() {
	s.t.Helper()
	for c := s.claim(); c != nil; c = s.claim() {
		if err := s.handle(s.t.Context(), *c); err != nil {
			s.t.Fatal(err)
		}
	}
}

// rows returns the number of an account's rows in the tables that have some.
func (s *shop) rows(accountID string) map[string]int {
	s.t.Helper()
	tables, err := s.tables(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	found := map[string]int{}
	for _, table := range append(tables, workTable, "queue_accounts") {
		var n int
		count := fmt.Sprintf(`SELECT count(*) FROM %s WHERE account_id = $1`, table)
		err := s.db.Get(s.t.Context(), &n, count, accountID)
		if err != nil {
			s.t.Fatal(err)
		}
		if n > 0 {
			found[table] = n
		}
	}
	return found
}

// gone checks that nothing is left of the account, and that the other one has everything.
func (s *shop) gone(other map[string]int) {
	s.t.Helper()
	if got := s.rows(s.account.ID); len(got) != 0 {
		s.t.Errorf("rows of the deleted account: %v, want none", got)
	}
	if _, err := s.accounts.Get(s.t.Context(), s.account.ID); !fault.Is(err, fault.AccountNotFound) {
		s.t.Errorf("the deleted account: %v, want account_not_found", err)
	}
	if diff := cmp.Diff(other, s.rows(s.other.ID)); diff != "" {
		s.t.Errorf("rows of the other account (-before +after):\n%s", diff)
	}
	if s.left[s.account.ID] != 0 || s.left[s.other.ID] != 3 || s.users != 1 {
		s.t.Errorf("files: %v, want those of the other account; users deleted %d times, want once", s.left, s.users)
	}
}

package accounts

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/quota"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// Tokens that are created and rotated at the same time never exceed the default bound of 100.
func TestService_ConcurrentTokensWithinQuota(t *testing.T) {
	t.Parallel()
	s := New(pgtest.New(t), clock.Clock{Now: clock.System.Now, Quotas: quota.Defaults})
	account, err := s.Create(t.Context(), "Full", false)
	if err != nil {
		t.Fatal(err)
	}
	first, _, err := s.CreateToken(t.Context(), account.ID, "first", ratelimit.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	s.insertTokens(t, account.ID, 95, "", nil)
	add := []func() error{
		func() error {
			_, _, err := s.CreateToken(t.Context(), account.ID, "one more", ratelimit.Limits{})
			return err
		},
		func() error { // the token counts until its grace period ends
			_, _, err := s.RotateToken(t.Context(), first.ID, time.Hour)
			return err
		},
	}
	var refused atomic.Int64
	var running sync.WaitGroup
	for n := range 10 {
		running.Go(func() {
			if err := add[n%len(add)](); fault.Is(err, fault.QuotaExceeded) {
				refused.Add(1)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
	uses, err := s.Quotas(t.Context(), account.ID)
	if err != nil {
		t.Fatal(err)
	}
	if use := uses[quota.Tokens.Index()]; use.Used != 100 || use.Limit != 100 || refused.Load() != 6 {
		t.Errorf("got %+v after %d refusals, want 100 tokens of 100 after 6", use, refused.Load())
	}
}

// insertTokens inserts tokens without secrets, with these limits, which end at a time unless it is nil.
func (s *Service) insertTokens(t testing.TB, accountID string, n int, limits string, revokedAt *time.Time) {
	t.Helper()
	_, err := s.db.Exec(t.Context(), `
		INSERT INTO tokens (account_id, id, name, last_four, limits, created_at, revoked_at)
		SELECT $1, 'tok_' || $3 || coalesce(extract(epoch FROM $4::timestamptz)::text, '') || '_' || n, 'many', 'none',
			$3, now(), $4
		FROM generate_series(1, $2) AS n`, accountID, n, limits, revokedAt)
	if err != nil {
		t.Fatal(err)
	}
}

// The look-up of a token reads the account's valid tokens and no revoked token.
func TestService_LookupReadsWorkingTokens(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	s := New(db, clock.System)
	account, err := s.Create(t.Context(), "Old", false)
	if err != nil {
		t.Fatal(err)
	}
	_, secret, err := s.CreateToken(t.Context(), account.ID, "till", ratelimit.Limits{Read: 70})
	if err != nil {
		t.Fatal(err)
	}
	ago := time.Now().Add(-time.Hour)
	s.insertTokens(t, account.ID, 20_000, "read=9000", &ago)
	if _, err := db.Exec(t.Context(), `ANALYZE tokens`); err != nil {
		t.Fatal(err)
	}
	sum := hash(secret)
	for name, cost := range map[string]int{
		"look-up": pgtest.PagesRead(t, db, lookup, sum[:]), "bound": pgtest.PagesRead(t, db, countWorking, account.ID),
	} {
		if t.Logf("%s: %d pages", name, cost); cost > 20 {
			t.Errorf("the %s reads %d pages beside 20,000 revoked tokens, want at most 20", name, cost)
		}
	}
	who, err := s.Authenticate(t.Context(), secret)
	if err != nil || who.Largest != (ratelimit.Limits{Read: 70}) {
		t.Errorf("got %+v, %v, want the limits of the token that works", who, err)
	}
}

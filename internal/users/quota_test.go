package users

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/quota"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// Users who are created and invited at the same time never exceed the default bound of 100.
func TestService_ConcurrentUsersWithinQuota(t *testing.T) {
	t.Parallel()
	db, limited := pgtest.New(t), clock.Clock{Now: clock.System.Now, Quotas: quota.Defaults}
	holders := accounts.New(db, limited)
	account, err := holders.Create(t.Context(), "Full", false)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec(t.Context(), `
		INSERT INTO memberships (account_id, user_id, role, created_at)
		SELECT $1, 'usr_' || n, 'member', now() FROM generate_series(1, 96) AS n`, account.ID)
	if err != nil {
		t.Fatal(err)
	}
	s := New(db, limited, holders, ratelimit.NewMemory())
	add := []func(email string) error{
		func(email string) error {
			_, err := s.Create(t.Context(), account.ID, email, Member, "")
			return err
		},
		func(email string) error {
			_, err := s.Invite(t.Context(), account.ID, email, Member)
			return err
		},
	}
	var refused atomic.Int64
	var running sync.WaitGroup
	for n := range 10 {
		running.Go(func() {
			err := add[n%len(add)](fmt.Sprintf("user%d@example.com", n))
			if fault.Is(err, fault.QuotaExceeded) {
				refused.Add(1)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
	uses, err := holders.Quotas(t.Context(), account.ID)
	if err != nil {
		t.Fatal(err)
	}
	if use := uses[quota.Users.Index()]; use.Used != 100 || use.Limit != 100 || refused.Load() != 6 {
		t.Errorf("got %+v after %d refusals, want 100 users of 100 after 6", use, refused.Load())
	}
}

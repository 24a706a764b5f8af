package users

import (
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

// visit returns the visit of a user who logged in by the user's own password.
func (c *club) visit(u User) Visit {
	proof := Proof{Passwords: []string{u.passwordID()}}
	return Visit{Login: Login{u, proof}, AccountID: c.account, PasswordID: u.passwordID()}
}

// change makes an empty change of the club's account for a user. The membership was read so long ago.
func (c *club) change(t *testing.T, u User, ownersOnly bool, ago time.Duration) fault.Code {
	t.Helper()
	guard := c.guard(c.visit(u), ownersOnly, time.Now().Add(-ago))
	return code(t, c.db.InTx(postgres.WithGuard(t.Context(), guard), func(*postgres.Tx) error { return nil }))
}

func TestService_Guard(t *testing.T) {
	t.Parallel()
	c := setup(t)
	bob, carl := c.create(t, "bob@example.com", Member, password), c.create(t, "carl@example.com", Owner, password)
	removed := c.create(t, "removed@example.com", Owner, password)
	if err := c.Remove(t.Context(), c.account, removed.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Disable(t.Context(), carl.ID); err != nil {
		t.Fatal(err)
	}
	reset := c.create(t, "reset@example.com", Owner, password)
	c.setPassword(t, c.link(t, reset.ID), "another password")
	for name, tc := range map[string]struct {
		user       User
		ownersOnly bool
		ago        time.Duration
		want       fault.Code
	}{
		"owner":                     {c.ada, true, 0, ""},
		"owner's change of a card":  {c.ada, false, freshTime, ""},
		"member":                    {bob, true, 0, fault.InsufficientScope},
		"member's change":           {bob, false, freshTime, ""},
		"disabled owner":            {carl, true, 0, fault.InsufficientScope},
		"disabled later":            {carl, false, freshTime, fault.InsufficientScope},
		"removed owner":             {removed, true, 0, fault.InsufficientScope},
		"removed later":             {removed, false, freshTime, fault.InsufficientScope},
		"unknown":                   {User{ID: "usr_unknown"}, true, 0, fault.InsufficientScope},
		"owner's replaced password": {reset, true, 0, fault.InsufficientScope},
		"replaced password":         {reset, false, freshTime, fault.InsufficientScope},
		"removed just now":          {removed, false, 0, ""}, // costs no statement
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := c.change(t, tc.user, tc.ownersOnly, tc.ago); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestService_GuardOfEndedSession(t *testing.T) {
	t.Parallel()
	c := setup(t)
	sessions, ctx := NewSessions(c.db), TrackSession(t.Context())
	if err := sessions.CommitCtx(t.Context(), "a", []byte("data"), time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := sessions.FindCtx(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	ctx = postgres.WithGuard(ctx, c.Guard(c.visit(c.ada), true))
	change := func() fault.Code { return code(t, c.db.InTx(ctx, func(*postgres.Tx) error { return nil })) }
	if got := change(); got != "" {
		t.Errorf("a change within the session: got %q, want success", got)
	}
	if err := sessions.DeleteCtx(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if got := change(); got != fault.InsufficientScope {
		t.Errorf("a change after the log-out: got %q, want insufficient_scope", got)
	}
}

// Removing an owner waits for a change that the owner is making, and refuses the next one.
func TestService_RemoveWaitsForOwnersChange(t *testing.T) {
	t.Parallel()
	c := setup(t)
	bob := c.create(t, "bob@example.com", Owner, password)
	removed := make(chan error, 1)
	guard := c.Guard(c.visit(bob), true)
	err := c.db.InTx(postgres.WithGuard(t.Context(), guard), func(tx *postgres.Tx) error {
		go func() { removed <- c.Remove(t.Context(), c.account, bob.ID) }()
		for waiting := false; !waiting; {
			err := c.db.Get(t.Context(), &waiting, `
				SELECT EXISTS (SELECT FROM pg_stat_activity
				WHERE datname = current_database() AND wait_event_type = 'Lock')`)
			if err != nil {
				return err
			}
		}
		select {
		case err := <-removed:
			t.Errorf("Remove returned %v during the owner's change, want it to wait", err)
		default:
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-removed; err != nil {
		t.Errorf("Remove: %v", err)
	}
	if got := c.change(t, bob, true, 0); got != fault.InsufficientScope {
		t.Errorf("a change after the removal: got %q, want insufficient_scope", got)
	}
}

package postgres_test

import (
	"errors"
	"testing"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest/faultproxy"
)

// The connection is lost before or after the server executes the COMMIT. The error is the same, and the transaction
// does not run again.
func TestDB_CommitWithoutResponseIsUnknown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		freeze func(p *faultproxy.Proxy, text string) <-chan *faultproxy.Link
		cut    bool
		rows   int
	}{
		{"statement lost", (*faultproxy.Proxy).FreezeBefore, false, 0},
		{"answer lost", (*faultproxy.Proxy).FreezeAfter, false, 1},
		{"answer lost and connection cut", (*faultproxy.Proxy).FreezeAfter, true, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newSilent(t)
			frozen := c.freeze(s.proxy, "COMMIT")
			runs, after, unknown := 0, 0, 0
			if c.cut {
				go func() { (<-frozen).Cut() }()
			}
			err := ends(t, func() error {
				return s.InTx(t.Context(), func(tx *postgres.Tx) error {
					runs++
					tx.AfterCommit(func() { after++ })
					tx.AfterUnknownCommit(func() { unknown++ })
					_, err := tx.Exec(t.Context(), "INSERT INTO things VALUES ($1)", "a")
					return err
				})
			})
			if !errors.Is(err, postgres.ErrCommitUnknown) || !fault.Is(err, fault.Unavailable) {
				t.Errorf("the error is %v, want ErrCommitUnknown and unavailable", err)
			}
			if runs != 1 || after != 0 || unknown != 1 {
				t.Errorf("%d runs, %d calls after the commit and %d after the unknown one, want 1, 0 and 1",
					runs, after, unknown)
			}
			for s.count(t) != c.rows { // a COMMIT that was received is being carried out
			}
		})
	}
}

// The connection is cut after the server has received a statement.
func TestDB_LostStatementIsNotRepeated(t *testing.T) {
	t.Parallel()
	for name, db := range map[string]func(silent) postgres.Querier{
		"prepared":   func(s silent) postgres.Querier { return s },
		"unprepared": func(s silent) postgres.Querier { return s.Unprepared() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSilent(t)
			insert := func() error {
				_, err := db(s).Exec(t.Context(), "INSERT INTO things VALUES ($1)", "a")
				return err
			}
			for range 2 { // the second one is prepared
				if err := insert(); err != nil {
					t.Fatal(err)
				}
			}
			frozen := s.proxy.FreezeAfter("INSERT")
			go func() {
				link := <-frozen
				for s.count(t) < 3 {
				}
				link.Cut()
			}()
			if err := ends(t, insert); !fault.Is(err, fault.Unavailable) {
				t.Errorf("statement whose response was lost: %v, want unavailable", err)
			}
			if n := s.count(t); n != 3 {
				t.Errorf("%d rows after three statements, want three", n)
			}
		})
	}
}

// Callers do not notice that the server has closed an idle connection.
func TestDB_ClosedIdleConnectionIsReplaced(t *testing.T) {
	t.Parallel()
	s := newSilent(t)
	for n := range 3 {
		if _, err := s.Exec(t.Context(), "INSERT INTO things VALUES ($1)", "a"); err != nil {
			t.Fatalf("statement %d: %v", n+1, err)
		}
		mustExec(t, s.direct, `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid()`)
	}
}

// A client that disappears without closing its connection holds an account's clock only for seconds.
func TestDB_LostClientReleasesClock(t *testing.T) {
	t.Parallel()
	s, ctx := newSilent(t), t.Context()
	account, err := accounts.New(s.direct, clock.System).Create(ctx, "Test", false)
	if err != nil {
		t.Fatal(err)
	}
	write := func(db *postgres.DB, then func()) error {
		return clock.System.Write(ctx, db, account.ID, func(*postgres.Tx, clock.Stamp) error { then(); return nil })
	}
	err = write(s.DB, func() {
		s.proxy.Freeze()
		if err := ends(t, func() error { return write(s.direct, func() {}) }); err != nil {
			t.Errorf("write of another client: %v", err)
		}
	})
	if err == nil {
		t.Error("the lost client's write was committed")
	}
}

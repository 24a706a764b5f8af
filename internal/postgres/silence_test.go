package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/postgres/pgtest/faultproxy"
)

// patience is the longest time that a call on a silent connection may take. Contexts end after half a second.
const patience = 20 * time.Second

// silent is a database behind a proxy that makes connections silent.
type silent struct {
	*postgres.DB
	proxy  *faultproxy.Proxy
	direct *postgres.DB
}

func newSilent(t *testing.T) silent {
	t.Helper()
	proxy := pgtest.Proxy(t)
	s := silent{open(t, proxy.URL()), proxy, open(t, proxy.Direct())}
	mustExec(t, s.direct, "CREATE TABLE things (name text)")
	return s
}

func open(t *testing.T, databaseURL string) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(postgres.Config{URL: databaseURL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func (s silent) count(t *testing.T) (n int) {
	t.Helper()
	if err := s.direct.Get(t.Context(), &n, "SELECT count(*) FROM things"); err != nil {
		t.Fatal(err)
	}
	return n
}

// ends returns the error of a call and fails the test if the call does not return in time.
func ends(t *testing.T, call func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- call() }()
	select {
	case err := <-done:
		return err
	case <-time.After(patience):
		t.Fatalf("the call has not returned after %v", patience)
		return nil
	}
}

// A connection becomes silent at a statement that contains the given word. The call ends with its context, and the
// next call succeeds on another connection.
func TestDB_CallOnSilentConnectionEnds(t *testing.T) {
	t.Parallel()
	const one, all = "DELETE FROM things WHERE name = $1", "DELETE FROM things"
	inTx := func(do func(context.Context, *postgres.Tx) error) func(context.Context, silent) error {
		return func(ctx context.Context, s silent) error {
			return s.InTx(ctx, func(tx *postgres.Tx) error { return do(ctx, tx) })
		}
	}
	for _, c := range []struct {
		name, at string
		call     func(context.Context, silent) error
	}{
		{"exec", "DELETE", func(ctx context.Context, s silent) error {
			_, err := s.Unprepared().Exec(ctx, all)
			return err
		}},
		{"exec with arguments", "DELETE", func(ctx context.Context, s silent) error {
			_, err := s.Unprepared().Exec(ctx, one, "a")
			return err
		}},
		{"prepared exec", "DELETE", func(ctx context.Context, s silent) error {
			_, err := s.Exec(ctx, one, "a")
			return err
		}},
		{"prepared select", "SELECT", func(ctx context.Context, s silent) error {
			var names []string
			return s.Select(ctx, &names, "SELECT name FROM things WHERE name = $1", "a")
		}},
		{"select", "SELECT", func(ctx context.Context, s silent) error {
			var names []string
			return s.Unprepared().Select(ctx, &names, "SELECT name FROM things")
		}},
		{"in a transaction", "DELETE", inTx(func(ctx context.Context, tx *postgres.Tx) error {
			_, err := tx.Exec(ctx, one, "a")
			return err
		})},
		{"copy", "COPY", inTx(func(ctx context.Context, tx *postgres.Tx) error {
			return tx.CopyIn(ctx, "things", []string{"name"}, func(yield func([]any) bool) {
				for range 100 {
					yield([]any{"a"})
				}
			})
		})},
	} {
		for _, ending := range []string{"deadline", "cancelled", "statement timeout"} {
			t.Run(c.name+"/"+ending, func(t *testing.T) {
				t.Parallel()
				s := newSilent(t)
				for range 2 { // the second time it is prepared, if it ever is
					if err := c.call(t.Context(), s); err != nil {
						t.Fatal(err)
					}
				}
				s.proxy.FreezeAfter(c.at)
				ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
				switch ending {
				case "cancelled":
					ctx, cancel = context.WithCancel(t.Context())
					time.AfterFunc(500*time.Millisecond, cancel)
				case "statement timeout":
					ctx = postgres.WithStatementTimeout(context.Background(), 500*time.Millisecond)
				}
				defer cancel()
				if err := ends(t, func() error { return c.call(ctx, s) }); err == nil {
					t.Error("the call succeeded on a silent connection")
				}
				if err := ends(t, func() error { return c.call(t.Context(), s) }); err != nil {
					t.Errorf("next call: %v", err)
				}
			})
		}
	}
}

// The connection becomes silent or is lost in the middle of a result that is larger than the buffers.
func TestDB_CallEndsInMiddleOfRows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault func(*faultproxy.Proxy)
		want  func(error) bool
	}{
		"silent": {(*faultproxy.Proxy).FreezeOpen, func(err error) bool {
			return errors.Is(err, context.DeadlineExceeded)
		}},
		"lost": {(*faultproxy.Proxy).Cut, func(err error) bool { return fault.Is(err, fault.Unavailable) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSilent(t)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			rows, err := s.Query(ctx, "SELECT repeat('x', 1000) FROM generate_series(1, 100000)")
			if err != nil {
				t.Fatal(err)
			}
			c.fault(s.proxy)
			err = ends(t, func() error {
				defer rows.Close()
				for rows.Next() {
				}
				return rows.Err()
			})
			if !c.want(err) {
				t.Errorf("the error of the rows is %v", err)
			}
			if err := ends(t, func() error { return s.Ping(t.Context()) }); err != nil {
				t.Errorf("next call: %v", err)
			}
		})
	}
}

// All connections of the pool become silent while none is in use.
func TestDB_SilentIdleConnectionsAreReplaced(t *testing.T) {
	t.Parallel()
	s := newSilent(t)
	s.SQL().SetMaxOpenConns(1)
	insert := func() error {
		return s.InTx(t.Context(), func(tx *postgres.Tx) error {
			_, err := tx.Exec(t.Context(), "INSERT INTO things VALUES ($1)", "a")
			return err
		})
	}
	if err := insert(); err != nil {
		t.Fatal(err)
	}
	s.proxy.FreezeOpen()
	if err := ends(t, insert); err != nil {
		t.Errorf("transaction: %v", err)
	}
	s.proxy.FreezeOpen()
	err := ends(t, func() error {
		return s.Snapshot(t.Context(), func(q *postgres.Snapshot) error {
			var n int
			return q.Get(t.Context(), &n, "SELECT count(*) FROM things")
		})
	})
	if err != nil {
		t.Errorf("snapshot: %v", err)
	}
	s.proxy.FreezeOpen()
	if err := ends(t, func() error { return s.Ping(t.Context()) }); err != nil {
		t.Errorf("Ping: %v", err)
	}
	if n := s.count(t); n != 2 {
		t.Errorf("%d rows, want 2", n)
	}
}

// A server that responds to a cancellation in time keeps its connection.
func TestDB_CancelledStatementKeepsItsConnection(t *testing.T) {
	t.Parallel()
	s := newSilent(t)
	s.SQL().SetMaxOpenConns(1)
	backend := func() (pid int) {
		if err := s.Get(t.Context(), &pid, "SELECT pg_backend_pid()"); err != nil {
			t.Fatal(err)
		}
		return pid
	}
	for range 2 { // lib/pq gives up the connection of a cancelled statement that is not prepared
		if _, err := s.Exec(t.Context(), "SELECT pg_sleep($1)", 0); err != nil {
			t.Fatal(err)
		}
	}
	before := backend()
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		if _, err := s.Exec(ctx, "SELECT pg_sleep($1)", 60); ctx.Err() == nil {
			t.Errorf("statement of a minute: %v", err)
		}
		cancel()
	}
	if after := backend(); after != before {
		t.Errorf("the connection was replaced: backend %d, then %d", before, after)
	}
}

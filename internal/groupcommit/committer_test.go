package groupcommit_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

func TestCommitter_BatchesQueuedWrites(t *testing.T) {
	t.Parallel()
	n := newNotes(t, "a", "b", "busy")
	for i, err := range n.write(note{name: "a1"}, note{name: "a2"}, note{name: "b3"}, note{name: "a4"}) {
		if err != nil {
			t.Errorf("write %d: %v", i, err)
		}
	}
	if got := n.stored(); got != "a1 a2 a4 b3" {
		t.Errorf("stored: %s, want all four notes", got)
	}
	if want := []string{"a1 a2 a4 b3"}; !slices.Equal(n.loaded, want) {
		t.Errorf("transactions: %q, want %q", n.loaded, want)
	}
	var rising bool
	err := n.db.Get(t.Context(), &rising, `
		SELECT count(DISTINCT at) = 3 AND max(change) = 3
		   AND max(at) < (SELECT last_at FROM account_clock WHERE account_id = 'a')
		FROM notes WHERE account_id = 'a'`)
	if err != nil || !rising {
		t.Errorf("stamps of one account rise up to its clock: %v, %v, want true", rising, err)
	}
}

func TestCommitter_FailedWriteLeavesOthers(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	fails := func(*postgres.Tx) error { return boom }
	ran := func(tx *postgres.Tx) error {
		_, err := tx.Exec(context.Background(), `INSERT INTO notes VALUES ('a', now(), 0, 'half')`)
		return errors.Join(err, boom)
	}
	broken := func(tx *postgres.Tx) error {
		tx.Defer(`INSERT INTO notes VALUES (NULL, now(), 0, '')`)
		return nil
	}
	for name, tc := range map[string]struct {
		note   note
		fails  string
		shared bool // the other writes share a transaction
	}{
		"refused":                 {note{refused: boom}, "boom", true},
		"Apply returns an error":  {note{do: fails}, "boom", false},
		"error after a statement": {note{do: ran}, "boom", false},
		"shared statement fails":  {note{do: broken}, "null value", false},
		"panic":                   {note{do: func(*postgres.Tx) error { panic("ouch") }}, "panic: ouch", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNotes(t, "a", "b", "busy")
			tc.note.name = "a2"
			errs := n.write(note{name: "a1"}, tc.note, note{name: "b3"})
			if errs[0] != nil || errs[1] == nil || !strings.Contains(errs[1].Error(), tc.fails) || errs[2] != nil {
				t.Errorf("errors: %v, want only the second, with %q", errs, tc.fails)
			}
			if got := n.stored(); got != "a1 b3" {
				t.Errorf("stored: %s, want a1 b3", got)
			}
			if shared := len(n.loaded) == 1; shared != tc.shared {
				t.Errorf("transactions: %q, want a shared one: %t", n.loaded, tc.shared)
			}
		})
	}
}

// A write that its caller may not make any more leaves the others of its batch. A guard that cannot find that out makes
// all of them run alone, because its statement may have ended the transaction.
func TestCommitter_GuardRefusesWrite(t *testing.T) {
	t.Parallel()
	refused, broken := fault.New(fault.InsufficientScope, "refused"), errors.New("broken")
	for name, tc := range map[string]struct {
		guard  postgres.TxHook
		want   error
		shared bool
	}{
		"in memory": {func(context.Context, *postgres.Tx) error { return refused }, refused, true},
		"by a statement": {func(ctx context.Context, tx *postgres.Tx) error {
			_, err := tx.Exec(ctx, `SELECT 1`)
			return errors.Join(err, refused)
		}, refused, true},
		"broken": {func(ctx context.Context, tx *postgres.Tx) error {
			_, err := tx.Exec(ctx, `SELECT * FROM nothing`)
			return errors.Join(err, broken)
		}, broken, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNotes(t, "a", "b", "busy")
			errs := n.write(note{name: "a1"}, note{name: "a2", guard: tc.guard}, note{name: "b3"})
			if errs[0] != nil || !errors.Is(errs[1], tc.want) || errs[2] != nil {
				t.Errorf("errors: %v, want only the second", errs)
			}
			if got := n.stored(); got != "a1 b3" {
				t.Errorf("stored: %s, want a1 b3", got)
			}
			if shared := len(n.loaded) == 1; shared != tc.shared {
				t.Errorf("transactions: %q, want a shared one: %t", n.loaded, tc.shared)
			}
		})
	}
}

func TestCommitter_FailedWriteLeavesClock(t *testing.T) {
	t.Parallel()
	n := newNotes(t, "a")
	var before, after int64
	count := func(into *int64) {
		if err := n.db.Get(t.Context(), into, `SELECT change FROM account_clock WHERE account_id = 'a'`); err != nil {
			t.Fatal(err)
		}
	}
	count(&before)
	if err := n.Write(t.Context(), "a", note{refused: errors.New("no")}); err == nil {
		t.Error("Write succeeded, want its refusal")
	}
	if count(&after); after != before {
		t.Errorf("change is %d, then %d, want no advance", before, after)
	}
}

func TestCommitter_SeparatesWritesOfOneRow(t *testing.T) {
	t.Parallel()
	n := newNotes(t, "a", "busy")
	errs := n.write(note{name: "a1", row: "x"}, note{name: "a2", row: "x"}, note{name: "a3", row: "y"})
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
	if want := []string{"a1 a3", "a2"}; !slices.Equal(n.loaded, want) {
		t.Errorf("transactions: %q, want %q", n.loaded, want)
	}
}

func TestCommitter_AccountScopeBatchesOneAccount(t *testing.T) {
	t.Parallel()
	n := newNotesIn(t, postgres.GroupAccount, "b", "busy")
	n.SetSlowAfter(time.Hour)
	release := n.busy()
	n.loaded = nil
	var queued sync.WaitGroup
	for i := range 3 {
		before := n.Waiting()
		queued.Go(func() {
			if err := n.Write(t.Context(), "busy", note{name: fmt.Sprint(i), row: fmt.Sprint(i)}); err != nil {
				t.Error(err)
			}
		})
		for n.Waiting() == before {
			runtime.Gosched()
		}
	}
	if err := n.Write(t.Context(), "b", note{name: "1"}); err != nil {
		t.Errorf("write of another account: %v", err)
	}
	release()
	queued.Wait()
	if diff := cmp.Diff([]string{"b1", "busy0 busy1 busy2"}, n.loaded); diff != "" {
		t.Errorf("batches (-want +got):\n%s", diff)
	}
}

// A commit that fails may have taken effect, as when the connection breaks, so no write may be repeated.
func TestCommitter_DoesNotRepeatAfterFailedCommit(t *testing.T) {
	t.Parallel()
	n := newNotes(t, "a", "b", "busy")
	n.exec(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`)
	n.exec(`
		CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON notes DEFERRABLE INITIALLY DEFERRED
		FOR EACH ROW EXECUTE FUNCTION refuse()`)
	boom := errors.New("boom")
	errs := n.write(note{name: "a1"}, note{name: "b2"}, note{name: "b3", refused: boom})
	for _, err := range errs[:2] {
		if err == nil || !strings.Contains(err.Error(), "refused") {
			t.Errorf("Write = %v, want the error of the commit", err)
		}
	}
	if !errors.Is(errs[2], boom) {
		t.Errorf("Write = %v, want its own error", errs[2])
	}
	if want := []string{"a1 b2 b3"}; !slices.Equal(n.loaded, want) {
		t.Errorf("transactions: %q, want %q", n.loaded, want)
	}
}

func TestCommitter_ReportsUnknownAccount(t *testing.T) {
	t.Parallel()
	if err := newNotes(t).Write(t.Context(), "a", note{}); !fault.Is(err, fault.AccountNotFound) {
		t.Errorf("Write = %v, want account_not_found", err)
	}
}

// Every successful write is stored once, and the times of an account rise with its change numbers, although
// some writes fail and other transactions lock the clocks.
func TestCommitter_ConcurrentWritersOfSeveralAccounts(t *testing.T) {
	t.Parallel()
	accounts := []string{"a", "b", "c"}
	n := newNotes(t, accounts...)
	const each = 60
	var all sync.WaitGroup
	for _, account := range accounts {
		for i := range each {
			all.Go(func() {
				w := note{name: fmt.Sprint(i), row: fmt.Sprint(i % 7)}
				if i%10 == 0 {
					w.do = func(*postgres.Tx) error { return errors.New("no") }
				}
				if err := n.Write(t.Context(), account, w); (err != nil) != (i%10 == 0) {
					t.Errorf("%s%d: %v", account, i, err)
				}
			})
		}
		all.Go(func() {
			for range 10 {
				nothing := func(*postgres.Tx, clock.Stamp) error { return nil }
				if err := clock.System.Write(t.Context(), n.db, account, nothing); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	var rows, distinct, wrong int
	err := errors.Join(
		n.db.Get(t.Context(), &rows, `SELECT count(*) FROM notes`),
		n.db.Get(t.Context(), &distinct, `SELECT count(DISTINCT (account_id, name)) FROM notes`),
		n.db.Get(t.Context(), &wrong, `
			SELECT count(*) FROM (
				SELECT rank() OVER (PARTITION BY account_id ORDER BY at)
				    <> rank() OVER (PARTITION BY account_id ORDER BY change) AS wrong
				FROM notes
			) ranked WHERE wrong`))
	if want := len(accounts) * each * 9 / 10; err != nil || rows != want || distinct != want || wrong != 0 {
		t.Errorf("%d rows, %d notes, want %d; %d out of order; %v", rows, distinct, want, wrong, err)
	}
}

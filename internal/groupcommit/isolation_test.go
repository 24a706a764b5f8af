package groupcommit_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

func TestCommitter_SkipsLockedClock(t *testing.T) {
	t.Parallel()
	n := newNotes(t, "a", "b", "busy")
	held := make(chan error, 1)
	err := n.db.InTx(t.Context(), func(tx *postgres.Tx) error {
		if _, err := clock.System.Lock(t.Context(), tx, "a"); err != nil {
			return err
		}
		go func() { held <- n.Write(t.Context(), "a", note{name: "1"}) }()
		if err := n.Write(t.Context(), "b", note{name: "2"}); err != nil {
			t.Error(err)
		}
		if got := n.stored(); got != "b2" {
			t.Errorf("stored while a's clock is locked: %s, want b2", got)
		}
		return nil
	})
	if err := errors.Join(err, <-held); err != nil {
		t.Error(err)
	}
	if got := n.stored(); got != "a1 b2" {
		t.Errorf("stored: %s, want a1 b2", got)
	}
}

func TestCommitter_FullBatchDoesNotWait(t *testing.T) {
	t.Parallel()
	n := newNotes(t, "a", "b", "busy")
	n.SetSlowAfter(time.Hour)
	defer n.busy()()
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if err := n.Write(t.Context(), "ab"[i%2:i%2+1], note{name: fmt.Sprint(i), row: fmt.Sprint(i)}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := strings.Fields(n.stored()); len(got) != 8 {
		t.Errorf("stored: %v, want 8 notes", got)
	}
}

func TestCommitter_WriterLeavesQueueAtDeadline(t *testing.T) {
	t.Parallel()
	n := newNotes(t, "a", "busy")
	n.SetSlowAfter(time.Hour)
	defer n.busy()()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := n.Write(ctx, "a", note{name: "1"}); !errors.Is(err, context.Canceled) {
		t.Errorf("Write = %v, want the context's error", err)
	}
	if n.Waiting() != 0 {
		t.Error("the write is still queued")
	}
}

func TestCommitter_WriterLeavesRunningBatchAtDeadline(t *testing.T) {
	t.Parallel()
	n := newNotes(t, "a", "busy")
	ctx, cancel := context.WithCancel(t.Context())
	hold := make(chan struct{})
	err := n.Write(ctx, "a", note{name: "1", do: func(*postgres.Tx) error { cancel(); <-hold; return nil }})
	if !fault.Is(err, fault.Unavailable) || !errors.Is(err, context.Canceled) {
		t.Errorf("Write = %v, want an unknown outcome", err)
	}
	close(hold)
	if err := n.Write(t.Context(), "a", note{name: "2"}); err != nil || n.stored() != "a1 a2" {
		t.Errorf("the next write: %v; stored: %q, want both", err, n.stored())
	}
}

// lockRow locks a row in a transaction outside the service, like an operator's SELECT … FOR UPDATE,
// until release is called.
func (n *notes) lockRow(name string) (release func()) {
	n.t.Helper()
	tx, err := n.db.SQL().BeginTx(context.Background(), nil)
	if err != nil {
		n.t.Fatal(err)
	}
	if _, err := tx.Exec(`UPDATE locks SET holders = holders + 1 WHERE name = $1`, name); err != nil {
		n.t.Fatal(err)
	}
	return func() { tx.Rollback() }
}

// locked returns a note whose write updates the row name of the table locks.
func locked(name string) note {
	return note{name: name, row: name, do: func(tx *postgres.Tx) error {
		tx.Defer(`UPDATE locks SET holders = 0 WHERE name = $1`, name)
		return nil
	}}
}

func TestCommitter_RowLockDelaysOnlyItsWrite(t *testing.T) {
	t.Parallel()
	for _, scope := range []postgres.GroupScope{postgres.GroupAll, postgres.GroupAccount, postgres.GroupOff} {
		t.Run(string(scope), func(t *testing.T) {
			t.Parallel()
			n := newNotesIn(t, scope, "a", "b", "c", "busy")
			n.exec(`CREATE TABLE locks (name text PRIMARY KEY, holders integer NOT NULL)`)
			n.exec(`INSERT INTO locks VALUES ('1', 0)`)
			release := n.lockRow("1")
			blocked := make(chan error, 1)
			go func() { blocked <- n.Write(t.Context(), "a", locked("1")) }()
			// Some of these join the batch that waits for the row, and others follow it. Each takes
			// milliseconds.
			ctx, cancel := context.WithTimeout(t.Context(), 6*time.Second)
			defer cancel()
			for i := range 20 {
				if err := n.Write(ctx, "bc"[i%2:i%2+1], note{name: fmt.Sprint(i), row: fmt.Sprint(i)}); err != nil {
					t.Fatalf("write %d of another account: %v", i, err)
				}
			}
			if len(blocked) > 0 {
				t.Fatalf("the write of the locked row did not wait: %v", <-blocked)
			}
			release()
			if err := <-blocked; err != nil {
				t.Errorf("write of the row after its release: %v", err)
			}
		})
	}
}

// A batch may run long because Apply is slow or because its connection is silent. It must not delay
// the writes of other accounts, even if they do not fill a batch.
func TestCommitter_SlowBatchDoesNotDelayTheNext(t *testing.T) {
	t.Parallel()
	n := newNotes(t, "a", "busy")
	defer n.busy()()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if err := n.Write(ctx, "a", note{name: "1"}); err != nil || n.stored() != "a1" {
		t.Errorf("%v; stored: %q", err, n.stored())
	}
}

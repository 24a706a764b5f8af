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

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/groupcommit"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// note is a write of the tests: it stores its name at its stamp's time.
type note struct {
	name string
	row  string
	do   func(tx *postgres.Tx) error // before the note is stored
}

// notes is a kind of write, and what became of it.
type notes struct {
	*groupcommit.Committer[note]
	t  *testing.T
	db *postgres.DB

	mu     sync.Mutex
	loaded []string // the names of each transaction's writes, sorted and joined, in the order of loading
}

func newNotes(t *testing.T, accounts ...string) *notes {
	t.Helper()
	return newNotesIn(t, postgres.GroupAll, accounts...)
}

func newNotesIn(t *testing.T, scope postgres.GroupScope, accounts ...string) *notes {
	t.Helper()
	db, err := postgres.Open(postgres.Config{URL: pgtest.URL(t), GroupScope: scope})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	n := &notes{t: t, db: db}
	n.exec(`CREATE TABLE notes (account_id text NOT NULL, at timestamptz NOT NULL, change bigint NOT NULL, name text NOT NULL)`)
	for _, account := range accounts {
		if err := n.db.InTx(t.Context(), func(tx *postgres.Tx) error { return clock.System.Create(t.Context(), tx, account) }); err != nil {
			t.Fatal(err)
		}
	}
	n.Committer = groupcommit.New(clock.System, n.db, groupcommit.Options[note]{
		MaxBatch: 8,
		RowKey:   func(w note) string { return w.row },
		Load: func(_ context.Context, _ *postgres.Tx, writes []groupcommit.Write[note]) error {
			names := make([]string, len(writes))
			for i, w := range writes {
				names[i] = w.AccountID + w.Value.name
			}
			slices.Sort(names)
			n.mu.Lock()
			defer n.mu.Unlock()
			n.loaded = append(n.loaded, strings.Join(names, " "))
			return nil
		},
		Apply: func(_ context.Context, tx *postgres.Tx, stamp clock.Stamp, w note) error {
			if w.do != nil {
				if err := w.do(tx); err != nil {
					return err
				}
			}
			tx.Defer(`INSERT INTO notes VALUES ($1, $2, $3, $4)`, stamp.AccountID, stamp.At, stamp.Change, w.name)
			return nil
		},
	})
	return n
}

func (n *notes) exec(query string, args ...any) {
	n.t.Helper()
	if _, err := n.db.Exec(n.t.Context(), query, args...); err != nil {
		n.t.Fatal(err)
	}
}

// stored is what is in the table, by account and time.
func (n *notes) stored() string {
	n.t.Helper()
	var names []string
	if err := n.db.Select(n.t.Context(), &names, `SELECT account_id || name FROM notes ORDER BY account_id, at`); err != nil {
		n.t.Fatal(err)
	}
	return strings.Join(names, " ")
}

// busy has a batch run until the function that it returns is called.
func (n *notes) busy() (release func()) {
	n.t.Helper()
	running, hold := make(chan struct{}), make(chan struct{})
	var once sync.Once
	var done sync.WaitGroup
	done.Go(func() {
		err := n.Write(context.Background(), "busy", note{do: func(*postgres.Tx) error {
			once.Do(func() { close(running) })
			<-hold
			return errors.New("not stored")
		}})
		if err == nil {
			n.t.Error("it is stored")
		}
	})
	<-running
	return func() { close(hold); done.Wait() }
}

// write has the notes wait for one another while a transaction runs, and returns the errors
// of their writes. Each is for the account that its name begins with.
func (n *notes) write(list ...note) []error {
	n.t.Helper()
	n.SetSlowAfter(time.Hour) // however slow the machine is, the writes are queued until release
	release := n.busy()
	n.loaded = nil
	errs := make([]error, len(list))
	var all sync.WaitGroup
	for i, w := range list {
		account, name := w.name[:1], w.name[1:]
		if w.name = name; w.row == "" {
			w.row = name
		}
		before := n.Waiting()
		all.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					errs[i] = fmt.Errorf("panic: %v", p)
				}
			}()
			errs[i] = n.Write(n.t.Context(), account, w)
		})
		for n.Waiting() == before {
			runtime.Gosched()
		}
	}
	release()
	all.Wait()
	return errs
}

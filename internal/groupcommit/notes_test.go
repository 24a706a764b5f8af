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

// note is a write that stores its name and its stamp.
type note struct {
	name string
	row  string
	do   func(tx *postgres.Tx) error // called before the note is stored; Apply returns its error

	refused error           // why the note is not stored; may be nil
	guard   postgres.TxHook // of the context of write; may be nil
}

// notes is a Committer of notes. It records which writes shared a transaction.
type notes struct {
	*groupcommit.Committer[note]
	t  *testing.T
	db *postgres.DB

	mu     sync.Mutex
	loaded []string // for each call of Apply, the sorted names of its writes
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
	n.exec(`
		CREATE TABLE notes (
			account_id text NOT NULL, at timestamptz NOT NULL, change bigint NOT NULL, name text NOT NULL
		)`)
	for _, account := range accounts {
		err := n.db.InTx(t.Context(), func(tx *postgres.Tx) error {
			return clock.System.Create(t.Context(), tx, account)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	n.Committer = groupcommit.New(clock.System, n.db, groupcommit.Options[note]{
		MaxBatch: 8,
		RowKey:   func(w note) string { return w.row },
		Apply:    n.apply,
	})
	return n
}

// apply records the names of the writes and stores the notes.
func (n *notes) apply(_ context.Context, tx *postgres.Tx, batch []*groupcommit.Write[note]) error {
	names := make([]string, len(batch))
	for i, w := range batch {
		names[i] = w.Stamp.AccountID + w.Value.name
	}
	slices.Sort(names)
	n.mu.Lock()
	n.loaded = append(n.loaded, strings.Join(names, " "))
	n.mu.Unlock()
	for _, w := range batch {
		if w.Value.do != nil {
			if err := w.Value.do(tx); err != nil {
				return err
			}
		}
		if w.Err = w.Value.refused; w.Err == nil {
			tx.Defer(`INSERT INTO notes VALUES ($1, $2, $3, $4)`,
				w.Stamp.AccountID, w.Stamp.At, w.Stamp.Change, w.Value.name)
		}
	}
	return nil
}

func (n *notes) exec(query string, args ...any) {
	n.t.Helper()
	if _, err := n.db.Exec(n.t.Context(), query, args...); err != nil {
		n.t.Fatal(err)
	}
}

// stored returns the notes in the table, ordered by account and time.
func (n *notes) stored() string {
	n.t.Helper()
	var names []string
	err := n.db.Select(n.t.Context(), &names, `SELECT account_id || name FROM notes ORDER BY account_id, at`)
	if err != nil {
		n.t.Fatal(err)
	}
	return strings.Join(names, " ")
}

// busy starts a batch that runs until release is called.
func (n *notes) busy() (release func()) {
	n.t.Helper()
	running, hold := make(chan struct{}), make(chan struct{})
	var once sync.Once
	var done sync.WaitGroup
	done.Go(func() {
		w := note{refused: errors.New("not stored"), do: func(*postgres.Tx) error {
			once.Do(func() { close(running) })
			<-hold
			return nil
		}}
		if err := n.Write(context.Background(), "busy", w); err == nil {
			n.t.Error("the write that holds the batch succeeded, want its error")
		}
	})
	<-running
	return func() { close(hold); done.Wait() }
}

// write queues the notes while a batch runs, so that they are ready for the next batch together, and
// returns the errors of their writes. The first letter of a name is its account.
func (n *notes) write(list ...note) []error {
	n.t.Helper()
	n.SetSlowAfter(time.Hour) // on a slow machine too, no batch starts before release
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
			errs[i] = n.Write(postgres.WithGuard(n.t.Context(), w.guard), account, w)
		})
		for n.Waiting() == before {
			runtime.Gosched()
		}
	}
	release()
	all.Wait()
	return errs
}

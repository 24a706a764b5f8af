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

func TestCommitter_BatchesQueuedWrites(t *testing.T) {
	t.Parallel()
	n := newNotes(t, "a", "b", "busy")
	for i, err := range n.write(note{name: "a1"}, note{name: "a2"}, note{name: "b3"}, note{name: "a4"}) {
		if err != nil {
			t.Errorf("write %d: %v", i, err)
		}
	}
	if got := n.stored(); got != "a1 a2 a4 b3" {
		t.Errorf("stored: %s", got)
	}
	if want := []string{"a1 a2 a4 b3"}; !slices.Equal(n.loaded, want) {
		t.Errorf("transactions of %q", n.loaded)
	}
	var rising bool
	err := n.db.Get(t.Context(), &rising, `
		SELECT count(DISTINCT at) = 3 AND max(change) = 3 AND max(at) = (SELECT last_at FROM account_clock WHERE account_id = 'a')
		FROM notes WHERE account_id = 'a'`)
	if err != nil || !rising {
		t.Errorf("the stamps of one account: %v, %v", rising, err)
	}
}

func TestCommitter_FailedWriteLeavesOthers(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	refuse := func(*postgres.Tx) error { return boom }
	ran := func(tx *postgres.Tx) error {
		_, err := tx.Exec(context.Background(), `INSERT INTO notes VALUES ('a', now(), 0, 'half')`)
		return errors.Join(err, boom)
	}
	broken := func(tx *postgres.Tx) error {
		tx.Defer(`INSERT INTO notes VALUES (NULL, now(), 0, '')`)
		return nil
	}
	for name, tc := range map[string]struct {
		do     func(*postgres.Tx) error
		fails  string
		shared bool // the others stay together
	}{
		"by a rule":                    {refuse, "boom", true},
		"after it has run a statement": {ran, "boom", false},
		"by a statement for all":       {broken, "null value", false},
		"by a panic":                   {func(*postgres.Tx) error { panic("ouch") }, "panic: ouch", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNotes(t, "a", "b", "busy")
			errs := n.write(note{name: "a1"}, note{name: "a2", do: tc.do}, note{name: "b3"})
			if errs[0] != nil || errs[1] == nil || !strings.Contains(errs[1].Error(), tc.fails) || errs[2] != nil {
				t.Errorf("errors: %v", errs)
			}
			if errors.Is(errs[1], postgres.ErrPartiallyApplied) {
				t.Errorf("the caller sees how writes are shared: %v", errs[1])
			}
			if got := n.stored(); got != "a1 b3" {
				t.Errorf("stored: %s", got)
			}
			if shared := len(n.loaded) == 1; shared != tc.shared {
				t.Errorf("transactions of %q", n.loaded)
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
	if err := n.Write(t.Context(), "a", note{do: func(*postgres.Tx) error { return errors.New("no") }}); err == nil {
		t.Error("no error")
	}
	if count(&after); after != before {
		t.Errorf("change %d, then %d", before, after)
	}
}

func TestCommitter_SkipsLockedClock(t *testing.T) {
	t.Parallel()
	n := newNotes(t, "a", "b", "busy")
	held := make(chan error, 1)
	err := n.db.InTx(t.Context(), func(tx *postgres.Tx) error {
		if _, err := clock.System.Take(t.Context(), tx, "a"); err != nil {
			return err
		}
		go func() { held <- n.Write(t.Context(), "a", note{name: "1"}) }()
		if err := n.Write(t.Context(), "b", note{name: "2"}); err != nil {
			t.Error(err)
		}
		if got := n.stored(); got != "b2" {
			t.Errorf("stored meanwhile: %s", got)
		}
		return nil
	})
	if err := errors.Join(err, <-held); err != nil {
		t.Error(err)
	}
	if got := n.stored(); got != "a1 b2" {
		t.Errorf("stored: %s", got)
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
		t.Errorf("transactions of %q", n.loaded)
	}
}

func TestCommitter_FullBatchRunsBesideAnother(t *testing.T) {
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
		t.Errorf("stored: %v", got)
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
		t.Errorf("got %v, want the context's error", err)
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
		t.Errorf("got %v, want an unknown outcome", err)
	}
	close(hold)
	if err := n.Write(t.Context(), "a", note{name: "2"}); err != nil || n.stored() != "a1 a2" {
		t.Errorf("the next write: %v; stored: %q, want both", err, n.stored())
	}
}

// lockRow has a transaction outside the service hold a row, as an operator's SELECT … FOR UPDATE does,
// until the function that it returns is called.
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

// locked is a note whose write needs the row name of the table locks.
func locked(name string) note {
	return note{name: name, row: name, do: func(tx *postgres.Tx) error {
		tx.Defer(`UPDATE locks SET holders = 0 WHERE name = $1`, name)
		return nil
	}}
}

func TestCommitter_RowLockDelaysItsWriteAlone(t *testing.T) {
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
			// Some of these join the batch that waits for the row, others follow it. They take
			// milliseconds each.
			ctx, cancel := context.WithTimeout(t.Context(), 6*time.Second)
			defer cancel()
			for i := range 20 {
				if err := n.Write(ctx, "bc"[i%2:i%2+1], note{name: fmt.Sprint(i), row: fmt.Sprint(i)}); err != nil {
					t.Fatalf("write %d of another account: %v", i, err)
				}
			}
			if len(blocked) > 0 {
				t.Fatalf("the row's own write did not wait: %v", <-blocked)
			}
			release()
			if err := <-blocked; err != nil {
				t.Errorf("the row's own write: %v", err)
			}
		})
	}
}

// A batch that a rule of one of its writes, or a silent connection, keeps running does not delay
// writes of other accounts, full batch or not.
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
		t.Errorf("a write of another account: %v", err)
	}
	release()
	queued.Wait()
	if diff := cmp.Diff([]string{"b1", "busy0 busy1 busy2"}, n.loaded); diff != "" {
		t.Errorf("batches (-want +got):\n%s", diff)
	}
}

// PostgreSQL refuses at the commit, where it could as well have done its work and lost the connection.
func TestCommitter_DoesNotRepeatAfterFailedCommit(t *testing.T) {
	t.Parallel()
	n := newNotes(t, "a", "b", "busy")
	n.exec(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`)
	n.exec(`CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON notes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()`)
	boom := errors.New("boom")
	errs := n.write(note{name: "a1"}, note{name: "b2"}, note{name: "b3", do: func(*postgres.Tx) error { return boom }})
	for _, err := range errs[:2] {
		if err == nil || !strings.Contains(err.Error(), "refused") {
			t.Errorf("got %v", err)
		}
	}
	if !errors.Is(errs[2], boom) {
		t.Errorf("got %v", errs[2])
	}
	if want := []string{"a1 b2 b3"}; !slices.Equal(n.loaded, want) {
		t.Errorf("transactions of %q", n.loaded)
	}
}

func TestCommitter_UnknownAccount(t *testing.T) {
	t.Parallel()
	if err := newNotes(t).Write(t.Context(), "a", note{}); !fault.Is(err, fault.AccountNotFound) {
		t.Error(err)
	}
}

// Every write is stored once, and stamps rise in the order of the account's writes, although some
// writes fail and other transactions lock the clocks as well.
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
				if err := clock.System.Write(t.Context(), n.db, account, func(*postgres.Tx, clock.Stamp) error { return nil }); err != nil {
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
				SELECT rank() OVER (PARTITION BY account_id ORDER BY at) <> rank() OVER (PARTITION BY account_id ORDER BY change) AS wrong FROM notes
			) ranked WHERE wrong`))
	if want := len(accounts) * each * 9 / 10; err != nil || rows != want || distinct != want || wrong != 0 {
		t.Errorf("%d rows, %d notes, want %d; %d out of order; %v", rows, distinct, want, wrong, err)
	}
}

// A statement beside a write is committed with it and lost with it.
func TestCommitter_WritesBeside(t *testing.T) {
	t.Parallel()
	n := newNotes(t, "a")
	n.exec(`CREATE TABLE beside (name text NOT NULL)`)
	refused := errors.New("refused")
	outcomes := map[string]error{"stands": nil, "fails": refused}
	for name, outcome := range outcomes {
		ctx := clock.Beside(t.Context(), func(ctx context.Context, tx *postgres.Tx) error {
			_, err := tx.Exec(ctx, `INSERT INTO beside VALUES ($1)`, name)
			return err
		})
		err := clock.System.Write(ctx, n.db, "a", func(*postgres.Tx, clock.Stamp) error { return outcome })
		if !errors.Is(err, outcome) {
			t.Errorf("%s alone: %v", name, err)
		}
		if err := n.Write(ctx, "a", note{name: name, do: func(*postgres.Tx) error { return outcome }}); !errors.Is(err, outcome) {
			t.Errorf("%s together: %v", name, err)
		}
	}
	ctx := clock.Beside(t.Context(), func(context.Context, *postgres.Tx) error { return refused })
	if err := n.Write(ctx, "a", note{name: "alone"}); !errors.Is(err, refused) {
		t.Errorf("a write whose caller's part fails: %v", err)
	}
	if got := n.stored(); got != "astands" {
		t.Errorf("stored are %q", got)
	}
	var written []string
	if err := n.db.Select(context.Background(), &written, `SELECT name FROM beside`); err != nil {
		t.Fatal(err)
	}
	if len(written) != 2 || written[0] != "stands" || written[1] != "stands" {
		t.Errorf("beside: %q, want that of the two writes that stand", written)
	}
}

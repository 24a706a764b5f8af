package clock_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
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
	*clock.Together[note]
	t  *testing.T
	db *postgres.DB

	mu     sync.Mutex
	loaded []string // the names of each transaction's writes, sorted and joined, in the order of loading
}

func newNotes(t *testing.T, accounts ...string) *notes {
	t.Helper()
	n := &notes{t: t, db: pgtest.New(t)}
	n.exec(`CREATE TABLE notes (account_id text NOT NULL, at timestamptz NOT NULL, change bigint NOT NULL, name text NOT NULL)`)
	for _, account := range accounts {
		if err := n.db.InTx(t.Context(), func(tx *postgres.Tx) error { return clock.System.Create(t.Context(), tx, account) }); err != nil {
			t.Fatal(err)
		}
	}
	n.Together = clock.NewTogether(clock.System, n.db, clock.Kind[note]{
		Most: 8,
		Row:  func(w note) string { return w.row },
		Load: func(_ context.Context, _ *postgres.Tx, writes []clock.Loading[note]) error {
			names := make([]string, len(writes))
			for i, w := range writes {
				names[i] = w.AccountID + w.Write.name
			}
			slices.Sort(names)
			n.mu.Lock()
			defer n.mu.Unlock()
			n.loaded = append(n.loaded, strings.Join(names, " "))
			return nil
		},
		Run: func(_ context.Context, tx *postgres.Tx, stamp clock.Stamp, w note) error {
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

// busy has a transaction run until the function that it returns is called.
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

func TestWritesThatMeetShareATransaction(t *testing.T) {
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

func TestOnlyTheWriteThatFailsFails(t *testing.T) {
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
			if errors.Is(errs[1], postgres.ErrSpoilt) {
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

func TestAFailedWriteLeavesItsAccountsClockAlone(t *testing.T) {
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

func TestAClockThatIsHeldHoldsUpNobodyElse(t *testing.T) {
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

func TestWritesAboutOneRowFollowOneAnother(t *testing.T) {
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

// TestAFullTransactionNeedNotWait has a transaction hang, as one does whose connection has been cut.
func TestAFullTransactionNeedNotWait(t *testing.T) {
	t.Parallel()
	n := newNotes(t, "a", "b", "busy")
	release := n.busy()
	defer release()
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

func TestAWriterWhoseTimeIsUp(t *testing.T) {
	t.Parallel()
	n := newNotes(t, "a", "busy")
	release := n.busy()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := n.Write(ctx, "a", note{name: "1"}); !errors.Is(err, context.Canceled) {
		t.Errorf("in the line: %v", err)
	}
	if n.Waiting() != 0 {
		t.Error("it is still in the line")
	}
	release()
	// Whoever is being written for has to wait, and learns what came of it.
	ctx, cancel = context.WithCancel(t.Context())
	err := n.Write(ctx, "a", note{name: "2", do: func(*postgres.Tx) error { cancel(); return nil }})
	if err != nil || n.stored() != "a2" {
		t.Errorf("under way: %v, stored: %s", err, n.stored())
	}
}

// TestAFailedCommitIsNotMadeAgain has PostgreSQL refuse at the commit, where it could as well have done its
// work and been cut off.
func TestAFailedCommitIsNotMadeAgain(t *testing.T) {
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

func TestTogetherForAnUnknownAccount(t *testing.T) {
	t.Parallel()
	if err := newNotes(t).Write(t.Context(), "a", note{}); !fault.Is(err, fault.AccountNotFound) {
		t.Error(err)
	}
}

// TestManyWritersOfManyAccounts has every write stored once, at stamps that rise with the order in which
// the account's writes were made, although some fail and clocks are taken by others as well.
func TestManyWritersOfManyAccounts(t *testing.T) {
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

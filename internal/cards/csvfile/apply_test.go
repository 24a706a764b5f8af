package csvfile

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
)

// numbered is a file of n cards that are titled by their place, from 0.
func numbered(n int) string {
	var b strings.Builder
	b.WriteString("title\n")
	for i := range n {
		fmt.Fprintf(&b, "Card %d\n", i)
	}
	return b.String()
}

// titles are the titles of the account's cards in the order of change.
func (v vault) titles(t testing.TB) (list []string) {
	t.Helper()
	err := v.db.Select(t.Context(), &list, `
		SELECT title FROM cards WHERE account_id = $1 ORDER BY updated_at, id`, v.account)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// wholeOnce checks that the cards are those of numbered(n), each once and in order, that each has its two events
// once, and that nothing of the import is left.
func (v vault) wholeOnce(t testing.TB, n int) {
	t.Helper()
	for i, title := range v.titles(t) {
		if title != fmt.Sprintf("Card %d", i) {
			t.Fatalf("card %d is %q", i, title)
		}
	}
	for table, want := range map[string]int{"cards": n, "events": 2 * n, "card_imports": 0, "card_import_chunks": 0} {
		if got := v.count(t, table); got != want {
			t.Errorf("%s has %d rows, want %d", table, got, want)
		}
	}
}

// interrupted imports numbered(n) and is interrupted when made cards have been made.
func (v vault) interrupted(t testing.TB, n, made int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := v.Import(ctx, v.account, strings.NewReader(numbered(n)), ImportOptions{}, func(done, _ int) {
		if done >= made {
			cancel()
		}
	})
	var unfinished *UnfinishedError
	if !errors.As(err, &unfinished) || unfinished.Made < made || unfinished.Made >= n || unfinished.Cards != n || unfinished.Unknown {
		t.Fatalf("got %v", err)
	}
	if v.count(t, "cards") != unfinished.Made {
		t.Fatalf("%d cards", v.count(t, "cards"))
	}
}

// staged stages numbered(n) and goes no further.
func (v vault) staged(t testing.TB, n int) *staging {
	t.Helper()
	s := &staging{db: v.db, accountID: v.account, importID: fmt.Sprintf("imp_%d", n)}
	if _, err := v.stage(t.Context(), s, strings.NewReader(numbered(n)), ImportOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	return s
}

// A transaction holds the account's clock while other writers wait, so its size is bounded: by cards, copies included,
// and by their size.
func TestImport_BoundsEachTransaction(t *testing.T) {
	t.Parallel()
	v := setup(t)
	long := strings.Repeat("n", 4000)
	content := "title,quantity,notes\nFirst,1,\nMany,1000,\nLong,700," + long + "\nLast,1,\n"
	report, err := v.load(t.Context(), content, ImportOptions{})
	if err != nil || report.Cards != 1702 {
		t.Fatalf("got %+v, %v", report, err)
	}
	var largest struct {
		Cards int `db:"cards"`
		Size  int `db:"size"`
	}
	err = v.db.Get(t.Context(), &largest, `
		SELECT max(cards) AS cards, max(size) AS size
		FROM (SELECT count(*) AS cards, sum(coalesce(length(notes), 0)) AS size FROM cards GROUP BY xmin::text) transactions`)
	if err != nil || largest.Cards > maxBatch*maxChunkCards || largest.Size > maxBatch*maxChunkBytes {
		t.Errorf("a transaction made %d cards of %d bytes, %v; at most %d and %d are wanted",
			largest.Cards, largest.Size, err, maxBatch*maxChunkCards, maxBatch*maxChunkBytes)
	}
	titles := slices.Compact(v.titles(t))
	if want := []string{"First", "Many", "Long", "Last"}; !slices.Equal(titles, want) {
		t.Errorf("the cards stand in the order %v, want %v", titles, want)
	}
}

func TestBatchSize_FollowsTimeHeld(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		size batchSize
		held time.Duration
		want batchSize
	}{
		{1, 10 * time.Millisecond, 2}, {4, 10 * time.Millisecond, maxBatch}, {maxBatch, 0, maxBatch},
		{4, 70 * time.Millisecond, 4}, {maxBatch, time.Second, 2}, {1, time.Second, 1},
	} {
		if got := tc.size.after(tc.held); got != tc.want {
			t.Errorf("after %v for %d chunks come %d, want %d", tc.held, tc.size, got, tc.want)
		}
	}
}

func TestBackground_FinishesInterruptedImport(t *testing.T) {
	t.Parallel()
	v := setup(t)
	const n = 40*maxChunkCards + 7
	v.interrupted(t, n, 2*maxChunkCards)
	loop := v.Background()
	if err := loop.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	deadline := time.After(time.Minute)
	for v.count(t, "card_imports") > 0 {
		select {
		case <-deadline:
			t.Fatal("the import is not finished after a minute")
		case <-time.After(10 * time.Millisecond):
		}
	}
	if err := loop.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	v.wholeOnce(t, n)
}

func TestApply_ByManyProcessesAtOnce(t *testing.T) {
	t.Parallel()
	v := setup(t)
	const n = 6 * maxChunkCards
	s := v.staged(t, n)
	if err := v.accept(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if err := v.apply(t.Context(), s, func(int) {}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	v.wholeOnce(t, n)
}

// A batch that is completed while an import into it is under way stays as its event told; the rest goes into a new one.
func TestApply_LeavesCompletedBatchAlone(t *testing.T) {
	t.Parallel()
	v := setup(t)
	var once sync.Once
	content := strings.ReplaceAll(numbered(maxChunkCards+1), "\n", ",Attic\n")
	content = strings.Replace(content, "title,Attic", "title,batch", 1)
	_, err := v.Import(t.Context(), v.account, strings.NewReader(content), ImportOptions{}, func(int, int) {
		once.Do(func() {
			first := v.all(t)[0]
			if _, err := v.batches.Complete(t.Context(), v.account, *first.BatchID, nil); err != nil {
				t.Error(err)
			}
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	var counts []int
	err = v.db.Select(t.Context(), &counts, `
		SELECT card_count FROM batches WHERE account_id = $1 AND name = 'Attic' ORDER BY created_at`, v.account)
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{maxChunkCards, 1}; !slices.Equal(counts, want) {
		t.Errorf("the batches hold %v cards, want %v", counts, want)
	}
}

// A commit whose outcome is unknown is looked into: only what is known not to have been accepted may be removed.
func TestAccept_ResolvesUnknownCommit(t *testing.T) {
	t.Parallel()
	v := setup(t)
	failure := errors.New("the connection was lost")
	s := v.staged(t, 3)
	if err := v.resolve(t.Context(), s, failure); !errors.Is(err, failure) {
		t.Errorf("not accepted: %v", err)
	}
	if err := v.accept(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if err := v.resolve(t.Context(), s, failure); err != nil {
		t.Errorf("accepted: %v", err)
	}
	if err := v.apply(t.Context(), s, func(int) {}); err != nil {
		t.Fatal(err)
	}
	if err := v.resolve(t.Context(), s, failure); err != nil {
		t.Errorf("finished by a worker: %v", err)
	}
	var unfinished *UnfinishedError
	away := New(closedDB(t), clock.System, nil, nil, nil)
	if err := away.resolve(t.Context(), s, failure); !errors.As(err, &unfinished) || !unfinished.Unknown {
		t.Errorf("without a database: %v", err)
	}
}

// closedDB is a database that does not answer.
func closedDB(t *testing.T) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(postgres.Config{URL: "postgres://nobody@127.0.0.1:1/none?sslmode=disable"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestSweep_RemovesOnlyAbandonedRows(t *testing.T) {
	t.Parallel()
	v := setup(t)
	abandoned, accepted, fresh := v.staged(t, 1), v.staged(t, 2), v.staged(t, 3)
	if err := v.accept(t.Context(), accepted); err != nil {
		t.Fatal(err)
	}
	_, err := v.db.Exec(t.Context(), `
		UPDATE card_import_chunks SET staged_at = now() - interval '73 hours' WHERE account_id = $1 AND import_id <> $2`,
		v.account, fresh.importID)
	if err == nil {
		err = v.sweep(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	if err := v.db.Select(t.Context(), &left, `SELECT import_id FROM card_import_chunks ORDER BY import_id`); err != nil {
		t.Fatal(err)
	}
	if want := []string{accepted.importID, fresh.importID}; !slices.Equal(left, want) {
		t.Errorf("left are %v, want %v", left, want)
	}
	if err := v.accept(t.Context(), abandoned); err == nil {
		t.Error("an import whose rows are gone was accepted")
	}
}

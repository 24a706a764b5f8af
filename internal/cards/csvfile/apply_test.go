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

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/polltest"
	"github.com/cardvault/cardvault/internal/postgres"
)

// numbered returns a file of n cards whose titles contain their place, from 0.
func numbered(n int) string {
	var b strings.Builder
	b.WriteString("title\n")
	for i := range n {
		fmt.Fprintf(&b, "Card %d\n", i)
	}
	return b.String()
}

// titles returns the titles of the account's cards, ordered by their last update.
func (v vault) titles(t testing.TB) (list []string) {
	t.Helper()
	err := v.db.Select(t.Context(), &list, `
		SELECT title FROM cards WHERE account_id = $1 ORDER BY updated_at, id`, v.account)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// checkImported checks that the cards are those of numbered(n), each once and in order, that each has its two events
// once, and that no rows of the import are left.
func (v vault) checkImported(t testing.TB, n int) {
	t.Helper()
	for i, title := range v.titles(t) {
		if title != fmt.Sprintf("Card %d", i) {
			t.Fatalf("card %d is %q, want Card %d", i, title, i)
		}
	}
	for table, want := range map[string]int{"cards": n, "events": 2 * n, "card_imports": 0, "card_import_chunks": 0} {
		if got := v.count(t, table); got != want {
			t.Errorf("%s has %d rows, want %d", table, got, want)
		}
	}
}

// interrupted imports numbered(n) and cancels the import after it created the given number of cards.
func (v vault) interrupted(t testing.TB, n, made int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := v.Import(ctx, v.account, strings.NewReader(numbered(n)), ImportOptions{}, func(done, _ int) {
		if done >= made {
			cancel()
		}
	})
	var unfinished *UnfinishedError
	if !errors.As(err, &unfinished) || unfinished.Made < made || unfinished.Made >= n || unfinished.Cards != n ||
		unfinished.Unknown {
		t.Fatalf("Import = %v, want at least %d of %d cards created", err, made, n)
	}
	if got := v.count(t, "cards"); got != unfinished.Made {
		t.Fatalf("%d cards, but the error reports %d", got, unfinished.Made)
	}
}

// staged stages numbered(n) without accepting it.
func (v vault) staged(t testing.TB, n int) *staging {
	t.Helper()
	s := &staging{db: v.db, accountID: v.account, importID: fmt.Sprintf("imp_%d", n)}
	if _, _, err := v.stage(t.Context(), s, strings.NewReader(numbered(n)), ImportOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	return s
}

// A transaction holds the account's clock while other writers wait. So the number of its cards, including copies, and
// their size are bounded.
func TestImport_BoundsEachTransaction(t *testing.T) {
	t.Parallel()
	v := setup(t)
	long := strings.Repeat("n", 4000)
	content := "title,quantity,notes\nFirst,1,\nMany,1000,\nLong,700," + long + "\nLast,1,\n"
	report, err := v.load(t.Context(), content, ImportOptions{})
	if err != nil || report.Cards != 1702 {
		t.Fatalf("Import = %+v, %v, want 1702 cards", report, err)
	}
	var largest struct {
		Cards int `db:"cards"`
		Size  int `db:"size"`
	}
	err = v.db.Get(t.Context(), &largest, `
		SELECT max(cards) AS cards, max(size) AS size FROM (
			SELECT count(*) AS cards, sum(coalesce(length(notes), 0)) AS size FROM cards GROUP BY xmin::text
		) transactions`)
	if err != nil || largest.Cards > maxBatch*maxChunkCards || largest.Size > maxBatch*maxChunkBytes {
		t.Errorf("a transaction created %d cards of %d bytes, %v, want at most %d and %d",
			largest.Cards, largest.Size, err, maxBatch*maxChunkCards, maxBatch*maxChunkBytes)
	}
	if diff := cmp.Diff([]string{"First", "Many", "Long", "Last"}, slices.Compact(v.titles(t))); diff != "" {
		t.Errorf("order of the cards (-want +got):\n%s", diff)
	}
}

func TestBatchSize_After(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		size batchSize
		held time.Duration
		want batchSize
	}{
		"fast":          {1, 10 * time.Millisecond, 2},
		"nearly full":   {4, 10 * time.Millisecond, maxBatch},
		"full":          {maxBatch, 0, maxBatch},
		"within limit":  {4, 70 * time.Millisecond, 4},
		"slow":          {maxBatch, time.Second, 2},
		"slow, minimum": {1, time.Second, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tc.size.after(tc.held); got != tc.want {
				t.Errorf("after(%v) of %d chunks = %d, want %d", tc.held, tc.size, got, tc.want)
			}
		})
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
	polltest.Until(t, time.Minute, "the import is finished", func() bool { return v.count(t, "card_imports") == 0 })
	if err := loop.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	v.checkImported(t, n)
}

func TestApply_InSeveralProcesses(t *testing.T) {
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
	v.checkImported(t, n)
}

// A batch that is completed during an import keeps the number of cards of its event. The remaining cards go into a new
// batch.
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
	if diff := cmp.Diff([]int{maxChunkCards, 1}, counts); diff != "" {
		t.Errorf("cards of the batches (-want +got):\n%s", diff)
	}
}

// If the outcome of a commit is unknown, resolve reads it: an import may only be removed if it was not accepted.
func TestAccept_ResolvesUnknownCommit(t *testing.T) {
	t.Parallel()
	v := setup(t)
	failure := errors.New("the connection was lost")
	s := v.staged(t, 3)
	if err := v.resolve(t.Context(), s, failure); !errors.Is(err, failure) {
		t.Errorf("not accepted: %v, want %v", err, failure)
	}
	if err := v.accept(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if err := v.resolve(t.Context(), s, failure); err != nil {
		t.Errorf("accepted: %v, want no error", err)
	}
	if err := v.apply(t.Context(), s, func(int) {}); err != nil {
		t.Fatal(err)
	}
	if err := v.resolve(t.Context(), s, failure); err != nil {
		t.Errorf("finished by a worker: %v, want no error", err)
	}
	var unfinished *UnfinishedError
	unreachable := New(unreachableDB(t), clock.System, nil, nil, nil)
	if err := unreachable.resolve(t.Context(), s, failure); !errors.As(err, &unfinished) || !unfinished.Unknown {
		t.Errorf("without a database: %v, want an UnfinishedError with Unknown", err)
	}
}

// unreachableDB returns a database that cannot be reached.
func unreachableDB(t *testing.T) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(postgres.Config{URL: "postgres://cardvault@127.0.0.1:1/none?sslmode=disable"})
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
		UPDATE card_import_chunks SET staged_at = now() - interval '73 hours'
		WHERE account_id = $1 AND import_id <> $2`, v.account, fresh.importID)
	if err == nil {
		err = v.sweep(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	err = v.db.Select(t.Context(), &left, `SELECT import_id FROM card_import_chunks ORDER BY import_id`)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{accepted.importID, fresh.importID}, left); diff != "" {
		t.Errorf("imports (-want +got):\n%s", diff)
	}
	if err := v.accept(t.Context(), abandoned); err == nil {
		t.Error("accept of an import without rows returns no error")
	}
}

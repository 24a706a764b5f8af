package callbudget_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces/callbudget"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

const ada, eve = "acc_ada", "acc_eve"

// spend stores how many calls an account made before a number of days.
func spend(t *testing.T, db *postgres.DB, account string, daysAgo, calls int) {
	t.Helper()
	_, err := db.Exec(t.Context(), `
		INSERT INTO marketplace_calls (account_id, marketplace, day, calls)
		VALUES ($1, 'ebay', (now() AT TIME ZONE 'UTC')::date - $2::int, $3)
		ON CONFLICT (account_id, marketplace, day) DO UPDATE SET calls = excluded.calls`, account, daysAgo, calls)
	if err != nil {
		t.Fatal(err)
	}
}

// TestBudget_Take checks which uses have calls left after a number of calls, of 1,000.
func TestBudget_Take(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	b := callbudget.New(db, "ebay", 1000)
	const following, publishing, checking = callbudget.Following, callbudget.Publishing, callbudget.Checking
	for _, tc := range []struct {
		calls int
		use   callbudget.Use
		taken bool
	}{
		{19, checking, true}, // 500 of 24 hours are 20 in the first
		{521, checking, false},
		{799, publishing, true},
		{800, publishing, false},
		{999, following, true},
		{1000, following, false},
	} {
		spend(t, db, ada, 0, tc.calls)
		err := b.Take(t.Context(), ada, tc.use)
		wait := time.Duration(0)
		if f, ok := fault.As(err); ok && f.Code == fault.Unavailable {
			wait = f.RetryAfter
		} else if err != nil {
			t.Fatal(err)
		}
		if (err == nil) != tc.taken || !tc.taken && (wait <= 0 || wait > 24*time.Hour) {
			t.Errorf("use %d after %d calls: got %v, wait %v, want taken %t", tc.use, tc.calls, err, wait, tc.taken)
		}
		if err := b.Take(t.Context(), eve, tc.use); err != nil {
			t.Errorf("another account: got %v", err)
		}
	}
	if err := callbudget.New(db, "other", 1000).Take(t.Context(), ada, following); err != nil {
		t.Errorf("another marketplace: got %v", err)
	}
}

func TestBudget_TakeAtOnce(t *testing.T) {
	t.Parallel()
	b := callbudget.New(pgtest.New(t), "ebay", 10)
	var taken atomic.Int32
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if b.Take(t.Context(), ada, callbudget.Following) == nil {
				taken.Add(1)
			}
		})
	}
	all.Wait()
	if taken.Load() != 10 {
		t.Errorf("%d calls of 20 were taken, want 10", taken.Load())
	}
}

func TestBudget_Today(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	b := callbudget.New(db, "ebay", 1000)
	spend(t, db, ada, 1, 1000)
	for calls, want := range map[int]callbudget.Day{
		1:   {Calls: 1, PerDay: 1000},
		800: {Calls: 800, PerDay: 1000, PublishingWaits: true},
	} {
		spend(t, db, ada, 0, calls)
		got, err := b.Today(t.Context(), ada)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("Today: %v (-want +got)\n%s", err, diff)
		}
	}
	if got, err := b.Today(t.Context(), eve); err != nil || got.Calls != 0 {
		t.Errorf("an account without calls: got %+v, %v", got, err)
	}
}

func TestBudget_PublishingSince(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	b := callbudget.New(db, "ebay", 1000)
	since := func() string {
		t.Helper()
		at, err := b.PublishingSince(t.Context(), ada)
		if err != nil {
			t.Fatal(err)
		}
		if at.IsZero() {
			return "ever"
		}
		var today time.Time
		if err := db.Get(t.Context(), &today, `SELECT date_trunc('day', now(), 'UTC')`); err != nil {
			t.Fatal(err)
		}
		return at.Sub(today).String()
	}
	spend(t, db, ada, 0, 799)
	spend(t, db, eve, 0, 1000)
	if got := since(); got != "ever" {
		t.Errorf("without a day that was used up: got %s", got)
	}
	spend(t, db, ada, 3, 800)
	if got := since(); got != "-48h0m0s" {
		t.Errorf("used up three days ago: got %s, want -48h", got)
	}
	spend(t, db, ada, 0, 900)
	if got := since(); got != "24h0m0s" {
		t.Errorf("used up today: got %s, want 24h", got)
	}
}

func TestBudget_DeletesOldCounts(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	spend(t, db, ada, 90, 1)
	spend(t, db, ada, 91, 1)
	spend(t, db, eve, 91, 1)
	if err := callbudget.New(db, "ebay", 10).Take(t.Context(), ada, callbudget.Following); err != nil {
		t.Fatal(err)
	}
	var left []string
	err := db.Select(t.Context(), &left, `
		SELECT account_id || ' ' || ((now() AT TIME ZONE 'UTC')::date - day) FROM marketplace_calls ORDER BY 1`)
	if diff := cmp.Diff([]string{"acc_ada 0", "acc_ada 90", "acc_eve 91"}, left); err != nil || diff != "" {
		t.Errorf("counts: %v (-want +got)\n%s", err, diff)
	}
}

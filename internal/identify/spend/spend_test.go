package spend_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/identify/spend"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

const ada, eve = "acc_ada", "acc_eve"

// TestBudget_Reserve spends a budget of a dollar with two providers.
func TestBudget_Reserve(t *testing.T) {
	t.Parallel()
	b := spend.New(pgtest.New(t), spend.Dollars(1))
	for i, tc := range []struct {
		account, provider string
		dollars           float64
		reserved          bool
	}{
		{ada, "gemini", 1.01, false},
		{ada, "gemini", 0.6, true},
		{ada, "openai", 0.5, false}, // all providers have one budget
		{ada, "openai", 0.4, true},
		{ada, "openai", 0.000001, false},
		{ada, "openai", 0, true}, // costs nothing
		{eve, "gemini", 1, true},
	} {
		_, err := b.Reserve(t.Context(), tc.account, tc.provider, spend.Dollars(tc.dollars))
		f, _ := fault.As(err)
		if (err == nil) != tc.reserved || !tc.reserved &&
			(f == nil || f.Code != fault.Unavailable || f.RetryAfter <= 0 || f.RetryAfter > 24*time.Hour) {
			t.Errorf("call %d, %s: got %v, want reserved %t", i, tc.account, err, tc.reserved)
		}
	}
	got, err := b.Today(t.Context(), ada)
	want := spend.Day{PerDay: 1_000_000, Spent: 1_000_000, Providers: []spend.Share{
		{Provider: "gemini", Calls: 1, Spent: 600_000}, {Provider: "openai", Calls: 2, Spent: 400_000},
	}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("Today: %v (-want +got)\n%s", err, diff)
	}
}

// TestBudget_ReserveAtOnce reserves by two budgets, as two processes have them.
func TestBudget_ReserveAtOnce(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	budgets := []*spend.Budget{spend.New(db, spend.Dollars(1)), spend.New(db, spend.Dollars(1))}
	var reserved atomic.Int32
	var all sync.WaitGroup
	for i := range 24 {
		all.Go(func() {
			provider := []string{"gemini", "openai"}[i%3%2]
			if _, err := budgets[i%2].Reserve(t.Context(), ada, provider, 100_000); err == nil {
				reserved.Add(1)
			}
		})
	}
	all.Wait()
	if reserved.Load() != 10 {
		t.Errorf("%d calls of 24 at $0.10 were reserved of a dollar, want 10", reserved.Load())
	}
}

func TestReservation_Release(t *testing.T) {
	t.Parallel()
	b := spend.New(pgtest.New(t), spend.Dollars(1))
	r, err := b.Reserve(t.Context(), ada, "gemini", spend.Dollars(1))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := b.Today(t.Context(), ada); err != nil || got.Spent != 0 || len(got.Providers) != 0 {
		t.Errorf("Today: got %+v, %v, want nothing spent", got, err)
	}
	if _, err := b.Reserve(t.Context(), ada, "gemini", spend.Dollars(1)); err != nil {
		t.Errorf("Reserve after Release: got %v", err)
	}
}

func TestBudget_DeletesOldCounts(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	for _, daysAgo := range []int{90, 91} {
		_, err := db.Exec(t.Context(), `
			INSERT INTO identification_spend (account_id, day, provider, calls, micros)
			SELECT account_id, (now() AT TIME ZONE 'UTC')::date - $1::int, 'gemini', 1, 1
			FROM unnest(ARRAY['acc_ada', 'acc_eve']) AS account_id`, daysAgo)
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := spend.New(db, 1).Reserve(t.Context(), ada, "gemini", 1); err != nil {
		t.Fatal(err)
	}
	var left []string
	err := db.Select(t.Context(), &left, `
		SELECT account_id || ' ' || ((now() AT TIME ZONE 'UTC')::date - day) FROM identification_spend
		WHERE provider <> '' ORDER BY 1`)
	want := []string{"acc_ada 0", "acc_ada 90", "acc_eve 90", "acc_eve 91"}
	if diff := cmp.Diff(want, left); err != nil || diff != "" {
		t.Errorf("counts: %v (-want +got)\n%s", err, diff)
	}
}

func TestMicros_String(t *testing.T) {
	t.Parallel()
	for micros, want := range map[spend.Micros]string{
		0: "$0.00", 5_000_000: "$5.00", 10_000: "$0.01", 1_500: "$0.0015", 1: "$0.000001",
	} {
		if got := micros.String(); got != want {
			t.Errorf("%d: got %s, want %s", int64(micros), got, want)
		}
	}
}

package usage

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// setup returns a migrated database with two accounts.
func setup(t *testing.T) (db *postgres.DB, mine, theirs string) {
	t.Helper()
	db = pgtest.New(t)
	if err := Prepare(t.Context(), db, clock.System); err != nil {
		t.Fatal(err)
	}
	service := accounts.New(db, clock.System)
	var ids [2]string
	for i := range ids {
		account, err := service.Create(t.Context(), t.Name(), false)
		if err != nil {
			t.Fatal(err)
		}
		ids[i] = account.ID
	}
	return db, ids[0], ids[1]
}

// report returns the usage of the last two hours: the current one may begin while a test runs.
func report(t *testing.T, db *postgres.DB, accountID, tokenID string) (tokens []Token, total Classes) {
	t.Helper()
	r, err := NewLog(db, clock.System).Report(t.Context(), accountID, tokenID, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range r.Hours {
		total.Add(h.Classes)
	}
	return r.Tokens, total
}

// repeat counts requests of a token, the first ones refused.
func (c *Counter) repeat(accountID, tokenID string, class ratelimit.Class, requests, refused int) {
	for i := range requests {
		c.Count(accountID, tokenID, class, i < refused)
	}
}

func TestCounter_Store(t *testing.T) {
	t.Parallel()
	db, mine, theirs := setup(t)
	a, b := NewCounter(db), NewCounter(db) // of two processes
	for range 2 {
		a.repeat(mine, "tok_1", ratelimit.Read, 5, 2)
		a.repeat(mine, "tok_1", ratelimit.Write, 3, 0)
		b.repeat(mine, "tok_1", ratelimit.AI, 1, 1)
		b.repeat(mine, "tok_2", ratelimit.Read, 2, 0)
		b.repeat(theirs, "tok_3", ratelimit.Read, 4, 0)
		a.Count(mine, "tok_1", "lookup", true) // no class of requests
		for _, c := range []*Counter{a, b, b} {
			if err := c.Store(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	tokens, total := report(t, db, mine, "")
	one := Classes{Read: Counts{10, 4}, Write: Counts{6, 0}, AI: Counts{2, 2}}
	if diff := cmp.Diff([]Token{{"tok_1", one}, {"tok_2", Classes{Read: Counts{4, 0}}}}, tokens); diff != "" {
		t.Errorf("tokens (-want +got):\n%s", diff)
	}
	if want := (Classes{Read: Counts{14, 4}, Write: Counts{6, 0}, AI: Counts{2, 2}}); total != want {
		t.Errorf("hours: got %+v, want %+v", total, want)
	}
	if tokens, total := report(t, db, mine, "tok_1"); len(tokens) != 1 || total != one {
		t.Errorf("one token: got %+v, %+v, want %+v", tokens, total, one)
	}
	if tokens, total := report(t, db, mine, "tok_3"); len(tokens) != 0 || total != (Classes{}) {
		t.Errorf("another account's token: got %+v, %+v", tokens, total)
	}
}

func TestCounter_KeepsCountsThatWereNotStored(t *testing.T) {
	t.Parallel()
	db, mine, theirs := setup(t)
	c := NewCounter(db)
	c.repeat(mine, "tok_1", ratelimit.Read, 3, 1)
	c.repeat(theirs, "tok_2", ratelimit.Write, 2, 0)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Store(canceled); err == nil {
		t.Fatal("Store with a canceled context returned no error")
	}
	c.repeat(mine, "tok_1", ratelimit.Read, 1, 0)
	if err := c.Store(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, total := report(t, db, mine, ""); total.Read != (Counts{4, 1}) {
		t.Errorf("got %+v, want 4 reads, one of them refused", total)
	}
	if _, total := report(t, db, theirs, ""); total.Write != (Counts{2, 0}) {
		t.Errorf("got %+v, want 2 writes", total)
	}
}

func TestCounter_Concurrent(t *testing.T) {
	t.Parallel()
	db, mine, _ := setup(t)
	c := NewCounter(db)
	const clients, each = 8, 500
	var counting sync.WaitGroup
	for i := range clients {
		counting.Go(func() { c.repeat(mine, "tok_"+strconv.Itoa(i%3), ratelimit.Read, each, each/2) })
	}
	for range 5 {
		if err := c.Store(t.Context()); err != nil {
			t.Error(err)
		}
	}
	counting.Wait()
	if err := c.Store(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, total := report(t, db, mine, ""); total.Read != (Counts{clients * each, clients * each / 2}) {
		t.Errorf("got %+v, want %d reads, half of them refused", total, clients*each)
	}
}

func TestCounter_BoundedTokens(t *testing.T) {
	t.Parallel()
	c := NewCounter(nil)
	for i := range maxTokens + 10 {
		c.Count("acc", strconv.Itoa(i), ratelimit.Read, false)
	}
	c.Count("acc", "0", ratelimit.Read, false) // one that is counted already
	if len(c.tallies) != maxTokens || c.uncounted.Load() != 10 {
		t.Errorf("%d tokens, %d requests not counted; want %d and 10", len(c.tallies), c.uncounted.Load(), maxTokens)
	}
}

func TestBatchLength(t *testing.T) {
	t.Parallel()
	list := []counted{{accountID: "a"}, {accountID: "a"}, {accountID: "b"}}
	many := slices.Repeat(list[:1], maxBatch+1)
	for _, c := range []struct {
		name   string
		list   []counted
		shared bool
		want   int
	}{
		{"accounts share a statement", list, true, 3},
		{"an account has a statement of its own", list, false, 2},
		{"the last account", list[2:], false, 1},
		{"too many tokens", many, true, maxBatch},
		{"too many tokens of one account", many, false, maxBatch},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := batchLength(c.list, c.shared); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}

func TestLog_Report(t *testing.T) {
	t.Parallel()
	db, mine, _ := setup(t)
	now := time.Date(2026, 5, 11, 15, 32, 1, 0, time.UTC)
	hour := now.Truncate(time.Hour)
	for ago, n := range map[int]int64{0: 1, 2: 10, 3: 100} {
		list := []counted{{mine, "tok_1", Classes{Write: Counts{n, n}}}, {mine, "tok_2", Classes{AI: Counts{2 * n, 0}}}}
		if err := addTo(t.Context(), db, hour.Add(-time.Duration(ago)*time.Hour), list); err != nil {
			t.Fatal(err)
		}
	}
	log := NewLog(db, clock.Clock{Now: func() time.Time { return now }})
	got, err := log.Report(t.Context(), mine, "", 3)
	if err != nil {
		t.Fatal(err)
	}
	want := Report{
		Since: hour.Add(-2 * time.Hour), Before: hour.Add(time.Hour),
		Hours: []Hour{
			{hour.Add(-2 * time.Hour), Classes{Write: Counts{10, 10}, AI: Counts{20, 0}}},
			{hour.Add(-time.Hour), Classes{}},
			{hour, Classes{Write: Counts{1, 1}, AI: Counts{2, 0}}},
		},
		Tokens: []Token{{"tok_2", Classes{AI: Counts{22, 0}}}, {"tok_1", Classes{Write: Counts{11, 11}}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

// A process may still have counts of an account whose rows were deleted. They must not come back.
func TestCounter_ClosedAccount(t *testing.T) {
	t.Parallel()
	db, mine, theirs := setup(t)
	if _, err := db.Exec(t.Context(), `UPDATE accounts SET closed_at = now() WHERE id = $1`, mine); err != nil {
		t.Fatal(err)
	}
	c := NewCounter(db)
	c.repeat(mine, "tok_1", ratelimit.Read, 3, 0)
	c.repeat(theirs, "tok_2", ratelimit.Read, 2, 0)
	c.repeat("acc_gone", "tok_3", ratelimit.Read, 1, 0)
	if err := c.Store(t.Context()); err != nil {
		t.Fatal(err)
	}
	var stored []string
	if err := db.Select(t.Context(), &stored, `SELECT token_id FROM request_usage`); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"tok_2"}, stored); diff != "" {
		t.Errorf("stored tokens (-want +got):\n%s", diff)
	}
}

func TestUpkeep(t *testing.T) {
	t.Parallel()
	db, mine, _ := setup(t)
	now := time.Now().UTC().Truncate(time.Hour)
	for _, age := range []time.Duration{0, MaxHours * time.Hour, Retention + 24*time.Hour} {
		list := []counted{{mine, "tok_1", Classes{Read: Counts{1, 0}}}}
		if err := addTo(t.Context(), db, now.Add(-age), list); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the second call drops the partition that the first one made for the oldest row
		if _, err := NewUpkeep(db, clock.System).Once(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var hours []time.Time
	if err := db.Select(t.Context(), &hours, `SELECT hour FROM request_usage ORDER BY hour`); err != nil {
		t.Fatal(err)
	}
	for i := range hours {
		hours[i] = hours[i].UTC()
	}
	if diff := cmp.Diff([]time.Time{now.Add(-MaxHours * time.Hour), now}, hours); diff != "" {
		t.Errorf("kept hours (-want +got):\n%s", diff)
	}
}

func BenchmarkCounterCount(b *testing.B) {
	c := NewCounter(nil)
	b.ReportAllocs()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			c.Count("acc_1", "tok_01hzy3v8k2m5n7p9q1r3s5t7v9", ratelimit.Read, false)
		}
	})
}

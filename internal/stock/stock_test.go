package stock

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
)

// usd returns what a report contains for a day without a date.
func usd(cards, asking, cost int64) []Value { return []Value{{"USD", cards, asking, cost}} }

func TestDayOf(t *testing.T) {
	t.Parallel()
	group := func(status cards.Status, count int64, asking, cost []money.Money, in map[string]int64) cards.Group {
		value := string(status)
		return cards.Group{Value: &value, Totals: cards.Totals{
			Count: count, AskingPrice: asking, Cost: cost, ByCurrency: in,
		}}
	}
	dollars := []money.Money{{Amount: 500, Currency: "USD"}}
	yen := []money.Money{{Amount: 70, Currency: "JPY"}}
	date := time.Date(2026, 5, 11, 0, 0, 0, 0, time.UTC)
	for name, tc := range map[string]struct {
		groups []cards.Group
		want   Day
	}{
		"nothing": {nil, Day{Date: date}},
		"no prices": {
			[]cards.Group{group(cards.Imported, 3, nil, nil, nil)},
			Day{Date: date, Cards: 3},
		},
		"sold and archived cards do not count": {
			[]cards.Group{
				group(cards.Sold, 2, dollars, dollars, map[string]int64{"USD": 2}),
				group(cards.Archived, 1, dollars, yen, map[string]int64{"USD": 1, "JPY": 1}),
				group(cards.Listed, 4, dollars, nil, map[string]int64{"USD": 4}),
			},
			Day{Date: date, Cards: 4, Values: usd(4, 500, 0)},
		},
		"several groups and currencies": {
			[]cards.Group{
				group(cards.Listed, 4, dollars, yen, map[string]int64{"USD": 4, "JPY": 2}),
				group(cards.Priced, 5, dollars, dollars, map[string]int64{"USD": 3}),
			},
			Day{Date: date, Cards: 9, Values: []Value{{"JPY", 2, 0, 70}, {"USD", 7, 1000, 500}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, dayOf(date, &cards.Summary{Groups: tc.groups})); diff != "" {
				t.Errorf("day (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAccount_Today(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 11, 23, 30, 0, 0, time.UTC)
	for zone, want := range map[string]string{
		"UTC": "2026-05-11", "Europe/Berlin": "2026-05-12", "America/New_York": "2026-05-11",
		"Pacific/Kiritimati": "2026-05-12",
	} {
		if got := (account{TimeZone: zone, Now: now}).today().Format(time.DateOnly); got != want {
			t.Errorf("%s: got %s, want %s", zone, got, want)
		}
	}
}

func TestService_Report(t *testing.T) {
	t.Parallel()
	s := setup(t)
	today := s.today()
	for _, ago := range []int{MaxDays, MaxDays - 1, 84, 83, 40, 1} {
		s.store(s.mine, day(today, ago, int64(ago), usd(2, int64(ago)*100, 50)), 0)
	}
	s.store(s.theirs, day(today, 3, 1, usd(1, 9, 9)), 0)
	s.add(s.mine, 900, 300)
	for days, ago := range map[int][]int{
		1: {0}, 2: {1, 0}, 84: {83, 40, 1, 0}, 85: {84, 83, 40, 1, 0}, MaxDays: {MaxDays - 1, 84, 83, 40, 1, 0},
	} {
		t.Run(fmt.Sprint(days, " days"), func(t *testing.T) {
			var want []Day
			for _, n := range ago {
				want = append(want, day(today, n, int64(n), usd(2, int64(n)*100, 50)))
			}
			want[len(want)-1] = day(today, 0, 1, usd(1, 900, 300)) // as it is now
			got, err := s.service.Report(t.Context(), s.mine, days)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(Report{TimeZone: s.zone, Today: today, Days: want}, got); diff != "" {
				t.Errorf("report (-want +got):\n%s", diff)
			}
		})
	}
	if _, err := s.service.Report(t.Context(), "acc_gone", 7); !fault.Is(err, fault.AccountNotFound) {
		t.Errorf("an account that does not exist: %v, want account_not_found", err)
	}
}

func TestRecorder_Rounds(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.add(s.mine, 500, 100)
	s.round()
	today := s.today()
	s.want(s.mine, "recorded", day(today, 0, 1, usd(1, 500, 100)))
	s.want(s.theirs, "an account without cards", day(today, 0, 0, nil))

	s.round()
	if s.cards.reads != 2 {
		t.Errorf("cards were read %d times, want once for each account: they have not changed since", s.cards.reads)
	}
	s.add(s.mine, 250, 100)
	s.visit() // not due
	s.want(s.mine, "within an hour", day(today, 0, 1, usd(1, 500, 100)))
	s.round()
	s.want(s.mine, "after a change", day(today, 0, 2, usd(2, 750, 200)))

	s.archiveAll(s.mine)
	s.round()
	s.want(s.mine, "without a price in the currency", day(today, 0, 0, nil))
}

func TestRecorder_NewDay(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.add(s.mine, 500, 100)
	s.round()
	today, reads := s.today(), s.cards.reads
	s.age(1)
	s.round()
	if s.cards.reads != reads {
		t.Errorf("cards were read %d times, want none: nothing has changed since yesterday", s.cards.reads-reads)
	}
	s.want(s.mine, "unchanged", day(today, 1, 1, usd(1, 500, 100)), day(today, 0, 1, usd(1, 500, 100)))

	s.age(3) // the service was off
	s.add(s.mine, 250, 100)
	s.round()
	s.want(s.mine, "changed", day(today, 4, 1, usd(1, 500, 100)), day(today, 3, 1, usd(1, 500, 100)),
		day(today, 0, 2, usd(2, 750, 200)))

	s.age(MaxDays - 4)
	s.round()
	s.want(s.mine, "old days are deleted", day(today, MaxDays-1, 1, usd(1, 500, 100)),
		day(today, MaxDays-4, 2, usd(2, 750, 200)), day(today, 0, 2, usd(2, 750, 200)))
}

// Two processes record the same account. The one that has read the cards first stores last.
func TestStore_KeepsLaterChange(t *testing.T) {
	t.Parallel()
	s := setup(t)
	today := s.today()
	s.store(s.mine, day(today, 0, 3, usd(3, 300, 30)), 8)
	s.store(s.mine, day(today, 0, 5, []Value{{"JPY", 5, 5, 5}, {"USD", 5, 5, 5}}), 7)
	s.want(s.mine, "an earlier change", day(today, 0, 3, usd(3, 300, 30)))
	var storing sync.WaitGroup
	for change := int64(9); change < 17; change++ {
		values := []Value{{"EUR", change, 1, 1}}
		if change%2 == 0 {
			values = []Value{{"JPY", change, 1, 1}, {"USD", change, 2, 2}}
		}
		storing.Go(func() { s.store(s.mine, day(today, 0, change, values), change) })
	}
	storing.Wait()
	s.want(s.mine, "the last change", day(today, 0, 16, []Value{{"JPY", 16, 1, 1}, {"USD", 16, 2, 2}}))
}

// One account's failure does not keep others from being recorded, and is made good in the next round.
func TestRecorder_ContinuesAfterFailure(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := []string{s.mine, s.theirs}
	slices.Sort(ids)
	for _, fail := range []func(){func() { s.cards.err = errors.New("boom") }, func() { s.cards.panics = true }} {
		s.cards.fails = ids[0]
		fail()
		s.add(ids[0], 500, 100)
		s.add(ids[1], 500, 100)
		s.round()
	}
	s.want(ids[0], "the failing account")
	s.want(ids[1], "the other account", day(s.today(), 0, 2, usd(2, 1000, 200)))
	s.cards.fails = ""
	s.round()
	s.want(ids[0], "the next round", day(s.today(), 0, 2, usd(2, 1000, 200)))
}

// A process that is stopped between two accounts leaves the rest to the next one.
func TestRecorder_ContinuesAfterStop(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := []string{s.mine, s.theirs}
	slices.Sort(ids)
	s.due()
	if _, held, err := s.recorder.claim(t.Context()); err != nil || !held {
		t.Fatalf("claim: %v, %v", held, err)
	}
	s.visit()
	s.want(ids[0], "another process has the lease")
	if held, err := s.recorder.advance(t.Context(), "", ids[0], 0); err != nil || !held {
		t.Fatalf("advance: %v, %v", held, err)
	}
	s.visit()
	s.want(ids[0], "recorded by the first process")
	s.want(ids[1], "recorded by the second process", day(s.today(), 0, 0, nil))
	if held, err := s.recorder.advance(t.Context(), ids[0], ids[1], 0); err != nil || held {
		t.Errorf("advance of a process whose lease has expired: %v, %v", held, err)
	}
}

func TestRecorder_ClosedAccount(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.exec(`UPDATE accounts SET closed_at = now() WHERE id = $1`, s.mine)
	s.round()
	s.want(s.mine, "after a round")
	s.store(s.mine, day(s.today(), 0, 1, usd(1, 1, 1)), 5) // the account was closed in the meantime
	s.want(s.mine, "after a store")
	if _, err := s.service.Report(t.Context(), s.mine, 1); !fault.Is(err, fault.AccountNotFound) {
		t.Errorf("Report: %v, want account_not_found", err)
	}
}

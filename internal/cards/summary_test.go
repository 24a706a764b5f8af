package cards_test

import (
	"fmt"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
)

// groupsOf returns the groups of a summary as texts, and the total last.
func groupsOf(s *cards.Summary) (list []string) {
	line := func(name string, t cards.Totals) {
		list = append(list, fmt.Sprintf("%s %d %v %v %v", name, t.Count, t.AskingPrice, t.Cost, t.ByCurrency))
	}
	for _, g := range s.Groups {
		name := "-"
		if g.Value != nil {
			name = *g.Value
		}
		line(name, g.Totals)
	}
	line("total", s.Total)
	return list
}

func TestSummarize(t *testing.T) {
	t.Parallel()
	i := setup(t)
	yen := money.Money{Amount: 1200, Currency: "JPY"}
	fox, one := cards.Set("Ember Fox"), cards.Set("A/1")
	for _, p := range []cards.Patch{
		{Title: fox, AskingPrice: cards.Set(usd(500)), Cost: cards.Set(yen), Location: one},
		{Title: fox, AskingPrice: cards.Set(usd(250)), Cost: cards.Set(usd(100)), Location: one},
		{Title: cards.Set("Tide Crab"), AskingPrice: cards.Set(yen), Location: cards.Set("A/2"),
			Game: cards.Set("magic")},
		{Title: cards.Set("Glass Heron")},
		{},
	} {
		i.create(t, cards.Draft{Patch: p})
	}
	ember, magic := "ember", "magic"
	for name, tc := range map[string]struct {
		by   string
		f    cards.Filter
		want []string
	}{
		"status": {"status", cards.Filter{}, []string{
			"priced 3 [1200 JPY 7.50 USD] [1200 JPY 1.00 USD] map[JPY:2 USD:2]", "identified 1 [] [] map[]",
			"imported 1 [] [] map[]", "total 5 [1200 JPY 7.50 USD] [1200 JPY 1.00 USD] map[JPY:2 USD:2]"}},
		"location": {"location", cards.Filter{}, []string{
			"- 2 [] [] map[]", "A/1 2 [7.50 USD] [1200 JPY 1.00 USD] map[JPY:1 USD:2]",
			"A/2 1 [1200 JPY] [] map[JPY:1]",
			"total 5 [1200 JPY 7.50 USD] [1200 JPY 1.00 USD] map[JPY:2 USD:2]"}},
		"found by an index": {"location", cards.Filter{Query: &ember}, []string{
			"A/1 2 [7.50 USD] [1200 JPY 1.00 USD] map[JPY:1 USD:2]",
			"total 2 [7.50 USD] [1200 JPY 1.00 USD] map[JPY:1 USD:2]"}},
		"filtered": {"game", cards.Filter{Game: &magic}, []string{
			"magic 1 [1200 JPY] [] map[JPY:1]", "total 1 [1200 JPY] [] map[JPY:1]"}},
		"nothing": {"batch", cards.Filter{IDs: []string{"none"}}, []string{"total 0 [] [] map[]"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := i.cards.Summarize(t.Context(), i.account, tc.f, tc.by)
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(tc.want, groupsOf(got)); diff != "" {
				t.Errorf("groups (-want +got):\n%s", diff)
			}
			now, err := i.cards.SummarizeNow(t.Context(), i.account, tc.f, tc.by)
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(got, now); diff != "" {
				t.Errorf("SummarizeNow differs from Summarize (-want +got):\n%s", diff)
			}
			i.checkSummed(t, tc.f, tc.by, tc.want)
		})
	}
}

// checkSummed checks that ListSummed returns the page that List returns and a summary with these groups.
func (i inventory) checkSummed(t *testing.T, f cards.Filter, groupBy string, groups []string) {
	t.Helper()
	for _, sort := range []string{"", "price"} {
		f.Sort = sort
		list, err := i.cards.List(t.Context(), i.account, f, paging.Request{Limit: 2})
		if err != nil {
			t.Fatal(err)
		}
		got, err := i.cards.ListSummed(t.Context(), i.account, f, paging.Request{Limit: 2}, groupBy)
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(list, got.Page); diff != "" {
			t.Errorf("ListSummed in the order %q: page (-want +got):\n%s", sort, diff)
		}
		if diff := gocmp.Diff(groups, groupsOf(got.Summary)); diff != "" || len(got.Places) != len(list.Data) {
			t.Errorf("ListSummed in the order %q: %d places, groups (-want +got):\n%s", sort, len(got.Places), diff)
		}
	}
}

// On a machine under load, a summary of a small account can take long enough to be kept for a while.
func TestSummarize_FollowsChanges(t *testing.T) {
	t.Parallel()
	i := setup(t)
	fox := "fox"
	foxes := cards.Filter{Query: &fox}
	for want := range int64(5) {
		deadline := time.Now().Add(time.Minute)
		for {
			got, err := i.cards.Summarize(t.Context(), i.account, cards.Filter{}, "status")
			if err != nil || got.Total.Count > want || time.Now().After(deadline) {
				t.Fatalf("Summarize = %+v, %v, want %d cards", got, err, want)
			}
			found, err := i.cards.ListSummed(t.Context(), i.account, foxes, paging.Request{}, "status")
			if err != nil || len(found.Data) != int(want) || found.Summary.Total.Count > want {
				t.Fatalf("ListSummed = %+v, %v, want %d cards", found, err, want)
			}
			if got.Total.Count == want && found.Summary.Total.Count == want {
				break
			}
		}
		i.create(t, cards.Draft{Patch: cards.Patch{Title: cards.Set("Ember Fox")}})
	}
}

func TestSummarize_LimitsGroups(t *testing.T) {
	t.Parallel()
	i := setup(t)
	drafts := make([]cards.Draft, cards.MaxGroups+5)
	for n := range drafts {
		drafts[n].Location = cards.Set(fmt.Sprint("Box ", n))
	}
	if _, err := i.cards.Create(t.Context(), i.account, drafts, nil); err != nil {
		t.Fatal(err)
	}
	got, err := i.cards.Summarize(t.Context(), i.account, cards.Filter{}, "location")
	if err != nil || len(got.Groups) != cards.MaxGroups || got.GroupCount != len(drafts) ||
		got.Total.Count != int64(len(drafts)) {
		t.Errorf("%d of %d groups of %d cards, %v", len(got.Groups), got.GroupCount, got.Total.Count, err)
	}
	_, err = i.cards.Summarize(t.Context(), i.account, cards.Filter{}, "colour")
	if !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("Summarize by colour = %v, want invalid_request", err)
	}
}

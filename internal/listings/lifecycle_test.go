package listings

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/listings/marketplaces"
	"github.com/cardvault/cardvault/internal/money"
)

var (
	soldAt  = time.Date(2026, 5, 11, 15, 32, 1, 0, time.UTC)
	atLive  = marketplaces.Status{State: marketplaces.Live, ExternalID: "110", URL: "https://market.example/itm/110"}
	atSold  = marketplaces.Status{State: marketplaces.Sold, ExternalID: "110", SoldPrice: &money.Money{Amount: 9, Currency: "USD"}, SoldAt: &soldAt, BuyerReference: "12-3"}
	noOrder = marketplaces.Status{State: marketplaces.Sold, ExternalID: "110"}
	atEnd   = marketplaces.Status{State: marketplaces.Ended, EndReason: marketplaces.Withdrawn}
	closed  = marketplaces.Status{State: marketplaces.Ended, EndReason: marketplaces.EndedAtMarketplace}
	missing = marketplaces.Status{State: marketplaces.Unknown}
)

func statuses(path []Listing) (through []Status) {
	for _, l := range path {
		through = append(through, l.Status)
	}
	return through
}

func TestTransitions(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		from   Status
		seen   marketplaces.Status
		want   []Status
		reason string
	}{
		{Publishing, atLive, []Status{Live}, ""},
		{Publishing, atSold, []Status{Live, Sold}, ""},
		{Publishing, noOrder, []Status{Live}, ""},
		{Publishing, missing, nil, ""},
		{Publishing, atEnd, nil, ""},
		{Live, atLive, nil, ""},
		{Live, atSold, []Status{Sold}, ""},
		{Live, noOrder, nil, ""},
		{Live, atEnd, []Status{Ended}, EndedBySeller},
		{Live, closed, []Status{Ended}, EndedAtMarketplace},
		{Live, missing, []Status{Ended}, NotAtMarketplace},
		{Ending, atLive, nil, ""},
		{Ending, atEnd, []Status{Ended}, EndedBySeller},
		{Ending, atSold, []Status{Sold}, ""},
		{Ending, noOrder, nil, ""},
		{Sold, atEnd, nil, ""},
		{Sold, atSold, nil, ""},
		{Ended, atSold, nil, ""},
		{Failed, atLive, nil, ""},
	} {
		path := transitions(Listing{Status: tc.from}, tc.seen, time.Now())
		if !slices.Equal(statuses(path), tc.want) {
			t.Errorf("%s, seen %+v: %v, want %v", tc.from, tc.seen, statuses(path), tc.want)
		}
		if tc.reason != "" && *path[0].EndReason != tc.reason {
			t.Errorf("%s, seen %+v: ended as %s", tc.from, tc.seen, *path[0].EndReason)
		}
	}
}

// However often and in whatever order statuses arrive, a listing makes allowed transitions only, goes
// live once and closes once.
func TestTransitions_FireEachEventOnce(t *testing.T) {
	t.Parallel()
	allowed := map[[2]Status]bool{{Publishing, Live}: true, {Publishing, Failed}: true, {Live, Sold}: true, {Live, Ended}: true,
		{Live, Ending}: true, {Ending, Ended}: true, {Ending, Sold}: true}
	rapid.Check(t, func(t *rapid.T) {
		l, fired := Listing{Status: Publishing, Version: 1}, map[events.Kind]int{}
		for _, act := range rapid.SliceOf(rapid.IntRange(0, 7)).Draw(t, "acts") {
			var path []Listing
			switch {
			case act < 6:
				path = transitions(l, []marketplaces.Status{atLive, atSold, noOrder, atEnd, closed, missing}[act], soldAt)
			case act == 6 && l.Status == Publishing:
				path = []Listing{l.failed("refused", "no")}
			case act == 7 && l.Status == Live:
				path = []Listing{l.to(Ending)}
			}
			for _, next := range path {
				if !allowed[[2]Status{l.Status, next.Status}] || next.Version != l.Version+1 {
					t.Fatalf("%s (version %d) → %s (version %d)", l.Status, l.Version, next.Status, next.Version)
				}
				for _, event := range next.events(events.Card{}) {
					fired[event.Kind()]++
				}
				l = next
			}
		}
		wentLive := l.PublishedAt != nil
		over := l.Status == Sold || l.Status == Ended
		if (fired[events.KindListingPublished] == 1) != wentLive || fired[events.KindListingPublished] > 1 ||
			(fired[events.KindListingSold]+fired[events.KindListingEnded] == 1) != over {
			t.Fatalf("%s fired %v", l.Status, fired)
		}
	})
}

func TestListing_SanitizesMarketplaceTexts(t *testing.T) {
	t.Parallel()
	failed := Listing{Status: Publishing}.failed("code", "a\x00b\xff"+string(make([]rune, 600)))
	if failed.Failure.Message != "ab\uFFFD" {
		t.Errorf("message %q", failed.Failure.Message)
	}
	if got := sanitize("ééé", 2); got != "éé" {
		t.Errorf("fit = %q", got)
	}
}

func TestBackoff(t *testing.T) {
	t.Parallel()
	want := []time.Duration{5, 10, 20, 40, 80, 160, 320, 600, 600}
	for i, seconds := range want {
		if got := backoff(i + 1); got != seconds*time.Second {
			t.Errorf("after %d tries %s, want %ds", i+1, got, seconds)
		}
	}
	if got := backoff(1 << 20); got != longestWait {
		t.Errorf("after very many tries %s", got)
	}
	for range 1000 {
		if got := withJitter(time.Minute); got < time.Minute || got > 66*time.Second {
			t.Fatalf("a minute was spread to %s", got)
		}
	}
}

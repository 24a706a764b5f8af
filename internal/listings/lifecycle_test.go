package listings

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/money"
)

var (
	soldAt = time.Date(2026, 5, 11, 15, 32, 1, 0, time.UTC)
	atLive = marketplaces.Status{State: marketplaces.Live, ExternalID: "110", URL: "https://market.example/itm/110"}
	atSold = marketplaces.Status{
		State: marketplaces.Sold, ExternalID: "110", SoldPrice: &money.Money{Amount: 9, Currency: "USD"},
		SoldAt: &soldAt, BuyerReference: "12-3",
	}
	undone = marketplaces.Status{
		State: marketplaces.Sold, ExternalID: "110", SoldPrice: &money.Money{Amount: 9, Currency: "USD"},
		SoldAt: &soldAt, BuyerReference: "12-3", Order: &marketplaces.Order{Cancelled: true},
	}
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
	for name, tc := range map[string]struct {
		from   Status
		seen   marketplaces.Status
		want   []Status
		reason string
	}{
		"publishing, live":                {Publishing, atLive, []Status{Live}, ""},
		"publishing, sold":                {Publishing, atSold, []Status{Live, Sold}, ""},
		"publishing, sold without order":  {Publishing, noOrder, []Status{Live}, ""},
		"publishing, missing":             {Publishing, missing, nil, ""},
		"publishing, ended":               {Publishing, atEnd, nil, ""},
		"live, live":                      {Live, atLive, nil, ""},
		"live, sold":                      {Live, atSold, []Status{Sold}, ""},
		"live, sold without order":        {Live, noOrder, nil, ""},
		"live, ended":                     {Live, atEnd, []Status{Ended}, EndedBySeller},
		"live, ended at the marketplace":  {Live, closed, []Status{Ended}, EndedAtMarketplace},
		"live, missing":                   {Live, missing, []Status{Ended}, NotAtMarketplace},
		"ending, live":                    {Ending, atLive, nil, ""},
		"ending, ended":                   {Ending, atEnd, []Status{Ended}, EndedBySeller},
		"ending, sold":                    {Ending, atSold, []Status{Sold}, ""},
		"ending, sold without order":      {Ending, noOrder, nil, ""},
		"sold, ended":                     {Sold, atEnd, nil, ""},
		"sold, sold":                      {Sold, atSold, nil, ""},
		"ended, sold":                     {Ended, atSold, []Status{Sold}, ""},
		"ended, sold without order":       {Ended, noOrder, nil, ""},
		"ended, order cancelled":          {Ended, undone, nil, ""},
		"live, order cancelled":           {Live, undone, []Status{Ended}, EndedAtMarketplace},
		"failed, live at the marketplace": {Failed, atLive, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := transitions(Listing{Status: tc.from}, tc.seen, time.Now())
			if diff := cmp.Diff(tc.want, statuses(path)); diff != "" {
				t.Errorf("statuses (-want +got):\n%s", diff)
			}
			if tc.reason != "" && *path[0].EndReason != tc.reason {
				t.Errorf("EndReason: got %s, want %s", *path[0].EndReason, tc.reason)
			}
		})
	}
}

// For any sequence of statuses, a listing makes only allowed transitions, goes live at most once, and is sold at most
// once and ended at most once. One that ended is sold if its order becomes visible later.
func TestTransitions_FireEachEventOnce(t *testing.T) {
	t.Parallel()
	allowed := map[[2]Status]bool{
		{Publishing, Live}: true, {Publishing, Failed}: true, {Live, Sold}: true, {Live, Ended}: true,
		{Live, Ending}: true, {Ending, Ended}: true, {Ending, Sold}: true, {Ended, Sold}: true,
	}
	seen := []marketplaces.Status{atLive, atSold, noOrder, atEnd, closed, missing, undone}
	rapid.Check(t, func(t *rapid.T) {
		l, fired := Listing{Status: Publishing, Version: 1}, map[events.Kind]int{}
		for _, act := range rapid.SliceOf(rapid.IntRange(0, 8)).Draw(t, "acts") {
			var path []Listing
			switch {
			case act < len(seen):
				path = transitions(l, seen[act], soldAt)
			case act == 7 && l.Status == Publishing:
				path = []Listing{l.failed("refused", "no")}
			case act == 8 && l.Status == Live:
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
		published, sold, ended := fired[events.KindListingPublished], fired[events.KindListingSold],
			fired[events.KindListingEnded]
		if (published == 1) != wentLive || published > 1 || (sold == 1) != (l.Status == Sold) || sold > 1 ||
			ended > 1 || l.Status == Ended && ended == 0 || l.UnderWay() && ended > 0 {
			t.Fatalf("%s fired %v", l.Status, fired)
		}
	})
}

func TestListing_SanitizesMarketplaceTexts(t *testing.T) {
	t.Parallel()
	failed := Listing{Status: Publishing}.failed("code", "a\x00b\xff"+string(make([]rune, 600)))
	if failed.Failure.Message != "ab\uFFFD" {
		t.Errorf("message: got %q, want valid text without zero bytes", failed.Failure.Message)
	}
	if got := sanitize("ééé", 2); got != "éé" {
		t.Errorf("sanitize: got %q, want 2 characters", got)
	}
}

func TestBackoff(t *testing.T) {
	t.Parallel()
	want := []time.Duration{5, 10, 20, 40, 80, 160, 320, 600, 600}
	for i, seconds := range want {
		if got := backoff(i + 1); got != seconds*time.Second {
			t.Errorf("backoff(%d): got %s, want %ds", i+1, got, seconds)
		}
	}
	if got := backoff(1 << 20); got != longestWait {
		t.Errorf("backoff(1 << 20): got %s, want %s", got, longestWait)
	}
	for range 1000 {
		if got := withJitter(time.Minute); got < time.Minute || got > 66*time.Second {
			t.Fatalf("withJitter(1m): got %s, want at most a tenth more", got)
		}
	}
}

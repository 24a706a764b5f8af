package jobs

import (
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
)

func TestRequest_Check(t *testing.T) {
	t.Parallel()
	change := &cards.PriceChange{}
	ids, filter, patch := []string{"card_1", "card_2"}, &cards.Filter{}, &cards.Patch{}
	for name, tc := range map[string]struct {
		request Request
		field   string // of the error, or "" for a valid request
	}{
		"cards":                {Request{Kind: Archive, CardIDs: ids}, ""},
		"filter":               {Request{Kind: Delete, Filter: filter}, ""},
		"update":               {Request{Kind: Update, CardIDs: ids, Patch: patch}, ""},
		"neither":              {Request{Kind: Archive}, "card_ids"},
		"both":                 {Request{Kind: Archive, CardIDs: ids, Filter: filter}, "card_ids"},
		"update without patch": {Request{Kind: Update, CardIDs: ids}, "patch"},
		"patch without update": {Request{Kind: End, CardIDs: ids, Patch: patch}, "patch"},
		"price change":         {Request{Kind: Update, CardIDs: ids, PriceChange: change}, ""},
		"patch and price change": {
			Request{Kind: Update, CardIDs: ids, Patch: patch, PriceChange: change}, "patch",
		},
		"price change of no update": {Request{Kind: End, CardIDs: ids, PriceChange: change}, "price_change"},
		"a card twice": {
			Request{Kind: End, CardIDs: []string{"card_1", "card_2", "CARD_1"}}, "card_ids.2",
		},
		"a card twice, update":  {Request{Kind: Update, Patch: patch, CardIDs: []string{"a", "a"}}, "card_ids.1"},
		"filter without update": {Request{Kind: Publish, Filter: filter, Patch: patch}, "patch"},
	} {
		t.Run(name, func(t *testing.T) {
			f, _ := fault.As(tc.request.check())
			if tc.field == "" && f != nil || tc.field != "" && (f == nil || f.Details[0].Field != tc.field) {
				t.Errorf("check: got %v, want an error of field %q", f, tc.field)
			}
		})
	}
}

func TestCardCount_After(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		n    cardCount
		held time.Duration
		want cardCount
	}{
		{50, 0, 100},
		{150, 0, maxCards},
		{50, maxHoldTime / 2, 50},
		{50, maxHoldTime, 50},
		{50, maxHoldTime + 1, 25},
		{1, time.Hour, 1},
	} {
		if got := tc.n.after(tc.held); got != tc.want {
			t.Errorf("(%d).after(%v) = %d, want %d", tc.n, tc.held, got, tc.want)
		}
	}
}

func TestWithin(t *testing.T) {
	t.Parallel()
	f, _ := fault.As(fault.Within("patch", fault.Invalid("pricing.cost", "must be a price")))
	if f.Details[0].Field != "patch.pricing.cost" || !strings.HasPrefix(f.Message, "patch") {
		t.Errorf("got %+v, want the field patch.pricing.cost", f)
	}
	if err := fault.Within("patch", errInterrupted); err != errInterrupted {
		t.Errorf("got %v, want the error unchanged", err)
	}
}

package cards_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
)

// An edit survives its JSON, and takes an update back from the cards that have its values.
func TestEdit_Undo(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	fox := func() cards.Card {
		source := cards.SourceManual
		c := cards.Card{ID: "c", Location: new("Box 1"), Metadata: map[string]string{"a": "1", "b": "2"}}
		c.Identification.Title, c.Identification.Status = new("Fox"), cards.IdentificationDone
		c.Identification.Source, c.Identification.IdentifiedAt = &source, &now
		c.Pricing.AskingPrice = new(usd(500))
		return c
	}
	sold := func(c *cards.Card) { c.SaleID = new("sale") }
	archived := true
	away, owl := cards.Patch{Archived: &archived}, cards.Patch{Title: cards.Set("Owl")}
	dearer := cards.Patch{AskingPrice: cards.Set(usd(700))}
	place := func(location string) cards.Patch { return cards.Patch{Location: cards.Set(location)} }
	for name, tc := range map[string]struct {
		before func(*cards.Card) // applied to the fox; may be nil
		patch  cards.Patch
		since  func(*cards.Card) // what happens between the update and the undo; may be nil
		code   fault.Code        // "" if the card has its values from before again
	}{
		"nothing":         {patch: place("Box 1")},
		"a price":         {patch: dearer},
		"no price before": {before: func(c *cards.Card) { c.Pricing.AskingPrice = nil }, patch: dearer},
		"a cleared place": {patch: cards.Patch{Location: cards.Clear[string]()}},
		"metadata": {
			patch: cards.Patch{Metadata: cards.Set(map[string]*string{"a": nil, "b": new("3"), "c": new("4")})},
		},
		"another field since": {
			patch: cards.Patch{Condition: cards.Set("LP")}, since: func(c *cards.Card) { c.Notes = new("x") },
		},
		"another title": {patch: cards.Patch{Title: cards.Set("Owl"), Condition: cards.Set("LP")}},
		"a title":       {before: unidentified(cards.IdentificationFailed), patch: owl},
		"a title without a result before": {
			before: unidentified(cards.IdentificationNone), patch: owl, code: fault.InvalidRequest,
		},
		"archived":         {patch: away},
		"archived, ending": {patch: away, since: ending},
		"archived, sold":   {patch: away, since: sold, code: fault.CardSold},
		"a price, sold":    {patch: dearer, since: sold, code: fault.CardSold},
		"changed since":    {patch: place("Box 2"), since: move("Box 3"), code: fault.VersionMismatch},
		"set back since":   {patch: place("Box 2"), since: move("Box 1")},
		"identified since": {patch: owl, since: reidentify, code: fault.VersionMismatch},
		"one of two set back since": {
			patch: cards.Patch{Location: cards.Set("Box 2"), Notes: cards.Set("x")}, since: move("Box 1"),
			code: fault.VersionMismatch,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := fox()
			if tc.before != nil {
				tc.before(&before)
			}
			after := before
			if err := tc.patch.Apply(&after, now.Add(time.Minute)); err != nil {
				t.Fatal(err)
			}
			edit := stored(t, cards.EditOf(&before, &after))
			if edit.IsZero() != (name == "nothing") {
				t.Errorf("IsZero of %+v: got %t", edit, edit.IsZero())
			}
			if tc.since != nil {
				tc.since(&after)
			}
			err := edit.Undo(&after, now.Add(time.Hour))
			if f, _ := fault.As(err); err != nil && f.Code == tc.code {
				return
			}
			if err != nil || tc.code != "" {
				t.Fatalf("got %v, want %q", err, tc.code)
			}
			if tc.since != nil {
				tc.since(&before)
			}
			before.Pricing.PricedAt, after.Pricing.PricedAt = nil, nil
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("card after the undo (-want +got):\n%s", diff)
			}
		})
	}
}

// stored returns an edit after it was stored as JSON.
func stored(t *testing.T, edit cards.Edit) (read cards.Edit) {
	t.Helper()
	text, err := json.Marshal(edit)
	if err == nil {
		err = json.Unmarshal(text, &read)
	}
	if err != nil {
		t.Fatal(err)
	}
	return read
}

func unidentified(status cards.IdentificationStatus) func(*cards.Card) {
	return func(c *cards.Card) { c.Identification = cards.Identification{Status: status} }
}

func ending(c *cards.Card) { c.Listing = &cards.ListingRef{ID: "lst", Status: cards.ListingEnding} }

func move(location string) func(*cards.Card) {
	return func(c *cards.Card) { c.Location = &location }
}

func reidentify(c *cards.Card) {
	later := c.Identification.IdentifiedAt.Add(time.Second)
	c.Identification.IdentifiedAt = &later
}

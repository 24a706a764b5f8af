package identify_test

import (
	"testing"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
)

// A card that cannot be identified when it is claimed, or no longer when the provider responds, is not
// changed. It is identified once it can be.
func TestBackground_IdentifiesArchivedCardLater(t *testing.T) {
	t.Parallel()
	archive := func(w *world, card cards.Card) cards.Card { return w.archive(card.ID, true) }
	restore := func(w *world, card cards.Card) { w.archive(card.ID, false) }
	for name, tc := range map[string]struct {
		hide      func(*world, cards.Card) cards.Card
		meanwhile bool // hide the card during the provider call, not before
		show      func(*world, cards.Card)
	}{
		"archived before the call": {archive, false, restore},
		"archived during the call": {archive, true, restore},
		"photo deleted before the call": {func(w *world, card cards.Card) cards.Card {
			if _, err := w.cards.DeletePhoto(w.t.Context(), w.account, card.ID, card.Photos[0].ID); err != nil {
				w.t.Fatal(err)
			}
			return w.get(card.ID)
		}, false, func(w *world, card cards.Card) { w.photographed(card.ID) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			card := w.waiting()
			if !tc.meanwhile {
				card = tc.hide(w, card)
			}
			events := len(w.recorded())
			stop := w.run()
			if tc.meanwhile {
				<-w.asked
				card = tc.hide(w, card)
				events = len(w.recorded())
				w.answer <- answer{}
			}
			stop()
			got := w.get(card.ID) // not in the queue at the latest after the call
			if tc.meanwhile && got.Identification.Status != cards.IdentificationNone ||
				got.Status != card.Status || len(w.recorded()) != events {
				t.Fatalf("the card changed to %+v, events %v", got, w.recorded())
			}
			tc.show(w, card)
			stop = w.run()
			<-w.asked
			w.answer <- sure
			stop()
			if got := w.get(card.ID); got.Status != cards.Identified {
				t.Errorf("status: got %s, want identified", got.Status)
			}
		})
	}
}

// The result of a request is not saved if the card was archived meanwhile.
func TestIdentify_CardArchivedDuringRequest(t *testing.T) {
	t.Parallel()
	for name, found := range map[string]answer{"identified": sure, "not identified": {}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			card := w.waiting()
			failed := make(chan error)
			go func() {
				_, _, err := w.service.Card(t.Context(), w.account, card.ID, nil, nil)
				failed <- err
			}()
			<-w.asked
			card = w.archive(card.ID, true)
			events := len(w.recorded())
			w.answer <- found
			if err := <-failed; !fault.Is(err, fault.CardArchived) {
				t.Errorf("Card = %v, want card_archived", err)
			}
			if got := w.get(card.ID); got.Version != card.Version || len(w.recorded()) != events {
				t.Errorf("the card changed to %+v, events %v", got, w.recorded())
			}
		})
	}
}

package identify_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue/queuetest"
)

var oldMagic = catalog.Hints{Game: "magic", Set: "Third Age", Language: "en"}

// imported creates a card that waits for identification.
func (w *world) imported(draft cards.Draft) cards.Card {
	w.t.Helper()
	created, err := w.cards.Create(w.t.Context(), w.account, []cards.Draft{draft}, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.photographed(created[0].ID)
}

// ask identifies a card by a request, to which the provider answers, and returns the hints that the provider got.
func (w *world) ask(cardID string, hints *catalog.Hints, with answer) catalog.Hints {
	w.t.Helper()
	got := make(chan catalog.Hints, 1)
	go func() {
		got <- <-w.asked
		w.answer <- with
	}()
	if _, _, err := w.service.Card(w.t.Context(), w.account, cardID, hints, nil); err != nil {
		w.t.Fatal(err)
	}
	return <-got
}

// The hints of an import are used in the background, again after an outage, and by later requests without hints.
func TestHints_KeptWithCard(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	card := w.imported(cards.Draft{Hints: oldMagic})
	for _, with := range []answer{{err: errors.New("away")}, sure} {
		stop := w.run()
		if got := <-w.asked; !cmp.Equal(got, oldMagic) {
			t.Errorf("hints in the background: got %+v, want %+v", got, oldMagic)
		}
		w.answer <- with
		stop()
		queuetest.Pass(t, w.db, time.Hour)
	}
	if got := w.get(card.ID); got.Status != cards.Identified {
		t.Fatalf("status: got %s, want identified", got.Status)
	}
	if got := w.ask(card.ID, nil, sure); !cmp.Equal(got, oldMagic) {
		t.Errorf("hints of a request without any: got %+v, want %+v", got, oldMagic)
	}
	given := catalog.Hints{Game: "yugioh"}
	if got := w.ask(card.ID, &given, sure); !cmp.Equal(got, given) {
		t.Errorf("hints of a request: got %+v, want %+v", got, given)
	}
	if got := w.ask(card.ID, &catalog.Hints{}, sure); !got.IsZero() {
		t.Errorf("hints of a request that replaces them by none: got %+v", got)
	}
	if got := w.ask(card.ID, nil, sure); !cmp.Equal(got, oldMagic) {
		t.Errorf("hints after the requests: got %+v, want those of the import", got)
	}
}

// Without a hint, the game that the owner has given is one. The game of a provider's result is not, because it can be
// wrong.
func TestHints_GameOfCard(t *testing.T) {
	t.Parallel()
	no := false
	magic := cards.Patch{Game: cards.Set("magic")}
	draft := func(p cards.Patch, kept catalog.Hints) cards.Draft {
		return cards.Draft{Patch: p, Identify: &no, Hints: kept}
	}
	titled := cards.Patch{Title: cards.Set("Ember Fox"), Game: cards.Set("magic")}
	for name, tc := range map[string]struct {
		draft cards.Draft
		given *catalog.Hints
		want  catalog.Hints
	}{
		"neither":              {draft(cards.Patch{}, catalog.Hints{}), nil, catalog.Hints{}},
		"game of the card":     {draft(magic, catalog.Hints{}), nil, catalog.Hints{Game: "magic"}},
		"other game":           {draft(cards.Patch{Game: cards.Set("other")}, catalog.Hints{}), nil, catalog.Hints{}},
		"game of a named card": {draft(titled, catalog.Hints{}), nil, catalog.Hints{Game: "magic"}},
		"kept set":             {draft(magic, catalog.Hints{Set: "A"}), nil, catalog.Hints{Game: "magic", Set: "A"}},
		"kept game":            {draft(magic, catalog.Hints{Game: "yugioh"}), nil, catalog.Hints{Game: "yugioh"}},
		"set of the request": {
			draft(magic, catalog.Hints{}), &catalog.Hints{Set: "A"}, catalog.Hints{Game: "magic", Set: "A"},
		},
		"game of the request": {
			draft(magic, catalog.Hints{}), &catalog.Hints{Game: "pokemon"}, catalog.Hints{Game: "pokemon"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			card := w.imported(tc.draft)
			if diff := cmp.Diff(tc.want, w.ask(card.ID, tc.given, answer{})); diff != "" {
				t.Errorf("hints (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("game of a result", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		card := w.imported(cards.Draft{Identify: &no})
		wrong := answer{candidates: []identify.Candidate{{Title: "Ember Fox", Game: "pokemon", Confidence: 0.9}}}
		w.ask(card.ID, nil, wrong)
		if got := w.ask(card.ID, nil, sure); !got.IsZero() {
			t.Errorf("hints: got %+v, want none, although a provider found a game", got)
		}
	})
}

// The hints of a job replace those of the import.
func TestHints_OfJob(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	card := w.imported(cards.Draft{Hints: oldMagic})
	newer := catalog.Hints{Game: "pokemon", Language: "ja"}
	for _, tc := range []struct {
		given *catalog.Hints
		want  catalog.Hints
	}{{nil, oldMagic}, {&newer, newer}, {nil, newer}, {&catalog.Hints{}, catalog.Hints{}}, {nil, catalog.Hints{}}} {
		err := clock.System.Write(t.Context(), w.db, w.account, func(tx *postgres.Tx, stamp clock.Stamp) error {
			_, err := w.cards.EnqueueIdentifications(t.Context(), tx, stamp, []string{card.ID}, tc.given)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		stop := w.run()
		if got := <-w.asked; !cmp.Equal(got, tc.want) {
			t.Errorf("hints after a job with %+v: got %+v, want %+v", tc.given, got, tc.want)
		}
		w.answer <- answer{}
		stop()
	}
}

func TestIdentify_ExactlyOneOfCardAndPhoto(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	card, url := w.waiting().ID, "https://example.com/photo.jpg"
	for name, request := range map[string]identify.Request{
		"neither": {Hints: &oldMagic}, "both": {CardID: &card, PhotoURL: &url},
	} {
		if _, _, err := w.service.Identify(t.Context(), w.account, request, nil); !fault.Is(err, fault.InvalidRequest) {
			t.Errorf("%s: got %v, want invalid_request", name, err)
		}
	}
	go func() {
		if got := <-w.asked; !cmp.Equal(got, oldMagic) {
			t.Errorf("hints of a photo: got %+v, want %+v", got, oldMagic)
		}
		w.answer <- sure
	}()
	request := identify.Request{PhotoURL: &url, Hints: &oldMagic}
	if outcome, card, err := w.service.Identify(t.Context(), w.account, request, nil); err != nil || card != nil ||
		outcome.Accepted == nil {
		t.Errorf("Identify = %+v, %v, %v, want the outcome of the photo", outcome, card, err)
	}
}

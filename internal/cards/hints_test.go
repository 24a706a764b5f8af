package cards_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/fault"
)

// hintsOf returns the hints that are kept with a card.
func (i inventory) hintsOf(t testing.TB, cardID string) catalog.Hints {
	t.Helper()
	h, err := i.cards.Hints(t.Context(), i.account, cardID)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestImport_KeepsHints(t *testing.T) {
	t.Parallel()
	i, other := setup(t), setup(t)
	magic := catalog.Hints{Game: "magic", Set: "Third Age", Language: "en"}
	japanese := catalog.Hints{Language: "ja"}
	named := cards.Draft{Hints: magic, Patch: cards.Patch{ExternalID: cards.Set("shop-1")}}
	drafts := []cards.Draft{{Hints: magic, Copies: 2}, {}, {Hints: japanese}, named}
	imported, err := i.cards.Import(t.Context(), i.account, drafts, cards.UpdateConflict, nil)
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range []catalog.Hints{magic, magic, {}, japanese, magic} {
		if diff := cmp.Diff(want, i.hintsOf(t, imported[n].Card.ID)); diff != "" {
			t.Errorf("hints of card %d (-want +got):\n%s", n, diff)
		}
	}
	card := imported[4].Card
	if h, err := i.cards.Hints(t.Context(), other.account, card.ID); err != nil || !h.IsZero() {
		t.Errorf("hints of another account's card: got %+v, %v, want none", h, err)
	}
	named.Hints = japanese
	if _, err := i.cards.Import(t.Context(), i.account, []cards.Draft{named}, cards.UpdateConflict, nil); err != nil {
		t.Fatal(err)
	}
	if got := i.hintsOf(t, card.ID); !cmp.Equal(got, magic) {
		t.Errorf("hints after an import of the existing card: got %+v, want %+v", got, magic)
	}
	if _, err := i.cards.Delete(t.Context(), i.account, card.ID, nil); err != nil {
		t.Fatal(err)
	}
	var left int
	if err := i.db.Get(t.Context(), &left, `SELECT count(*) FROM identification_hints`); err != nil || left != 3 {
		t.Errorf("rows after deleting one card of four: got %d, %v, want 3", left, err)
	}
}

func TestCheckHints(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		hints  catalog.Hints
		fields string
	}{
		"none":      {catalog.Hints{}, ""},
		"all":       {catalog.Hints{Game: "magic", Set: "SDN", Language: "pt-BR"}, ""},
		"game":      {catalog.Hints{Game: "Magic"}, "hints.game"},
		"set":       {catalog.Hints{Set: strings.Repeat("x", 121)}, "hints.set"},
		"lines":     {catalog.Hints{Set: "a\nb"}, "hints.set"},
		"language":  {catalog.Hints{Language: "English"}, "hints.language"},
		"long tag":  {catalog.Hints{Language: "en" + strings.Repeat("-abcdefgh", 4)}, "hints.language"},
		"all wrong": {catalog.Hints{Game: "chess", Set: "\x00", Language: "1"}, "hints.game hints.set hints.language"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var fields []string
			if f, ok := fault.As(cards.CheckHints("hints", tc.hints)); ok {
				for _, d := range f.Details {
					fields = append(fields, d.Field)
				}
			}
			if got := strings.Join(fields, " "); got != tc.fields {
				t.Errorf("invalid fields: got %q, want %q", got, tc.fields)
			}
		})
	}
}

package listings

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
)

func TestService_Matching(t *testing.T) {
	t.Parallel()
	s := setup(t)
	first, second := s.card(), s.card()
	drafts := slices.Repeat([]cards.Draft{{Patch: cards.Patch{Location: cards.Set("Box 1")}}}, MaxAtOnce)
	box, err := s.cards.Create(t.Context(), s.account, drafts, nil)
	if err != nil {
		t.Fatal(err)
	}
	title, location, none := "Ember Fox", "Box 1", "Box 9"
	got, err := s.Matching(t.Context(), s.account, cards.Filter{Query: &title}, nil)
	if diff := cmp.Diff([]string{second.ID, first.ID}, got); diff != "" || err != nil {
		t.Errorf("Matching (-want +got), %v:\n%s", err, diff)
	}
	got, err = s.Matching(t.Context(), s.account, cards.Filter{Location: &location}, nil)
	if err != nil || len(got) != MaxAtOnce || got[0] != box[MaxAtOnce-1].ID {
		t.Errorf("Matching found %d cards, %v, want the %d of the box, newest first", len(got), err, MaxAtOnce)
	}
	if got, err = s.Matching(t.Context(), s.account, cards.Filter{Location: &none}, nil); err != nil || len(got) != 0 {
		t.Errorf("Matching of an empty box: %v, %v", got, err)
	}
	if _, err = s.Matching(t.Context(), s.account, cards.Filter{}, nil); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("Matching of more than %d cards: %v, want invalid_request", MaxAtOnce, err)
	}
}

package cards_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
)

// A photo that was replaced or removed in the meantime stays as it is.
func TestService_ReplacePhoto(t *testing.T) {
	t.Parallel()
	i, ctx := setup(t), t.Context()
	ready := func(id string, role cards.Role) cards.Photo {
		return cards.Photo{ID: id, Role: role, Status: cards.PhotoReady, ContentType: "image/jpeg"}
	}
	card := i.create(t, cards.Draft{Stored: []cards.Photo{
		ready("pho_1", cards.RoleFront), ready("pho_2", cards.RoleBack),
	}})
	turned := ready("pho_3", "")
	changed, replaced, err := i.cards.ReplacePhoto(as(ctx, "tok_1"), i.account, card.ID, "pho_2", turned)
	if err != nil || replaced == nil || replaced.ID != "pho_2" {
		t.Fatalf("ReplacePhoto: %+v, %v, want pho_2 replaced", replaced, err)
	}
	want := []cards.Photo{ready("pho_1", cards.RoleFront), ready("pho_3", cards.RoleBack)}
	if diff := cmp.Diff(want, changed.Photos); diff != "" || changed.Version != card.Version+1 {
		t.Errorf("version %d, photos (-want +got):\n%s", changed.Version, diff)
	}
	if got := i.history(t, card.ID); len(got) != 2 || !strings.HasPrefix(got[0], "2 token:tok_1 photos.back ") {
		t.Errorf("history %v, want the change of the photos first", got)
	}
	_, _, err = i.cards.ReplacePhoto(ctx, i.account, card.ID, "pho_2", turned)
	if !fault.Is(err, fault.PhotoNotFound) {
		t.Errorf("ReplacePhoto of a replaced photo = %v, want photo_not_found", err)
	}
	if got := i.get(t, card.ID); got.Version != changed.Version {
		t.Errorf("a refused change made version %d of %d", got.Version, changed.Version)
	}
}

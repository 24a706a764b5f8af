package dashboard

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
)

func TestReview_Undo(t *testing.T) {
	t.Parallel()
	s := setup(t)
	priced := cards.Patch{Condition: cards.Set("NM"), AskingPrice: cards.Set(usd(500))}
	one := s.unidentified(priced, guess("<i>Fox", "1", 0.5))
	two := s.unidentified(cards.Patch{}, guess("Jade Owl", "2", 0.5))
	b := s.logIn(ada)
	b.wantRedirect(b.post("/review/undo"), "/review")
	for _, card := range []cards.Card{one, two} {
		page := b.get("/review?card=" + card.ID)
		values := with(reviewed(t, page, 0), "condition", "DMG", "location", "Box 9")
		if a := b.send("/review/take", values); a.StatusCode != http.StatusSeeOther {
			t.Fatalf("take: %d %s", a.StatusCode, a.body)
		}
	}
	b.want(b.get("/review"), http.StatusOK, "Undo Jade Owl")
	b.wantRedirect(b.post("/review/undo"), "/review?after=undone&card="+two.ID)
	page := b.get("/review?after=undone&card=" + two.ID)
	b.want(page, http.StatusOK, "The last review is undone.")
	b.want(page, http.StatusOK, "Undo &lt;i&gt;Fox")
	b.wantRedirect(b.send("/review/undo", reviewed(t, page, -1)), "/review?after=undone&card="+one.ID)
	for _, before := range []cards.Card{one, two} {
		got := s.card(before.ID)
		if diff := cmp.Diff(before.Reviewed(), got.Reviewed()); diff != "" || got.Status != cards.NeedsReview {
			t.Errorf("card %s after the undo (-want +got):\n%s", got.Status, diff)
		}
	}
	if page := b.get("/review"); strings.Contains(page.body, "/review/undo") {
		t.Error("the page offers to undo a review twice")
	}
}

func TestReview_UndoRefusesChangedCards(t *testing.T) {
	t.Parallel()
	s := setup(t)
	card := s.unidentified(cards.Patch{}, guess("Moss Fox", "1", 0.5))
	b := s.logIn(ada)
	b.wantRedirect(b.send("/review/take", reviewed(t, b.get("/review"), 0)), "/review")
	changed, err := s.config.Cards.Update(t.Context(), s.account.ID, card.ID, cards.Patch{Notes: cards.Set("x")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	b.want(b.post("/review/undo"), http.StatusConflict, "The card Moss Fox was changed since its review")
	if got := s.card(card.ID); got.Version != changed.Version {
		t.Error("the undo changed the card")
	}
	b.wantRedirect(b.post("/review/undo"), "/review") // it is not offered again
}

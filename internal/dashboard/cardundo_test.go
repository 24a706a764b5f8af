package dashboard

import (
	"net/http"
	"net/url"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/users"
)

var undoForm = regexp.MustCompile(`(?s)<form method="post" action="([^"]*)" data-undo="10">(.*?)</form>`)

// undo returns the address and the values of the form that undoes a change, or nil if the page has none.
func (a answer) undo() (path string, values url.Values) {
	found := undoForm.FindStringSubmatch(a.body)
	if found == nil {
		return "", nil
	}
	return found[1], valuesOf(answer{body: found[2]})
}

// place adds a card with these values.
func (s *shop) place(values cards.Patch) cards.Card {
	s.t.Helper()
	made, err := s.config.Cards.Create(s.t.Context(), s.account.ID, []cards.Draft{{Patch: values}}, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return made[0]
}

func TestCard_Undo(t *testing.T) {
	t.Parallel()
	s := setup(t)
	card := s.place(cards.Patch{Location: cards.Set("Box 1"), Notes: cards.Set("holo")})
	b, path := s.logIn(ada), "/cards/"+card.ID
	change := url.Values{"version": {"1"}, "location": {"Box 2"}, "notes": {""}}
	b.wantRedirect(b.send(path, change), path+"?saved=true")
	saved := b.get(path + "?saved=true")
	b.want(saved, http.StatusOK, "Saved.")
	action, before := saved.undo()
	b.wantRedirect(b.send(action, before), path+"?saved=true")
	got := s.card(card.ID)
	if *got.Location != "Box 1" || got.Notes == nil || *got.Notes != "holo" || got.Version != 3 {
		t.Errorf("after the undo: got %+v, want the location and the notes before", got)
	}
	if _, again := b.get(path + "?saved=true").undo(); again.Get("location") != "Box 2" {
		t.Errorf("the undo of the undo has %v, want Box 2", again)
	}
}

// A candidate that was taken is undone, of a card that had no title and of one that had another.
func TestCard_UndoTake(t *testing.T) {
	t.Parallel()
	s := setup(t)
	card := s.unidentified(cards.Patch{Condition: cards.Set("LP")}, guess("Jade Owl", "1", 0.8), guess("Fox", "2", 0.1))
	b, path := s.logIn(ada), "/cards/"+card.ID
	b.want(b.post(path+"/take/undo"), http.StatusPreconditionFailed, "was changed in the meantime")
	var before []cards.Card
	for place := range 2 {
		before = append(before, s.card(card.ID))
		b.wantRedirect(b.send(path+"/take", reviewed(t, b.get(path), place)), path+"?saved=taken#candidates")
		action, _ := b.get(path + "?saved=taken").undo()
		if action != path+"/take/undo" {
			t.Fatalf("candidate %d: the page offers the undo %q", place, action)
		}
		if place == 1 {
			b.wantRedirect(b.post(action), path+"?saved=untaken#candidates")
			b.want(b.get(path+"?saved=untaken"), http.StatusOK, "from before the candidate again")
			b.want(b.post(action), http.StatusPreconditionFailed, "was changed in the meantime")
		}
	}
	got := s.card(card.ID)
	if diff := cmp.Diff(before[1].Reviewed(), got.Reviewed()); diff != "" {
		t.Errorf("card after the undo of the second (-want +got):\n%s", diff)
	}
	b.wantRedirect(b.send(path+"/take", reviewed(t, b.get(path), 1)), path+"?saved=taken#candidates")
	patch := cards.Patch{Location: cards.Set("Box 3")}
	if _, err := s.config.Cards.Update(t.Context(), s.account.ID, card.ID, patch, nil); err != nil {
		t.Fatal(err)
	}
	if action, _ := b.get(path + "?saved=taken").undo(); action != "" {
		t.Error("the page offers to undo a candidate although the card was changed since")
	}
	b.want(b.post(path+"/take/undo"), http.StatusPreconditionFailed, "was changed in the meantime")
}

// A change that is not the last one of the card, or that changed nothing, is not undone.
func TestCard_UndoOfTheLastChangeOnly(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.newUser(s.account, "bob@example.com", users.Member)
	card := s.place(cards.Patch{Location: cards.Set("Box 1")})
	b, path := s.logIn(ada), "/cards/"+card.ID
	b.wantRedirect(b.send(path, url.Values{"version": {"1"}, "location": {"Box 2"}}), path+"?saved=true")
	if _, found := s.logIn("bob@example.com").get(path + "?saved=true").undo(); found != nil {
		t.Errorf("another user may undo the change: %v", found)
	}
	patch := cards.Patch{Location: cards.Set("Box 3")}
	if _, err := s.config.Cards.Update(t.Context(), s.account.ID, card.ID, patch, nil); err != nil {
		t.Fatal(err)
	}
	if _, found := b.get(path + "?saved=true").undo(); found != nil {
		t.Errorf("a change before the last one can be undone: %v", found)
	}
	b.wantRedirect(b.send(path, url.Values{"version": {"3"}, "location": {"Box 3"}}), path+"?saved=true")
	if _, found := b.get(path + "?saved=true").undo(); found != nil {
		t.Errorf("a form that changed nothing can be undone: %v", found)
	}
}

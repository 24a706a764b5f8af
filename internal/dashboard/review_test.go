package dashboard

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/cardpage"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/users"
)

func TestReview_TakesCandidates(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := s.logIn(ada)
	b.want(b.get("/review"), http.StatusOK, "No card needs a review")
	list := []identify.Candidate{guess("Moss Fox", "95/203", 0.8), guess("Moss Fox", "215/203", 0.7)}
	one, two := s.unidentified(cards.Patch{}, list...), s.unidentified(cards.Patch{}, list...)

	page := b.get("/review")
	for _, want := range []string{
		"2 left", `Review <span class="badge">2<`, `<b>95</b>/203`, `<b>215</b>/203`, "80\u00a0%", "name",
		`value="` + one.ID + `"`,
		`<img class="hidden" src="/photos/` + two.Photos[0].ID + `"`, `data-key="2"`,
	} {
		b.want(page, http.StatusOK, want)
	}
	if got := len(actions.FindAllString(page.body, -1)); got != len(list) {
		t.Errorf("%d buttons send the form to where candidates are taken, want %d", got, len(list))
	}
	if strings.Contains(page.body, "<b>Moss Fox</b>") {
		t.Error("the page marks a title that all candidates have")
	}
	values := with(reviewed(t, page, 1), "condition", "LP", "location", "Box 4")
	b.wantRedirect(b.send("/review/take", values), "/review?card="+two.ID)
	got := s.card(one.ID)
	d := got.Identification.Description
	taken := []string{
		deref(d.Title), deref(d.Number), deref(d.Set), deref(d.Game), deref(d.Condition), deref(got.Location),
	}
	want := []string{"Moss Fox", "215/203", "Dawn", "other", "LP", "Box 4"}
	if diff := cmp.Diff(want, taken); diff != "" || got.Status != cards.Identified {
		t.Errorf("card %s (-want +got):\n%s", got.Status, diff)
	}
	page = b.get("/review?card=" + two.ID)
	for _, want := range []string{"1 left", `<option selected>LP</option>`, `value="Box 4"`, "Undo Moss Fox"} {
		b.want(page, http.StatusOK, want)
	}
	b.wantRedirect(b.send("/review/take", with(reviewed(t, page, 0), "location", "Box 4")), "/review")
	if got := s.card(two.ID); deref(got.Location) != "Box 4" || got.Identification.Condition != nil {
		t.Errorf("second card: %+v, want the location that stayed and no condition", got)
	}
	b.want(b.get("/review"), http.StatusOK, "No card needs a review")
	b.want(b.get("/review?card="+one.ID), http.StatusOK, "This card does not need a review any more")
}

// The language of the pile replaces that of the catalogue, of which the other values stay.
func TestReview_KeepsLanguage(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.catalogue()
	one, two := s.unidentified(cards.Patch{}), s.unidentified(cards.Patch{}, guess("Jade Owl", "2", 0.5))
	b := s.logIn(ada)
	page := b.get("/review?q=moss+215&card=" + one.ID)
	refused := b.send("/review/take", with(reviewed(t, page, 0), "language", "Japanese!"))
	b.want(refused, http.StatusUnprocessableEntity, `id="e-language"`)
	b.want(refused, http.StatusUnprocessableEntity, `value="Japanese!"`)
	b.wantRedirect(b.send("/review/take", with(reviewed(t, page, 0), "language", "ja")), "/review?card="+two.ID)
	page = b.get("/review?card=" + two.ID)
	b.want(page, http.StatusOK, `name="language" value="ja"`)
	b.wantRedirect(b.send("/review/take", with(reviewed(t, page, 0), "language", "ja")), "/review")
	var got []string
	for _, card := range []cards.Card{one, two} {
		d := s.card(card.ID).Identification.Description
		got = append(got, deref(d.Title)+" "+deref(d.Number)+" "+deref(d.CatalogID)+" "+deref(d.Language))
	}
	if diff := cmp.Diff([]string{"Moss Fox 215/203 dawn-215 ja", "Jade Owl 2  ja"}, got); diff != "" {
		t.Errorf("cards (-want +got):\n%s", diff)
	}
	unknown := s.unidentified(cards.Patch{})
	form := with(reviewed(t, b.get("/review?card="+unknown.ID), -1), "take", "catalog:none", "language", "ja")
	b.want(b.send("/review/take", form), http.StatusUnprocessableEntity, "is not in the catalogue any more")
}

// The main action takes the first candidate, unless the card is most likely none of them.
func TestReview_MainAction(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := s.logIn(ada)
	for want, confidence := range map[string]float64{
		`name="take">Take Ember Fox 1 · 20`: cardpage.Improbable,
		`data-key="e">Edit by hand`:         cardpage.Improbable - 0.01,
	} {
		card := s.unidentified(cards.Patch{}, guess("Ember Fox", "1", confidence))
		_, head, _ := strings.Cut(b.get("/review?card="+card.ID).body, `class="actions main-action"`)
		if head, _, _ = strings.Cut(head, "</p>"); !strings.Contains(head, want) {
			t.Errorf("confidence %v: the main action is %q, want %q", confidence, head, want)
		}
	}
}

func TestReview_ShowsWhatWasRead(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := s.logIn(ada)
	for name, tc := range map[string]struct {
		read identify.Reading
		want string
	}{
		"all": {
			identify.Reading{Name: "Umbreon VMAX", HP: "310", Number: "95/203"},
			"Read from the photo: “Umbreon VMAX” · “HP 310” · “95/203”",
		},
		"slab": {
			identify.Reading{Name: "Umbreon", Number: "95/203", Grade: graded("PSA", "10", "00123456")},
			"“95/203” · “PSA 10, certificate 00123456”",
		},
		"certificate not legible": {
			identify.Reading{Name: "Umbreon", Number: "95/203", Grade: graded("BGS", "9.5", "")}, "· “BGS 9.5”",
		},
		"nothing": {identify.Reading{}, "Read from the photo: name not legible · number not legible"},
		"markup": {
			identify.Reading{Name: "<script>alert(1)</script>"},
			"“&lt;script&gt;alert(1)&lt;/script&gt;” · number not legible",
		},
	} {
		s.guesses.read.Store(&tc.read)
		card := s.unidentified(cards.Patch{})
		for _, path := range []string{"/review?card=", "/cards/"} {
			if page := b.get(path + card.ID); !strings.Contains(page.body, tc.want) {
				t.Errorf("%s: %s shows no %q: %s", name, path, tc.want, page.body)
			}
		}
	}
	s.guesses.read.Store(&identify.Reading{Name: "Again"})
	card := s.identify(s.unidentified(cards.Patch{}).ID)
	b.want(b.get("/review?card="+card.ID), http.StatusOK, "“Again”")
	if page := b.get("/cards/" + s.add("Plain")[0].ID); strings.Contains(page.body, "Read from the photo") {
		t.Error("the page of a card without an identification shows what was read")
	}
}

func TestReview_TakesGradeOfLabel(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := s.logIn(ada)
	read := graded("PSA", "10", "00123456")
	fox := identify.Candidate{Title: "Ember Fox", Confidence: 0.5}
	for name, tc := range map[string]struct {
		own, want *cards.Grade
		attempt   string // "" for that of the page
	}{
		"the card has none":         {nil, read, ""},
		"the owner has entered one": {graded("BGS", "9", ""), graded("BGS", "9", ""), ""},
	} {
		s.guesses.read.Store(&identify.Reading{Grade: read})
		patch := cards.Patch{}
		if tc.own != nil {
			patch.Grade = cards.Set(*tc.own)
		}
		card := s.unidentified(patch, fox)
		form := reviewed(t, b.get("/review?card="+card.ID), 0)
		b.want(b.send("/review/take", form), http.StatusSeeOther, "")
		taken, err := s.config.Cards.Get(t.Context(), s.account.ID, card.ID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, taken.Identification.Grade); diff != "" {
			t.Errorf("%s: grade (-want +got):\n%s", name, diff)
		}
	}
}

func TestReview_SearchesTheCatalogue(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.catalogue()
	card := s.unidentified(cards.Patch{})
	b := s.logIn(ada)
	page := b.get("/review")
	b.want(page, http.StatusOK, "The photo resembles no card of the catalogue.")
	search := with(reviewed(t, page, -1), "q", " moss 215 ", "condition", "NM")
	b.wantRedirect(b.send("/review/keep", search), "/review?card="+card.ID+"&q=moss+215")
	page = b.get("/review?card=" + card.ID + "&q=moss+215")
	b.want(page, http.StatusOK, `<option selected>NM</option>`)
	if !actions.MatchString(page.body) {
		t.Error("the buttons of the results do not send the form to where candidates are taken")
	}
	b.wantRedirect(b.send("/review/take", with(reviewed(t, page, 0), "condition", "NM")), "/review")
	got := s.card(card.ID).Identification
	if deref(got.CatalogID) != "dawn-215" || deref(got.Number) != "215/203" || *got.Year != 2021 {
		t.Errorf("identified as %+v, want the card of the catalogue", got)
	}
	card = s.unidentified(cards.Patch{})
	b.want(b.get("/review?q=owl"), http.StatusOK, "The catalogue has no card for “owl”.")
	b.want(b.get("/review?q=moss"), http.StatusOK, `<b>95</b>/203`)
	b.want(b.get("/review?q="+strings.Repeat("x", 201)), http.StatusBadRequest, "must be at most 200 characters")
	unknown := with(reviewed(t, b.get("/review"), -1), "take", "catalog:none")
	b.want(b.send("/review/take", unknown), http.StatusUnprocessableEntity, "is not in the catalogue any more")
	if got := s.card(card.ID); got.Version != card.Version {
		t.Error("a candidate that does not exist changed the card")
	}
}

func TestReview_Skips(t *testing.T) {
	t.Parallel()
	s := setup(t)
	var ids []string
	for range 3 {
		ids = append(ids, s.unidentified(cards.Patch{}).ID)
	}
	b := s.logIn(ada)
	for i, want := range []string{
		"/review?card=" + ids[1], "/review?card=" + ids[2], "/review?after=again&card=" + ids[0],
	} {
		page := b.get("/review?card=" + ids[i])
		b.wantRedirect(b.send("/review/skip", with(reviewed(t, page, -1), "location", "Box 1")), want)
	}
	page := b.get("/review?after=again&card=" + ids[0])
	b.want(page, http.StatusOK, "3 left")
	b.want(page, http.StatusOK, "It begins again with the cards that were skipped.")
	b.want(page, http.StatusOK, `value="Box 1"`)
}

func TestReview_Refuses(t *testing.T) {
	t.Parallel()
	s := setup(t)
	card := s.unidentified(cards.Patch{}, guess("Moss Fox", "1", 0.5), guess("Moss Fox", "2", 0.4))
	b := s.logIn(ada)
	page := b.get("/review")
	values := reviewed(t, page, 0)
	refused := b.send("/review/take", with(values, "location", "a//b"))
	b.want(refused, http.StatusUnprocessableEntity, `id="e-location"`)
	b.want(refused, http.StatusUnprocessableEntity, `value="a//b"`)
	b.want(b.send("/review/skip", with(values, "condition", "XX")), http.StatusUnprocessableEntity, `id="e-condition"`)
	b.want(b.send("/review/take", with(values, "version", "x")), http.StatusBadRequest, "The form is incomplete.")
	b.want(b.send("/review/take", with(values, "version", "1")), http.StatusPreconditionFailed,
		"The card was changed in the meantime.")
	for _, take := range []string{"", "candidate:2", "candidate:-1", "candidate:x", "title:Moss Fox"} {
		b.want(b.send("/review/take", with(values, "take", take)), http.StatusUnprocessableEntity,
			"The card was identified again in the meantime.")
	}
	b.want(b.send("/review/take", with(values, "attempt", "1")), http.StatusUnprocessableEntity,
		"Choose from its new candidates.")
	if got := s.card(card.ID); got.Version != card.Version {
		t.Errorf("version after refused forms: got %d, want %d", got.Version, card.Version)
	}
	b.wantRedirect(b.send("/review/take", values), "/review")
	b.wantRedirect(b.send("/review/take", values), "/review?after=reviewed")
	other := s.unidentified(cards.Patch{})
	b.wantRedirect(b.send("/review/take", values), "/review?after=reviewed&card="+other.ID)
}

func TestReview_OfThisAccountOnly(t *testing.T) {
	t.Parallel()
	s := setup(t)
	card := s.unidentified(cards.Patch{}, guess("<script>alert(1)</script>", "1", 0.5))
	values := reviewed(t, s.logIn(ada).get("/review"), 0)
	b := s.logIn(ada)
	b.want(b.get("/review"), http.StatusOK, "&lt;script&gt;alert(1)&lt;/script&gt;")
	s.newUser(s.newAccount("Eve's cards"), "eve@example.com", users.Owner)
	eve := s.logIn("eve@example.com")
	eve.want(eve.get("/review"), http.StatusOK, "No card needs a review")
	eve.want(eve.get("/review?card="+card.ID), http.StatusNotFound, "")
	for _, path := range []string{"/review/take", "/review/skip", "/review/keep"} {
		eve.want(eve.send(path, values), http.StatusNotFound, "")
	}
	if got := s.card(card.ID); got.Version != card.Version {
		t.Error("another account's user reviewed the card")
	}
	b.wantRedirect(b.send("/review/take", values), "/review")
}

package dashboard

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/users"
)

// valuesOf returns the values of the page's form that changes a card.
func valuesOf(a answer) url.Values {
	values := url.Values{}
	for _, found := range inputs.FindAllStringSubmatch(a.body, -1) {
		values.Set(found[1], found[2])
	}
	for _, found := range selects.FindAllStringSubmatch(a.body, -1) {
		if option := selected.FindStringSubmatch(found[0]); option != nil {
			values.Set(found[1], option[1])
		}
	}
	return values
}

var (
	inputs   = regexp.MustCompile(`<input[^>]* name="(\w+)" value="([^"]*)"`)
	selects  = regexp.MustCompile(`(?s)name="(\w+)"[^>]*>\s*<option value=""></option>.*?</select>`)
	selected = regexp.MustCompile(`<option value="([^"]*)" selected>`)
)

// with returns the values with some changed.
func with(values url.Values, pairs ...string) url.Values {
	changed := url.Values{}
	for name := range values {
		changed.Set(name, values.Get(name))
	}
	for i := 0; i < len(pairs); i += 2 {
		changed.Set(pairs[i], pairs[i+1])
	}
	return changed
}

func (b *browser) send(path string, values url.Values) answer {
	return b.do(b.request(http.MethodPost, path, values))
}

func (s *shop) card(id string) cards.Card {
	s.t.Helper()
	card, err := s.config.Cards.Get(s.t.Context(), s.account.ID, id)
	if err != nil {
		s.t.Fatal(err)
	}
	return card
}

func TestCard_Change(t *testing.T) {
	t.Parallel()
	s := setup(t)
	card := s.add("Ember Fox")[0]
	b, path := s.logIn(ada), "/cards/"+card.ID
	before := valuesOf(b.get(path))
	if got := before.Get("asking_price") + before.Get("asking_currency"); got != "1.00USD" {
		t.Errorf("asking price in the form: got %q, want 1.00USD", got)
	}
	b.wantRedirect(b.send(path, before), path+"?saved=true")
	if got := s.card(card.ID); got.Version != card.Version {
		t.Errorf("version after a form without changes: got %d, want %d", got.Version, card.Version)
	}
	changed := with(before, "title", " Ember Fox ", "asking_price", "1,240.5", "asking_currency", "eur", "cost", "",
		"condition", "LP", "year", "1999", "grade_company", "PSA", "grade_value", "9", "location", "Box 4/Row 1",
		"notes", "two\r\nlines")
	b.wantRedirect(b.send(path, changed), path+"?saved=true")
	got := s.card(card.ID)
	d := got.Identification.Description
	values := []any{
		*d.Title, got.Pricing.AskingPrice.String(), got.Pricing.Cost, *d.Condition, *d.Year, d.Grade.Company,
		*got.Location, *got.Notes, got.Identification.Source == nil,
	}
	want := []any{
		"Ember Fox", "1240.50 EUR", (*money.Money)(nil), "LP", int32(1999), "PSA", "Box 4/Row 1", "two\nlines", false,
	}
	if diff := cmp.Diff(want, values); diff != "" {
		t.Errorf("card (-want +got):\n%s", diff)
	}
	page := b.get(path + "?saved=true")
	b.want(page, http.StatusOK, "Saved.")
	b.want(page, http.StatusOK, "asking price: $1.00 → €1,240.50")
	b.want(page, http.StatusOK, "by "+ada)
}

func TestCard_RefusesBesideTheField(t *testing.T) {
	t.Parallel()
	s := setup(t)
	card := s.add("Ember Fox")[0]
	b, path := s.logIn(ada), "/cards/"+card.ID
	before := valuesOf(b.get(path))
	for field, tc := range map[string][2]string{ // the value, and a part of the message
		"asking_price":    {"12.345", "must be an amount such as 12.50"},
		"asking_currency": {"XYZ", "must be an upper-case ISO 4217 code"},
		"year":            {"about 1999", "must be a year such as 1999"},
		"title":           {strings.Repeat("x", 201), "200 characters"},
		"grade_value":     {"9", ""},
		"location":        {"a//b", "must"},
	} {
		t.Run(field, func(t *testing.T) {
			a := b.send(path, with(before, field, tc[0]))
			b.want(a, http.StatusUnprocessableEntity, tc[1])
			b.want(a, http.StatusUnprocessableEntity, tc[0]) // what was typed is kept
			marked := field
			if field == "grade_value" {
				marked = "grade_company"
			}
			b.want(a, http.StatusUnprocessableEntity, `id="e-`+marked+`"`)
			b.want(a, http.StatusUnprocessableEntity, "Correct the marked fields.")
		})
	}
	b.want(b.send(path, with(before, "title", " ")), http.StatusUnprocessableEntity, `id="e-title">must not be empty`)
	if got := s.card(card.ID); got.Version != card.Version {
		t.Errorf("version after refused forms: got %d, want %d", got.Version, card.Version)
	}
	b.want(b.send(path, with(before, "version", "")), http.StatusBadRequest, "The form is incomplete.")
}

func TestCard_ChangedInTheMeantime(t *testing.T) {
	t.Parallel()
	s := setup(t)
	card := s.add("Ember Fox")[0]
	b, path := s.logIn(ada), "/cards/"+card.ID
	before := valuesOf(b.get(path))
	patch := cards.Patch{Location: cards.Set("Box 1")}
	if _, err := s.config.Cards.Update(t.Context(), s.account.ID, card.ID, patch, nil); err != nil {
		t.Fatal(err)
	}
	refused := b.send(path, with(before, "location", "Box 2"))
	b.want(refused, http.StatusPreconditionFailed, "The card was changed in the meantime.")
	b.wantRedirect(b.send(path, valuesOf(refused)), path+"?saved=true")
	if got := s.card(card.ID); *got.Location != "Box 2" {
		t.Errorf("location: got %q, want Box 2", *got.Location)
	}
}

func TestCard_OfThisAccountOnly(t *testing.T) {
	t.Parallel()
	s := setup(t)
	card := s.add("Ember Fox")[0]
	before := valuesOf(s.logIn(ada).get("/cards/" + card.ID))
	s.newUser(s.newAccount("Eve's cards"), "eve@example.com", users.Owner)
	eve := s.logIn("eve@example.com")
	eve.want(eve.get("/cards/"+card.ID), http.StatusNotFound, "")
	eve.want(eve.send("/cards/"+card.ID, with(before, "title", "Mine")), http.StatusNotFound, "")
	eve.want(eve.get("/cards/card_unknown"), http.StatusNotFound, "")
	if got := s.card(card.ID); got.Version != card.Version {
		t.Error("another account's user changed the card")
	}
}

package dashboard

import (
	"bytes"
	"html"
	"image"
	"image/jpeg"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify"
)

// picture returns a photo.
func picture(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 400, 560)), nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// unidentified creates a card with a photo that was identified as one of the candidates, without enough certainty.
func (s *shop) unidentified(patch cards.Patch, list ...identify.Candidate) cards.Card {
	s.t.Helper()
	no := false
	drafts := []cards.Draft{{Patch: patch, Identify: &no}}
	made, err := s.config.Cards.Create(s.t.Context(), s.account.ID, drafts, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	front := bytes.NewReader(picture(s.t))
	if _, err := s.config.Photos.Put(s.t.Context(), s.account.ID, made[0].ID, cards.RoleFront, front); err != nil {
		s.t.Fatal(err)
	}
	return s.identify(made[0].ID, list...)
}

// identify identifies the card as one of the candidates.
func (s *shop) identify(cardID string, list ...identify.Candidate) cards.Card {
	s.t.Helper()
	s.guesses.list.Store(&list)
	_, card, err := s.config.Identification.Card(s.t.Context(), s.account.ID, cardID, nil, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return card
}

// catalogue imports two printings of a card.
func (s *shop) catalogue() {
	s.t.Helper()
	path := filepath.Join(s.t.TempDir(), "catalogue.csv")
	rows := "id,game,name,set,number,printed_total,year,price,currency\n" +
		"dawn-95,other,Moss Fox,Dawn,95,203,2021,12.50,USD\ndawn-215,other,Moss Fox,Dawn,215,203,2021,80,USD\n"
	if err := os.WriteFile(path, []byte(rows), 0o600); err != nil {
		s.t.Fatal(err)
	}
	if _, err := s.config.Catalog.Import(s.t.Context(), catalog.CSV, path, nil); err != nil {
		s.t.Fatal(err)
	}
}

// guess returns a candidate of no catalogue.
func guess(title, number string, confidence float64) identify.Candidate {
	return identify.Candidate{
		Title: title, Set: "Dawn", Number: number, Game: "other", Confidence: confidence,
		Signals: []identify.Signal{{Kind: identify.NameSignal, Score: 0.9}},
	}
}

var (
	hidden  = regexp.MustCompile(`<input type="hidden" name="(\w+)" value="([^"]*)"`)
	choices = regexp.MustCompile(`<button type="submit"[^>]* name="take" value="([^"]*)"`)
	actions = regexp.MustCompile(`<button type="submit" formaction="/review/take" name="take"`)
)

// reviewed returns the form of the page review with a value for "take": the choice with an index.
func reviewed(t testing.TB, a answer, take int) url.Values {
	t.Helper()
	values := url.Values{}
	for _, found := range hidden.FindAllStringSubmatch(a.body, -1) {
		values.Set(found[1], html.UnescapeString(found[2]))
	}
	found := choices.FindAllStringSubmatch(a.body, -1)
	if take >= len(found) {
		t.Fatalf("the page has %d choices, want more than %d: %s", len(found), take, a.body)
	}
	if take >= 0 {
		values.Set("take", html.UnescapeString(found[take][1]))
	}
	return values
}

// graded returns a grade, without a certificate number for "".
func graded(company, value, cert string) *cards.Grade {
	g := &cards.Grade{Company: company, Value: value}
	if cert != "" {
		g.CertNumber = &cert
	}
	return g
}

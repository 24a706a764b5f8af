//go:build e2e

package e2e

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

// A mirror that is killed after its first page and then continues equals the inventory, also after further changes.
func TestExamples_Mirror(t *testing.T) {
	s := newShop(t, "mirror")
	ctx, file := t.Context(), filepath.Join(t.TempDir(), "inventory.jsonl")
	price := cardvault.Money{Amount: 500, Currency: cardvault.CurrencyUSD}
	cards := s.addCards(cardvault.CardInput{
		Copies: 250, Identification: cardvault.IdentificationInput{Title: "Ember Fox"},
		Pricing: cardvault.PricingInput{AskingPrice: price},
	})
	s.list(cards[0])
	sale, err := s.SellCard(ctx, cards[1].ID, cardvault.SellInput{Channel: cardvault.SaleChannelInPerson, Price: price})
	if err != nil {
		t.Fatal(err)
	}

	g := newGate(t, 1)
	command := s.command(g.api, "mirror", "--file", file)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	<-g.held
	if err := command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = command.Wait() // reports the kill
	copied := slices.Sorted(maps.Keys(readCopy(t, file)["cards"]))
	if len(copied) != 200 {
		t.Fatalf("the killed program copied %d cards, want the page of 200", len(copied))
	}
	tear(t, file)

	if _, err := s.UpdateCard(ctx, copied[10], cardvault.CardPatch{Notes: cardvault.Set("A nick.")}); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteCard(ctx, copied[20]); err != nil {
		t.Fatal(err)
	}
	s.wantLines("mirror", []string{"--file", file},
		"cards: 50 new, 1 changed", "cards: 1 deleted", "listings: 1 new, 0 changed", "sales: 1 new, 0 changed",
		"in all: 249 cards, 1 listings, 1 sales")
	s.wantCopy(file)

	if _, err := s.RefundSale(ctx, sale.ID, cardvault.RefundInput{Restock: true}); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteCard(ctx, copied[30]); err != nil {
		t.Fatal(err)
	}
	s.wantLines("mirror", []string{"--file", file},
		"cards: 0 new, 1 changed", "cards: 1 deleted", "listings: 0 new, 0 changed", "sales: 0 new, 1 changed",
		"in all: 248 cards, 1 listings, 1 sales")
	s.wantCopy(file)
	s.wantLines("mirror", []string{"--file", file},
		"cards: 0 new, 0 changed", "cards: 0 deleted", "listings: 0 new, 0 changed", "sales: 0 new, 0 changed",
		"in all: 248 cards, 1 listings, 1 sales")
}

// readCopy returns the time of the last change of each item in the file, by feed and identifier.
func readCopy(t *testing.T, file string) map[string]map[string]time.Time {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	items := map[string]map[string]time.Time{"cards": {}, "listings": {}, "sales": {}}
	for line := range strings.Lines(string(text)) {
		var change struct {
			Feed, ID string
			Item     struct {
				UpdatedAt time.Time `json:"updated_at"`
			}
		}
		decode(t, line, &change)
		if change.Feed == "deletions" {
			delete(items["cards"], change.ID)
		} else if change.ID != "" {
			items[change.Feed][change.ID] = change.Item.UpdatedAt
		}
	}
	return items
}

// tear appends the beginning of a line, as a kill while the line is written does.
func tear(t *testing.T, file string) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"feed":"cards","id":"card_`); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// wantCopy compares the file with the inventory.
func (s *shop) wantCopy(file string) {
	s.t.Helper()
	want := map[string]map[string]time.Time{"cards": {}, "listings": {}, "sales": {}}
	for card, err := range s.Cards(s.t.Context(), nil) {
		if err != nil {
			s.t.Fatal(err)
		}
		want["cards"][card.ID] = card.UpdatedAt
	}
	for listing, err := range s.Listings(s.t.Context(), nil) {
		if err != nil {
			s.t.Fatal(err)
		}
		want["listings"][listing.ID] = listing.UpdatedAt
	}
	for sale, err := range s.Sales(s.t.Context(), nil) {
		if err != nil {
			s.t.Fatal(err)
		}
		want["sales"][sale.ID] = sale.UpdatedAt
	}
	got := readCopy(s.t, file)
	for feed := range want {
		if !maps.EqualFunc(got[feed], want[feed], time.Time.Equal) {
			s.t.Errorf("the copy has the %s %v, want %v", feed, got[feed], want[feed])
		}
	}
}

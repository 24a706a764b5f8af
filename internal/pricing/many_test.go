package pricing

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

const unknownCard = "card_01k5w0q2m7t9c3r5v8x0z1b4d6"

// stock fills the account with sales and with cards whose prices come from each source, and returns the identifiers of
// the cards, with those of an unknown card and of another account's card.
func (s *shop) stock() []string {
	s.sell(fox, 500, 700, 900)
	s.sell("Ember Fox|Dawn of Cinders|54/167|other|LP", 100)
	s.sell("Ember Fox|Dawn of Cinders|54/167|other|NM|PSA 9", 9000)
	s.sell("EMBER FOX|Night of Ash|1/20|other|NM", 50)
	s.list(s.account, fox, "sold", 1, "EUR", 0)
	s.list(s.newAccount(), fox, "sold", 1, "USD", 0)
	ids := []string{
		unknownCard, s.add(s.newAccount(), fox), s.add(s.account, ""), s.addPrinting("d-55"), s.addPrinting("gone"),
	}
	for _, title := range []string{"Ember Fox", "ember fox", "Ember Foxx", "Free Bird", "Unknown Card", "★"} {
		for _, rest := range []string{
			"", "|Dawn of Cinders", "|Dawn of Cinders|54/167", "|Night of Ash|1/20|other|NM", "||55/167",
			"|Dawn of Cinders|||LP", "|||other||PSA 9", "|||magic",
		} {
			ids = append(ids, s.add(s.account, title+rest))
		}
	}
	return ids
}

// addPrinting creates a card with an identifier in the catalogue.
func (s *shop) addPrinting(catalogID string) string {
	s.t.Helper()
	patch := cards.Patch{Title: cards.Set("Moss Bear"), CatalogID: cards.Set(catalogID)}
	created, err := s.cards.Create(s.t.Context(), s.account, []cards.Draft{{Patch: patch}}, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return created[0].ID
}

// LookupMany returns for each card what Lookup returns.
func TestLookupMany_EqualsLookup(t *testing.T) {
	t.Parallel()
	s, ctx := setup(t), t.Context()
	ids := s.stock()
	if len(ids) < 50 {
		t.Fatalf("%d cards, want at least 50", len(ids))
	}
	random := rand.New(rand.NewPCG(5, 6))
	outcomes := map[string]bool{}
	for range 4 {
		random.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		some := slices.Clone(ids[:1+random.IntN(50)])
		some[0] = strings.ToUpper(some[0])
		got, err := s.LookupMany(ctx, s.account, some)
		if err != nil || len(got) != len(some) {
			t.Fatalf("LookupMany: got %d results, %v, want %d", len(got), err, len(some))
		}
		for i, cardID := range some {
			estimate, err := s.Lookup(ctx, s.account, Query{CardID: &cardID})
			want := Result{estimate, err}
			now := cmpopts.EquateApproxTime(time.Minute) // of estimates from sales
			if diff := cmp.Diff(want.Estimate, got[i].Estimate, now); diff != "" {
				t.Errorf("estimate %d (-one +many):\n%s", i, diff)
			}
			if outcome(want.Estimate, want.Err) != outcome(got[i].Estimate, got[i].Err) {
				t.Errorf("card %d: got %s, want %s", i, outcome(got[i].Estimate, got[i].Err),
					outcome(want.Estimate, want.Err))
			}
			kind := string(got[i].Estimate.Basis)
			if f, ok := fault.As(got[i].Err); ok {
				kind = string(f.Code)
			}
			outcomes[kind] = true
		}
	}
	for _, kind := range []string{
		"sold_listings", "catalog", "no_price_found", "card_not_found", "card_not_identified",
	} {
		if !outcomes[kind] {
			t.Errorf("no card with the outcome %s", kind)
		}
	}
}

func TestLookupMany_RepeatedCard(t *testing.T) {
	t.Parallel()
	s := setup(t)
	card := s.add(s.account, fox)
	_, err := s.LookupMany(t.Context(), s.account, []string{unknownCard, card, strings.ToUpper(card)})
	f, ok := fault.As(err)
	if !ok || f.Code != fault.InvalidRequest || f.Details[0].Field != "card_ids.2" {
		t.Errorf("LookupMany = %v, want invalid_request about card_ids.2", err)
	}
}

// The number of statements is the same for a few cards and for 50.
func TestLookupMany_CountsStatements(t *testing.T) {
	t.Parallel()
	proxy := pgtest.Proxy(t)
	db, err := postgres.Open(postgres.Config{URL: proxy.URL()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s := setupOn(t, db)
	ids := s.stock()
	few := ids[:3:3]
	for _, title := range []string{fox, "Ember Fox|||other", "Ember Foxx|Dawn of Cinders|55/167", "★||55/167"} {
		few = append(few, s.add(s.account, title))
	}
	few = append(few, s.addPrinting("d-54"))
	many := slices.Concat(few, ids[3:])[:50]
	count := func(cardIDs []string) int {
		t.Helper()
		before := proxy.Statements()
		if _, err := s.LookupMany(t.Context(), s.account, cardIDs); err != nil {
			t.Fatal(err)
		}
		return proxy.Statements() - before
	}
	want := count(few)
	if got := count(many); got != want || got > 6 {
		t.Errorf("statements for %d cards: got %d, want at most 6, and %d, as for %d cards",
			len(many), got, want, len(few))
	}
	if got := count([]string{unknownCard}); got != 1 {
		t.Errorf("statements for an unknown card: got %d, want 1", got)
	}
}

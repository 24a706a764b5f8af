package pricing

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// shop is an account with a catalogue.
type shop struct {
	*Service
	t       *testing.T
	db      *postgres.DB
	cards   *cards.Service
	account string
}

const catalogue = `id,game,name,set,number,printed_total,price,currency
d-54,other,Ember Fox,Dawn of Cinders,54,167,3.00,USD
d-55,other,Ember Fox,Dawn of Cinders,55,167,9.00,USD
n-1,other,Ember Fox,Night of Ash,1,20,,
n-2,other,Free Bird,Night of Ash,2,20,,
`

func setup(t *testing.T) *shop {
	t.Helper()
	return setupOn(t, pgtest.New(t))
}

func setupOn(t *testing.T, db *postgres.DB) *shop {
	t.Helper()
	cursors, err := paging.NewCursors([]byte("a secret of thirty-two bytes ..."))
	if err != nil {
		t.Fatal(err)
	}
	recorder := events.NewRecorder(nil) // the accounts have no webhook endpoints
	containers := batches.New(db, clock.System, cursors, recorder)
	inventory := cards.New(db, clock.System, cursors, recorder, containers, cards.NewQueues())
	reference := catalog.New(db)
	path := filepath.Join(t.TempDir(), "catalogue.csv")
	if err := os.WriteFile(path, []byte(catalogue), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := reference.Import(t.Context(), catalog.CSV, path, func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	s := &shop{Service: New(db, clock.System, inventory, reference), t: t, db: db, cards: inventory}
	s.account = s.newAccount()
	return s
}

func (s *shop) newAccount() string {
	s.t.Helper()
	account, err := accounts.New(s.db, clock.System).Create(s.t.Context(), "Ada's cards", false)
	if err != nil {
		s.t.Fatal(err)
	}
	return account.ID
}

// describe parses a card from "title|set|number|game|condition|grade|language|variant". Only the title is required.
func describe(text string) cards.Description {
	parts := append(strings.Split(text, "|"), make([]string, 8)...)
	field := func(i int) *string {
		if parts[i] == "" {
			return nil
		}
		return &parts[i]
	}
	d := cards.Description{
		Title: field(0), Set: field(1), Number: field(2), Game: field(3), Condition: field(4), Language: field(6),
		Variant: field(7),
	}
	if company, value, ok := strings.Cut(parts[5], " "); ok {
		d.Grade = &cards.Grade{Company: company, Value: value}
	}
	return d
}

// add creates a card.
func (s *shop) add(account, text string) string {
	s.t.Helper()
	d := describe(text)
	set := func(value *string) cards.Field[string] {
		if value == nil {
			return cards.Field[string]{}
		}
		return cards.Set(*value)
	}
	patch := cards.Patch{
		Title: set(d.Title), Set: set(d.Set), Number: set(d.Number), Game: set(d.Game), Condition: set(d.Condition),
		Language: set(d.Language), Variant: set(d.Variant),
	}
	if d.Grade != nil {
		patch.Grade = cards.Set(*d.Grade)
	}
	created, err := s.cards.Create(s.t.Context(), account, []cards.Draft{{Patch: patch}}, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return created[0].ID
}

// list creates a card with a listing.
func (s *shop) list(account, text, status string, amount int64, currency string, ago time.Duration) {
	s.t.Helper()
	at := time.Now().Add(-ago)
	_, err := s.db.Exec(s.t.Context(), `
		INSERT INTO listings (account_id, id, card_id, marketplace, status, title, price_amount, price_currency,
			sold_amount, sold_currency, sold_at, version, created_at, updated_at)
		VALUES ($1, $2, $3, 'sandbox', $4, $5, 1, 'USD', $6, $7, $8, 1, $8, $8)`,
		account, id.New(id.Listing, at), s.add(account, text), status, "Listing of "+text, amount, currency, at)
	if err != nil {
		s.t.Fatal(err)
	}
}

// sell creates sales at these prices in USD, the first one today, each further one a day earlier.
func (s *shop) sell(text string, amounts ...int64) {
	s.t.Helper()
	for i, amount := range amounts {
		s.list(s.account, text, "sold", amount, "USD", time.Duration(i)*24*time.Hour)
	}
}

// outcome formats the result of Lookup: an estimate or the code of an error.
func outcome(e Estimate, err error) string {
	if f, ok := fault.As(err); ok {
		return string(f.Code)
	}
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%s %s", format(e), e.Basis)
}

func (s *shop) lookup(text string) (Estimate, error) {
	d := describe(text)
	return s.Lookup(s.t.Context(), s.account, Query{Card: &d})
}

const fox = "Ember Fox|Dawn of Cinders|54/167|other|NM"

func TestLookup_PrefersOwnSales(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.sell(fox, 500, 700, 900)
	s.sell("Ember Fox|Dawn of Cinders|54/167|other|LP", 100)
	s.sell("Ember Fox|Dawn of Cinders|54/167|other|NM|PSA 9", 9000)
	s.sell("Ember Fox|Dawn of Cinders|54/167|other|NM|PSA 10", 20000)
	s.sell("Ember Fox|Night of Ash|1/20|other|NM", 50)
	s.list(s.account, fox, "live", 1, "USD", 0)
	s.list(s.account, fox, "sold", 1, "USD", 366*24*time.Hour)
	s.list(s.newAccount(), fox, "sold", 1, "USD", 0)
	for text, want := range map[string]string{
		fox:                                   "700 500-900 USD of 4 sold_listings",
		"EMBER FOX|dawn of cinders|54/167":    "600 100-700 USD of 4 sold_listings",
		"Ember Fox|Dawn of Cinders||other|LP": "100 100-700 USD of 4 sold_listings",
		"Ember Fox":                           "500 100-700 USD of 5 sold_listings",
		"Ember Fox|Night of Ash":              "50 50-50 USD of 1 sold_listings",
		"Ember Fox|Dawn of Cinders||||PSA 9":  "9000 9000-9000 USD of 1 sold_listings",
		"Ember Fox|Dawn of Cinders|55/167":    "900 900-900 USD of 1 catalog",
		// The catalogue has no prices of graded cards.
		"Ember Fox|Dawn of Cinders|54/167|other||PSA 8": "no_price_found",
		"Ember Fox|Dawn of Cinders|54/167|magic":        "no_price_found",
		"Free Bird":                                     "no_price_found",
		"Unknown Card":                                  "no_price_found",
		"":                                              "invalid_request",
	} {
		t.Run(text, func(t *testing.T) {
			if got := outcome(s.lookup(text)); got != want {
				t.Errorf("Lookup: got %s, want %s", got, want)
			}
		})
	}
}

func TestLookup_ReturnsNewestSales(t *testing.T) {
	t.Parallel()
	s := setup(t)
	amounts := make([]int64, 25)
	for i := range amounts {
		amounts[i] = int64(100 + i)
	}
	s.sell(fox, amounts...)
	s.list(s.account, fox, "sold", 1, "EUR", 0)             // in another currency, so it is not used
	s.list(s.account, fox, "sold", 90000, "USD", time.Hour) // an outlier
	e, err := s.lookup(fox)
	if err != nil || e.SampleSize != 25 || len(e.Comparables) != 20 || time.Since(e.AsOf) > time.Hour {
		t.Fatalf("Lookup: got %+v, %v, want 25 sales, of them 20 comparables, as of now", e, err)
	}
	if got := reasons(e.Excluded); got != "1 other_currency, 90000 outlier" || e.NewestDays != 0 {
		t.Errorf("excluded: got %s, newest %d days ago, want the sale in EUR and the outlier", got, e.NewestDays)
	}
	for i, c := range e.Comparables {
		want := Comparable{
			Title: "Listing of " + fox, Price: money.Money{Amount: amounts[i], Currency: "USD"}, SoldAt: c.SoldAt,
			Source: "sandbox", AgeDays: i, Weight: full,
		}
		if diff := cmp.Diff(want, c); diff != "" {
			t.Errorf("comparable %d (-want +got):\n%s", i, diff)
		}
		if i > 0 && c.SoldAt.After(*e.Comparables[i-1].SoldAt) {
			t.Errorf("comparable %d was sold at %v, after the one before", i, c.SoldAt)
		}
	}
}

// Sales of cards that differ count less. If all of them differ much, a price of the catalogue is preferred.
func TestLookup_WeighsSales(t *testing.T) {
	t.Parallel()
	s := setup(t)
	const bear = "Moss Bear|Dawn of Cinders|7/167|other|"
	s.sell(bear+"NM||en|", 1000)
	s.sell(bear+"NM||ja|", 300, 310, 320)
	s.sell(bear+"NM||en|foil", 4000, 4100)
	s.sell(bear+"NM|CGC 9|en|", 5000)
	s.sell(bear+"NM|PSA 9.5|en|", 9000)
	s.sell(fox+"||ja|", 200)
	s.sell("Ember Fox|Dawn of Cinders|55/167|other|LP|", 100)
	for text, want := range map[string]string{
		bear + "NM||en|":     "1000 1000-4000 USD of 6 sold_listings",
		bear + "NM||ja|":     "310 300-320 USD of 6 sold_listings",
		bear + "NM||en|foil": "4000 4000-4100 USD of 6 sold_listings",
		bear + "NM|CGC 9|en": "5000 5000-9000 USD of 2 sold_listings",
		bear + "NM|PSA 9|en": "5000 5000-9000 USD of 2 sold_listings",
		bear + "NM|PSA 8|en": "no_price_found",
		fox + "||en|":        "300 300-300 USD of 1 catalog",
		fox + "||ja|":        "200 200-200 USD of 1 sold_listings",
		"Ember Fox|Dawn of Cinders|55/167|other|NM":  "100 100-100 USD of 1 sold_listings",
		"Ember Fox|Dawn of Cinders|55/167|other|DMG": "900 900-900 USD of 1 catalog",
	} {
		t.Run(text, func(t *testing.T) {
			if got := outcome(s.lookup(text)); got != want {
				t.Errorf("Lookup: got %s, want %s", got, want)
			}
		})
	}
}

// Without a price in the catalogue, sales of cards that differ much are better than no price.
func TestLookup_KeepsInsufficientSales(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.list(s.account, "Free Bird||||NM||ja", "sold", 400, "USD", 200*24*time.Hour)
	e, err := s.lookup("Free Bird||||NM||en")
	if outcome(e, err) != "400 400-400 USD of 1 sold_listings" || e.MaxWeight != 40 || e.NewestDays != 200 {
		t.Errorf("Lookup: got %+v, %v, want the price of the Japanese card", e, err)
	}
}

func TestLookup_Catalogue(t *testing.T) {
	t.Parallel()
	s := setup(t)
	e, err := s.lookup("ember fox")
	if outcome(e, err) != "600 300-900 USD of 2 catalog" {
		t.Fatalf("Lookup: got %+v, %v, want an estimate from the two printings that have a price", e, err)
	}
	c := e.Comparables[0]
	if c.Source != SourceCatalog || c.SoldAt != nil || !strings.HasPrefix(c.Title, "Ember Fox 5") {
		t.Errorf("first comparable: got %+v, want a printing of the catalogue", c)
	}
	if e.AsOf.IsZero() || time.Since(e.AsOf) > time.Hour {
		t.Errorf("AsOf: got %v, want the time of the import", e.AsOf)
	}
	for catalogID, want := range map[string]string{
		"d-55": "900 900-900 USD of 1 catalog",
		"n-1":  "no_price_found",               // has no price
		"gone": "600 300-900 USD of 2 catalog", // is not in the catalogue
	} {
		t.Run(catalogID, func(t *testing.T) {
			d := describe("Ember Fox")
			d.CatalogID = &catalogID
			if got := outcome(s.Lookup(t.Context(), s.account, Query{Card: &d})); got != want {
				t.Errorf("Lookup: got %s, want %s", got, want)
			}
		})
	}
}

func TestLookup_CardOfAccount(t *testing.T) {
	t.Parallel()
	s, ctx := setup(t), t.Context()
	s.sell(fox, 500)
	mine, blank, others := s.add(s.account, fox), s.add(s.account, ""), s.add(s.newAccount(), fox)
	d := describe(fox)
	for name, tc := range map[string]struct {
		q    Query
		want string
	}{
		"mine":           {Query{CardID: &mine}, "500 500-500 USD of 1 sold_listings"},
		"not identified": {Query{CardID: &blank}, "card_not_identified"},
		"another's":      {Query{CardID: &others}, "card_not_found"},
		"both":           {Query{CardID: &mine, Card: &d}, "invalid_request"},
		"neither":        {Query{}, "invalid_request"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := outcome(s.Lookup(ctx, s.account, tc.q)); got != tc.want {
				t.Errorf("Lookup: got %s, want %s", got, tc.want)
			}
		})
	}
}

// The look-ups of one account leave the database to others.
func TestLookup_LimitsLookupsOfAccount(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for range maxLookups {
		held, err := s.running.Acquire(t.Context(), s.account)
		if err != nil {
			t.Fatal(err)
		}
		defer held.Release()
	}
	title := "Ember Fox"
	query := Query{Card: &cards.Description{Title: &title}}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Lookup(ctx, s.account, query); !errors.Is(err, context.Canceled) {
		t.Errorf("one look-up too many: got %v, want it to wait", err)
	}
	if _, err := s.Lookup(t.Context(), id.New(id.Account, time.Now()), query); err != nil {
		t.Errorf("a look-up of another account: %v", err)
	}
}

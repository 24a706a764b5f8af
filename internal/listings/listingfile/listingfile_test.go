package listingfile_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/listings/listingfile"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// shelf is an account with cards.
type shelf struct {
	*listingfile.Service
	cards   *cards.Service
	account string
}

func setup(t *testing.T) *shelf {
	t.Helper()
	db := pgtest.New(t)
	cursors, err := paging.NewCursors(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	recorder := events.NewRecorder(nil) // without webhooks
	inventory := cards.New(db, clock.System, cursors, recorder, batches.New(db, clock.System, cursors, recorder),
		cards.NewQueues())
	account, err := accounts.New(db, clock.System).Create(t.Context(), "Ada's cards", false)
	if err != nil {
		t.Fatal(err)
	}
	photos := func(card cards.Card, _ time.Time) []string {
		if card.Location != nil { // cards of these tests without photos
			return nil
		}
		return []string{"https://vault.example/1.jpg", "https://vault.example/2.jpg"}
	}
	return &shelf{listingfile.New(db, inventory, photos, time.Now), inventory, account.ID}
}

func (s *shelf) create(t *testing.T, patches ...cards.Patch) []cards.Card {
	t.Helper()
	drafts := make([]cards.Draft, len(patches))
	for i, patch := range patches {
		drafts[i].Patch = patch
	}
	made, err := s.cards.Create(t.Context(), s.account, drafts, nil)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// export returns the rows of a file, by column.
func (s *shelf) export(t *testing.T, o listingfile.Options) ([]map[string]string, listingfile.Report) {
	t.Helper()
	var out bytes.Buffer
	report, err := s.Export(t.Context(), &out, s.account, o)
	if err != nil {
		t.Fatal(err)
	}
	read, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, cells := range read[1:] {
		row := map[string]string{}
		for i, cell := range cells {
			if cell != "" {
				row[read[0][i]] = cell
			}
		}
		rows = append(rows, row)
	}
	return rows, report
}

func usd(amount int64) cards.Field[money.Money] {
	return cards.Set(money.Money{Amount: amount, Currency: "USD"})
}

func TestService_ExportEbay(t *testing.T) {
	t.Parallel()
	s := setup(t)
	nm := cards.Set("NM")
	made := s.create(t,
		cards.Patch{
			Title: cards.Set("Ember Fox"), Set: cards.Set("Dawn of Cinders"), Number: cards.Set("54/167"),
			Game: cards.Set("pokemon"), Condition: cards.Set("LP"), AskingPrice: usd(1250), SKU: cards.Set("A-1"),
		},
		cards.Patch{
			Title: cards.Set(`=HYPERLINK("https://evil.example")`), AskingPrice: usd(100), SKU: cards.Set("BOX"),
			Grade: cards.Set(cards.Grade{Company: "PSA", Value: "9", CertNumber: new("12345678")}),
		},
		cards.Patch{Title: cards.Set("Tide Crab"), Condition: nm, AskingPrice: usd(80), SKU: cards.Set("BOX")},
		cards.Patch{Title: cards.Set("No condition"), AskingPrice: usd(80)},
		cards.Patch{Title: cards.Set("No price"), Condition: nm},
		cards.Patch{Title: cards.Set("No photo"), Condition: nm, AskingPrice: usd(80), Location: cards.Set("box")},
		cards.Patch{
			Title: cards.Set("Yen"), Condition: nm, AskingPrice: cards.Set(money.Money{Amount: 5, Currency: "JPY"}),
		},
	)
	got, report := s.export(t, listingfile.Options{Format: "ebay", Ebay: listingfile.EbayOptions{
		Location: "Trier", ShippingPolicy: "Letter", ReturnPolicy: "30 days", PaymentPolicy: "Managed",
	}})
	row := func(more map[string]string) map[string]string {
		all := map[string]string{
			"*Action(SiteID=US|Country=US|Currency=USD|Version=1193|CC=UTF-8)": "Add",
			"PicURL":  "https://vault.example/1.jpg|https://vault.example/2.jpg",
			"*Format": "FixedPrice", "*Duration": "GTC", "*Quantity": "1", "*Category": "183454",
			"*Location": "Trier", "ShippingProfileName": "Letter", "ReturnProfileName": "30 days",
			"PaymentProfileName": "Managed",
		}
		for column, cell := range more {
			all[column] = cell
		}
		return all
	}
	want := []map[string]string{
		row(map[string]string{
			"CustomLabel": "A-1", "*Title": "Dawn of Cinders Ember Fox 54/167 LP", "*ConditionID": "4000",
			"CD:Card Condition - (ID: 40001)": "400015", "C:Game": "Pokémon TCG", "C:Set": "Dawn of Cinders",
			"C:Card Name": "Ember Fox", "C:Card Number": "54/167", "*StartPrice": "12.50",
			"*Description": "Dawn of Cinders Ember Fox 54/167 LP<br>Card: Ember Fox<br>Set: Dawn of Cinders<br>" +
				"Number: 54/167<br>Condition: lightly played",
		}),
		row(map[string]string{ // its SKU is not its own, and its title is no formula
			"CustomLabel": made[1].ID, "*Title": `'=HYPERLINK("https://evil.example") PSA 9`, "*ConditionID": "2750",
			"CD:Professional Grader - (ID: 27501)": "275010", "CD:Grade - (ID: 27502)": "275022",
			"CDA:Certification Number - (ID: 27503)": "12345678", "*StartPrice": "1.00",
			"C:Card Name": `'=HYPERLINK("https://evil.example")`,
			"*Description": "'=HYPERLINK(&#34;https://evil.example&#34;) PSA 9<br>" +
				"Card: =HYPERLINK(&#34;https://evil.example&#34;)<br>Grade: PSA 9<br>Certification number: 12345678",
		}),
		row(map[string]string{
			"CustomLabel": made[2].ID, "*Title": "Tide Crab NM", "*ConditionID": "4000", "*StartPrice": "0.80",
			"CD:Card Condition - (ID: 40001)": "400010", "C:Card Name": "Tide Crab",
			"*Description": "Tide Crab NM<br>Card: Tide Crab<br>Condition: near mint",
		}),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	reasons := listingfile.Report{Cards: 3, Skipped: 4, Reasons: []listingfile.Skip{
		{
			CardID: made[3].ID,
			Reason: "the card needs a condition (NM, LP, MP, HP or DMG) or a grade before it can be listed",
		},
		{CardID: made[4].ID, Reason: "the card needs an asking price"},
		{CardID: made[5].ID, Reason: "the card needs at least one photo before it can be listed"},
		{CardID: made[6].ID, Reason: "eBay United States takes prices in USD only, and the asking price is in JPY"},
	}}
	if diff := cmp.Diff(reasons, report); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

func TestService_ExportTCGplayer(t *testing.T) {
	t.Parallel()
	s := setup(t)
	fox := cards.Patch{
		Title: cards.Set("Ember Fox"), Set: cards.Set("Dawn of Cinders"), Number: cards.Set("54/167"),
		Game: cards.Set("pokemon"), Condition: cards.Set("NM"), AskingPrice: usd(1250), SKU: cards.Set("4941700"),
	}
	dearer, graded, other := fox, fox, fox
	dearer.AskingPrice, other.SKU = usd(1300), cards.Set("A-1")
	graded.Grade = cards.Set(cards.Grade{Company: "PSA", Value: "9"})
	made := s.create(t, fox, fox, dearer, graded, other)
	got, report := s.export(t, listingfile.Options{Format: "tcgplayer"})
	row := func(added, price string) map[string]string {
		return map[string]string{
			"TCGplayer Id": "4941700", "Product Line": "Pokemon", "Set Name": "Dawn of Cinders",
			"Product Name": "Ember Fox", "Number": "54/167", "Condition": "Near Mint", "Add to Quantity": added,
			"TCG Marketplace Price": price,
		}
	}
	if diff := cmp.Diff([]map[string]string{row("2", "12.50"), row("1", "13.00")}, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if report.Cards != 3 || report.Skipped != 2 || report.Reasons[0].CardID != made[3].ID {
		t.Errorf("report = %+v, want 3 cards and the graded one and the one without TCGplayer Id left out", report)
	}
}

func TestService_ExportOptions(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.create(t, cards.Patch{
		Title: cards.Set("Ember Fox"), Condition: cards.Set("NM"),
		AskingPrice: cards.Set(money.Money{Amount: 500, Currency: "EUR"}),
	})
	site, _ := wire.FindSite("EBAY_DE")
	got, _ := s.export(t, listingfile.Options{Format: "ebay", Ebay: listingfile.EbayOptions{Site: site}})
	if got[0]["*Action(SiteID=Germany|Country=DE|Currency=EUR|Version=1193|CC=UTF-8)"] != "Add" {
		t.Errorf("rows = %v, want a file for eBay Germany", got)
	}
	if name, text := got[0]["C:Kartenname"], got[0]["*Description"]; name != "Ember Fox" ||
		text != "Ember Fox NM<br>Karte: Ember Fox<br>Zustand: near mint" {
		t.Errorf("name %q, description %q, want the card described in German", name, text)
	}
	filter := cards.Filter{Statuses: []cards.Status{cards.Sold}}
	if got, report := s.export(t, listingfile.Options{Format: "ebay", Filter: filter}); len(got)+report.Skipped != 0 {
		t.Errorf("rows = %v, want only cards of the filter", got)
	}
	_, err := s.Export(t.Context(), io.Discard, s.account, listingfile.Options{Format: "etsy"})
	if !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("an unknown format: %v, want invalid_request", err)
	}
}

// Every site has files.
func TestService_ExportSites(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for _, site := range wire.Sites() {
		var out bytes.Buffer
		o := listingfile.Options{Format: "ebay", Ebay: listingfile.EbayOptions{Site: site}}
		_, err := s.Export(t.Context(), &out, s.account, o)
		if err != nil || !strings.Contains(out.String(), "|Currency="+site.Currency+"|") {
			t.Errorf("%s: %v, %s", site.ID, err, &out)
		}
	}
}

// failingWriter fails after some bytes, and counts them.
type failingWriter struct{ left, written int }

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, errClosed
	}
	w.written += len(p)
	return len(p), nil
}

var errClosed = errors.New("closed")

// The file is written while the cards are read, in the order of their creation.
func TestService_ExportStreams(t *testing.T) {
	t.Parallel()
	s := setup(t)
	const count = 2*paging.MaxLimit + 50
	patches := make([]cards.Patch, 0, 500)
	for i := range count {
		patches = append(patches, cards.Patch{
			Title: cards.Set(fmt.Sprint("Card ", i)), Condition: cards.Set("NM"), AskingPrice: usd(100),
			SKU: cards.Set(fmt.Sprintf("%05d", i)),
		})
	}
	for len(patches) > 0 {
		n := min(len(patches), 100)
		s.create(t, patches[:n]...)
		patches = patches[n:]
	}
	got, report := s.export(t, listingfile.Options{Format: "ebay"})
	if len(got) != count || report.Cards != count {
		t.Fatalf("%d rows, %d reported, want %d", len(got), report.Cards, count)
	}
	for i, row := range got {
		if row["CustomLabel"] != fmt.Sprintf("%05d", i) {
			t.Fatalf("row %d is %v", i, row)
		}
	}
	w := &failingWriter{left: 10_000}
	report, err := s.Export(t.Context(), w, s.account, listingfile.Options{Format: "ebay"})
	if !errors.Is(err, errClosed) || w.written == 0 || report.Cards > paging.MaxLimit {
		t.Errorf("Export = %v after %d cards and %d bytes, want it to stop in the first page",
			err, report.Cards, w.written)
	}
}

package orderfile

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/calendar"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/cards/csvfile"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/sales"
)

// shop is an account in New York with cards.
type shop struct {
	*Service
	account accounts.Account
}

// noListings implements sales.Listings: no card of these tests has a listing.
type noListings struct{}

func (noListings) Withdraw(context.Context, *postgres.Tx, clock.Stamp, string) error {
	return errors.New("there are no listings")
}

func setup(t *testing.T) *shop {
	t.Helper()
	db := pgtest.New(t)
	cursors, err := paging.NewCursors(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	recorder := events.NewRecorder(nil) // without webhooks
	inventory := cards.New(db, clock.System, cursors, recorder, batches.New(db, clock.System, cursors, recorder),
		cards.NewQueues())
	recorded := sales.New(db, clock.System, cursors, recorder, inventory, noListings{}, []string{"ebay", "sandbox"})
	s := &shop{Service: New(db, inventory, recorded)}
	s.account = s.newAccount(t)
	return s
}

func (s *shop) newAccount(t *testing.T) accounts.Account {
	t.Helper()
	account, err := accounts.New(s.db, clock.System).CreateWith(t.Context(), accounts.Settings{
		Name: "Test", Sandbox: true, Currency: "USD", TimeZone: "America/New_York",
	})
	if err != nil {
		t.Fatal(err)
	}
	return account
}

// add creates priced cards with these SKUs. An empty SKU means none.
func (s *shop) add(t *testing.T, account accounts.Account, skus ...string) []string {
	t.Helper()
	var ids []string
	for i, sku := range skus {
		price := money.Money{Amount: int64(i+1) * 100, Currency: "USD"}
		patch := cards.Patch{Title: cards.Set("Ember Fox"), AskingPrice: cards.Set(price)}
		if sku != "" {
			patch.SKU = cards.Set(sku)
		}
		made, err := s.cards.Create(t.Context(), account.ID, []cards.Draft{{Patch: patch}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, made[0].ID)
	}
	return ids
}

func (s *shop) load(t *testing.T, file string, o Options) (Report, error) {
	t.Helper()
	return s.Import(t.Context(), s.account, strings.NewReader(file), o)
}

// sold returns the sales as texts, oldest first, with the places of their cards in ids.
func (s *shop) sold(t *testing.T, ids []string) []string {
	t.Helper()
	found, err := s.sales.List(t.Context(), s.account.ID, sales.Filter{}, paging.Request{Limit: paging.MaxLimit})
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, sale := range found.Data {
		list = append(list, fmt.Sprintf("%d %s %s %s %s shipping %d tax %d fees %v", slices.Index(ids, sale.CardID),
			sale.Channel, *sale.OrderReference, sale.SoldAt.UTC().Format("2006-01-02T15"), sale.Gross,
			sale.ShippingCharged, sale.Tax, sale.Fees))
	}
	slices.Reverse(list)
	return list
}

// createdEvents returns the number of sale.created events.
func (s *shop) createdEvents(t *testing.T) (n int) {
	t.Helper()
	err := s.db.Get(t.Context(), &n, `SELECT count(*) FROM events WHERE account_id = $1 AND event = 'sale.created'`,
		s.account.ID)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

const ordersHeader = "Sales Record Number,Order Number,Buyer Username,Buyer Name,Item Number,Item Title,Custom Label," +
	"Quantity,Sold For,Shipping And Handling,Seller Collected Tax,Total Price,Sale Date\n"

func TestService_ImportsEbayOrders(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.add(t, s.account, "A-1", "", "BOX", "BOX")
	file := "\n\"\"\n" + ordersHeader +
		`101,12-34567-89012,fan,"Smith, Pat",335001234567,Fox,A-1,1,$45.99,$1.25,$2.00,$49.24,Jul-21-26` + "\n" +
		`102,12-34567-89013,fan,Pat,,,,2,$11.50,$4.00,$0.00,$15.50,Jul-22-26` + "\n" +
		`102,12-34567-89013,fan,Pat,335001234568,Crab,` + ids[1] + `,1,"$1,010.00",$0.00,$0.00,,` + "\n" +
		`102,12-34567-89013,fan,Pat,335001234569,Crab,` + ids[2] + `,1,$1.50,,,,` + "\n" +
		`103,12-34567-89014,fan,Pat,335001234570,Fox,lst01j8x4z9q2m7r3v5t6w8y0a1bc,1,$5.00,0,0,$5.00,Jul-22-26` +
		"\n\n3,record(s) downloaded\nSeller ID : ada\n"
	want := []string{
		"0 ebay 12-34567-89012 2026-07-21T04 45.99 USD shipping 125 tax 200 fees []",
		"1 ebay 12-34567-89013 2026-07-22T04 1010.00 USD shipping 400 tax 0 fees []",
		"2 ebay 12-34567-89013 2026-07-22T04 1.50 USD shipping 0 tax 0 fees []",
	}
	report, err := s.load(t, file, Options{Format: Ebay})
	if diff := cmp.Diff(Report{Orders: 2, Sales: 3, Connected: 1}, report); err != nil || diff != "" {
		t.Fatalf("%v, report (-want +got):\n%s", err, diff)
	}
	for range 2 {
		if diff := cmp.Diff(want, s.sold(t, ids)); diff != "" {
			t.Fatalf("sales (-want +got):\n%s", diff)
		}
		if n := s.createdEvents(t); n != 3 {
			t.Errorf("%d events of sales, want 3", n)
		}
		report, err = s.load(t, file, Options{Format: Ebay})
		if diff := cmp.Diff(Report{Known: 3, Connected: 1}, report); err != nil || diff != "" {
			t.Fatalf("again: %v, report (-want +got):\n%s", err, diff)
		}
	}
	if err := s.deleteCard(t, ids[1]); err != nil {
		t.Fatal(err)
	}
	if report, err := s.load(t, file, Options{Format: Ebay}); err != nil || report.Known != 3 {
		t.Errorf("after a sold card was deleted: %+v, %v, want 3 known sales", report, err)
	}
}

func (s *shop) deleteCard(t *testing.T, cardID string) error {
	_, err := s.cards.Delete(t.Context(), s.account.ID, cardID, nil)
	return err
}

const transactionsHeader = "Transaction creation date,Type,Order number,Buyer username,Net amount,Item ID,Item title," +
	"Custom label,Quantity,Item subtotal,Shipping and handling,Seller collected tax,eBay collected tax," +
	`Final Value Fee - fixed,Final Value Fee - variable,"Very high ""item not as described"" fee",International fee,` +
	"Gross transaction amount,Transaction currency\n"

func TestService_ImportsEbayFees(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.add(t, s.account, "A-1", "A-2", "A-3")
	file := "\ufeffNotes\nReport is based upon the transaction date\nSeller,ada\n" + transactionsHeader +
		`"Aug 15, 2026",Order,11-1,fan,8.10,9001,Fox,A-1,1,10,1.5,--,0.80,-0.3,-1.32,--,-0.1,11.5,EUR` + "\n" +
		`"Aug 15, 2026",Refund,11-0,fan,-5,9000,Fox,A-9,1,-5,--,--,--,--,--,--,--,-5,EUR` + "\n" +
		`"Aug 16, 2026",Payout,--,--,-100,--,--,--,--,--,--,--,--,--,--,--,--,--,EUR` + "\n" +
		`"Aug 17, 2026",Order,11-2,fan,3,--,--,--,2,4,--,--,--,-0.4,-0.6,--,--,4,USD` + "\n" +
		`"Aug 17, 2026",Order,11-2,fan,--,9002,Fox,A-2,1,1,--,--,--,--,--,--,--,--,USD` + "\n" +
		`"Aug 17, 2026",Order,11-2,fan,--,9003,Fox,A-3,1,3,--,--,--,--,--,--,--,--,USD` + "\n"
	report, err := s.load(t, file, Options{Format: Ebay})
	if diff := cmp.Diff(Report{Orders: 2, Sales: 3, Ignored: 2}, report); err != nil || diff != "" {
		t.Fatalf("%v, report (-want +got):\n%s", err, diff)
	}
	want := []string{
		"0 ebay 11-1 2026-08-15T04 10.00 EUR shipping 150 tax 0 " +
			"fees [{final_value_fee_fixed 30} {final_value_fee_variable 132} {international_fee 10}]",
		"1 ebay 11-2 2026-08-17T04 1.00 USD shipping 0 tax 0 " +
			"fees [{final_value_fee_fixed 40} {final_value_fee_variable 60}]",
		"2 ebay 11-2 2026-08-17T04 3.00 USD shipping 0 tax 0 fees []",
	}
	if diff := cmp.Diff(want, s.sold(t, ids)); diff != "" {
		t.Errorf("sales (-want +got):\n%s", diff)
	}
}

func TestService_ReportsProblemsByLine(t *testing.T) {
	t.Parallel()
	s := setup(t)
	other := s.newAccount(t)
	foreign := s.add(t, other, "THEIRS")
	ids := s.add(t, s.account, "A-1", "BOX", "BOX", "SOLD")
	if _, err := s.sales.Sell(t.Context(), s.account.ID, ids[3], sales.SellInput{
		Channel: "in_person", Price: money.Money{Amount: 1, Currency: "USD"},
	}, nil); err != nil {
		t.Fatal(err)
	}
	row := func(order, label, quantity, price, at string) string {
		return fmt.Sprintf("1,%s,fan,Pat,33,Fox,%s,%s,%s,$0.00,,,%s\n", order, label, quantity, price, at)
	}
	file := ordersHeader +
		row("1-1", "A-1", "1", "$5.00", "Jul-21-26") +
		row("1-2", foreign[0], "1", "$5.00", "Jul-21-26") +
		row("1-3", "THEIRS", "1", "$5.00", "Jul-21-26") +
		row("1-4", "", "1", "$5.00", "Jul-21-26") +
		row("1-5", "BOX", "1", "$5.00", "Jul-21-26") +
		row("1-6", "SOLD", "1", "$5.00", "Jul-21-26") +
		row("1-7", ids[3], "2", "free", "soon") +
		row("1-8", ids[0], "1", "$5.00", "Jul-21-26") +
		row("1-9", ids[1], "1", "$5.00", "Jul-21-26") +
		row("", ids[1], "1", "$5.00", "Jul-21-26") +
		row("1-10", ids[1], "1", "$5.00", "Jul-21-26") +
		row("1-11", ids[2], "1", "$5.00", "Jul-21-96") +
		row("1-12", ids[3], "1", "$5.00", "Jul-21-26")
	want := []string{
		"line 3: there is no card " + foreign[0],
		"line 4: there is no card with the SKU THEIRS that is not sold",
		"line 5, Custom Label: is missing, so the card is not known",
		"line 6: several cards have the SKU BOX, so the sold one is not known: record the sale by hand",
		"line 7: there is no card with the SKU SOLD that is not sold",
		`line 8, Sold For: "free" is not an amount such as 12.50`,
		`line 8, Quantity: is "2", but a card is sold once: record the sales of these cards one by one`,
		`line 8, Sale Date: "soon" is not a date such as 2026-07-21 or Jul-21-26`,
		"line 9: the card " + ids[0] + " is in the file twice",
		"line 11, Order Number: is missing",
		"line 12: the card " + ids[1] + " is in the file twice",
		"line 14: " + ids[3] + ": This card was sold.",
	}
	check := func(problems []csvfile.Problem) {
		t.Helper()
		var got []string
		for _, p := range problems {
			got = append(got, p.String())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("problems (-want +got):\n%s", diff)
		}
	}
	var problems *csvfile.Problems
	if _, err := s.load(t, file, Options{Format: Ebay}); !errors.As(err, &problems) {
		t.Fatalf("Import = %v, want problems", err)
	}
	check(problems.List)
	if n := s.createdEvents(t); n != 1 {
		t.Fatalf("%d sales, want the one of before only", n)
	}
	report, err := s.load(t, file, Options{Format: Ebay, Partial: true})
	if err != nil || report.Sales != 3 {
		t.Fatalf("a partial import: %+v, %v, want 3 sales", report, err)
	}
	check(report.Problems.List)
}

func TestService_RefusesBrokenFiles(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for name, tc := range map[string]struct{ file, want string }{
		"empty": {"", "the file is not an orders report or a transaction report of eBay in English"},
		"quote": {
			ordersHeader + "1,1-1,fan,\"Pat,33,Fox,A-1\n\n",
			"line 2: a quotation mark that opens in this row is not closed correctly in line 3",
		},
		"too long": {
			ordersHeader + strings.Repeat("1,,,,,,,,,,,,\n", MaxLines+1),
			fmt.Sprintf("line %d: the file has more than %d rows: export a shorter period", MaxLines+2, MaxLines),
		},
		"no labels": {
			strings.ReplaceAll(ordersHeader, "Custom Label", "Label"),
			"the file is not an orders report or a transaction report of eBay in English: it has no column customlabel",
		},
	} {
		if _, err := s.load(t, tc.file, Options{Format: Ebay}); err == nil || err.Error() != tc.want {
			t.Errorf("%s: got %v\nwant %s", name, err, tc.want)
		}
	}
}

// Imports of the same report at the same time record each sale once.
func TestService_ImportsAtOnce(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.add(t, s.account, slices.Repeat([]string{"5001"}, 12)...)
	pullSheet := pullHeader + "Pokemon,Fox,NM,1,S,C,2,,,5001,AA-1:2|AA-3:1\n"
	done := make(chan error)
	for range 4 {
		go func() {
			_, err := s.Import(t.Context(), s.account, strings.NewReader(pullSheet),
				Options{Format: TCGplayer, OrderList: strings.NewReader(orderList)})
			done <- err
		}()
	}
	succeeded := 0
	for range 4 {
		if err := <-done; err == nil {
			succeeded++
		}
	}
	if n := s.createdEvents(t); n != 3 || succeeded == 0 {
		t.Errorf("%d sales by %d imports, want 3 by at least one", n, succeeded)
	}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		total         int64
		weights, want []int64
	}{
		{1001, []int64{100, 200, 300}, []int64{166, 334, 501}},
		{10, []int64{0, 0, 0}, []int64{3, 3, 4}},
		{5, []int64{0, 7}, []int64{0, 5}},
		{0, []int64{1, 1}, []int64{0, 0}},
		{money.Max, []int64{money.Max, money.Max}, []int64{money.Max / 2, money.Max - money.Max/2}},
	} {
		if diff := cmp.Diff(tc.want, split(tc.total, tc.weights)); diff != "" {
			t.Errorf("split(%d, %v) (-want +got):\n%s", tc.total, tc.weights, diff)
		}
	}
}

func TestSheet_Dates(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"Jul-03-26", "Jul-3-26", "03-Jul-26", "Jul 3, 2026", "3 Jul 2026", "Jul-03-2026", "Friday, 03 July 2026",
		"2026-07-03",
	} {
		s := &sheet{at: map[string]int{"date": 0}, cells: []string{text}}
		at, ok := s.date(column{"date"}, time.UTC)
		if want := time.Date(2026, 7, 3, 0, 0, 0, 0, time.UTC); !ok || !at.Equal(want) {
			t.Errorf("%q is %v, %t, want %v", text, at, ok, want)
		}
	}
	s := &sheet{at: map[string]int{"date": 0}, cells: []string{"Nov-04-18"}}
	at, ok := s.date(column{"date"}, calendar.Zone("America/Sao_Paulo"))
	if want := time.Date(2018, 11, 4, 3, 0, 0, 0, time.UTC); !ok || !at.Equal(want) {
		t.Errorf("a date whose midnight was skipped is %v, %t, want %v", at, ok, want)
	}
}

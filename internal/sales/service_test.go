package sales_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/sales"
)

// shop is an account with the real services. The test moves listings as package listings does.
type shop struct {
	*sales.Service
	db      *postgres.DB
	cards   *cards.Service
	account string
}

func setup(t testing.TB) *shop {
	t.Helper()
	s := &shop{db: pgtest.New(t)}
	account, err := accounts.New(s.db, clock.System).Create(t.Context(), "Test", true)
	if err != nil {
		t.Fatal(err)
	}
	cursors, err := paging.NewCursors([]byte("a secret of thirty-two bytes ..."))
	if err != nil {
		t.Fatal(err)
	}
	recorder := events.NewRecorder(nil) // without webhooks
	s.account = account.ID
	s.cards = cards.New(s.db, clock.System, cursors, recorder, batches.New(s.db, clock.System, cursors, recorder),
		cards.NewQueues())
	s.Service = sales.New(s.db, clock.System, cursors, recorder, s.cards, s, []string{"ebay", "sandbox"})
	return s
}

// Withdraw implements sales.Listings for the only card of the account.
func (s *shop) Withdraw(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, listingID string) error {
	var cardID string
	err := tx.Get(ctx, &cardID, `SELECT id FROM cards WHERE account_id = $1 AND listing_id = $2`, s.account, listingID)
	if err != nil {
		return err
	}
	ending := &cards.ListingRef{ID: listingID, Status: cards.ListingEnding}
	_, err = s.cards.UpdateListing(ctx, tx, stamp, cardID, ending,
		func(*cards.Card) []events.Data { return nil })
	return err
}

// move gives the card a listing of this status, or takes it away.
func (s *shop) move(ctx context.Context, cardID string, ref *cards.ListingRef) error {
	return clock.System.Write(ctx, s.db, s.account, func(tx *postgres.Tx, stamp clock.Stamp) error {
		if ref != nil && ref.Status == cards.ListingPublishing {
			_, err := s.cards.StartListing(ctx, tx, stamp, cardID, *ref, nil)
			return err
		}
		_, err := s.cards.UpdateListing(ctx, tx, stamp, cardID, ref, func(c *cards.Card) []events.Data {
			if ref == nil || ref.Status != cards.ListingSold {
				return nil
			}
			return sales.Recorder{}.Record(tx, stamp, c, struct {
				ID             string
				Marketplace    string
				Price          money.Money
				SoldAt         time.Time
				BuyerReference *string
				Shipping       int64
				Fee            *int64
			}{ID: ref.ID, Marketplace: "sandbox", Price: price, SoldAt: stamp.At})
		})
		return err
	})
}

var price = money.Money{Amount: 1000, Currency: "USD"}

// For any sequence of sales, corrections, refunds here and at the marketplace, returns, voided sales, listings and
// deletions in any currency, the card is sold if and only if a sale of it is not returned, its status follows from its
// facts, its history ends at its status, and the report has the sums of the sales that are not voided.
func TestService_EverySequenceAgrees(t *testing.T) {
	t.Parallel()
	s := setup(t)
	rapid.Check(t, func(rt *rapid.T) { s.sequence(rt, t.Context()) })
}

func (s *shop) sequence(t *rapid.T, ctx context.Context) {
	currency := rapid.SampledFrom([]string{"USD", "JPY", "KWD"}).Draw(t, "currency of the cost")
	cost := money.Money{Amount: 300, Currency: currency}
	price := money.Money{Amount: 1000, Currency: rapid.SampledFrom([]string{"USD", "JPY", "KWD"}).Draw(t, "currency")}
	made, err := s.cards.Create(ctx, s.account, []cards.Draft{{
		Patch:  cards.Patch{Title: cards.Set("Ember Fox"), AskingPrice: cards.Set(price), Cost: cards.Set(cost)},
		Stored: []cards.Photo{{ID: id.New(id.Photo, time.Now()), Role: cards.RoleFront, Status: cards.PhotoReady}},
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	cardID := made[0].ID
	deleted := false
	for range rapid.IntRange(1, 12).Draw(t, "steps") {
		card, err := s.cards.Get(ctx, s.account, cardID)
		act := rapid.SampledFrom([]string{
			"sell", "refund", "part", "restock", "correct", "void", "order", "publish", "listing", "end", "delete",
		}).Draw(t, "act")
		ofSale := slices.Contains([]string{"refund", "part", "restock", "correct", "void", "order"}, act)
		if deleted = err != nil; deleted && !ofSale {
			continue
		}
		if ofSale {
			s.change(ctx, t, act, cardID)
		} else {
			s.act(ctx, t, act, &card, price)
		}
		s.check(ctx, t, cardID)
	}
}

// change changes a sale of the card, if there is one and the rules allow it.
func (s *shop) change(ctx context.Context, t *rapid.T, act, cardID string) {
	all := s.of(ctx, t, cardID)
	if len(all) == 0 {
		return
	}
	sale := rapid.SampledFrom(all).Draw(t, "sale")
	amount := func(name string) *money.Money {
		return &money.Money{Amount: rapid.Int64Range(0, 1200).Draw(t, name), Currency: sale.Gross.Currency}
	}
	switch act {
	case "refund":
		_, _ = s.Refund(ctx, s.account, sale.ID, sales.RefundInput{Amount: amount("amount")}, nil)
	case "part":
		parts := &sales.PartsInput{Item: amount("item"), Shipping: amount("shipping"), Fees: amount("returned fees")}
		_, _ = s.Refund(ctx, s.account, sale.ID, sales.RefundInput{Parts: parts}, nil)
	case "restock":
		_, _ = s.Refund(ctx, s.account, sale.ID, sales.RefundInput{Restock: true}, nil)
	case "correct":
		soldAt := time.Now().Add(-time.Duration(rapid.IntRange(0, 24).Draw(t, "hours")) * time.Hour)
		_, _ = s.Update(ctx, s.account, sale.ID, sales.Patch{
			Gross: amount("price"), ShippingCharged: amount("charged"), Tax: amount("tax"), SoldAt: &soldAt,
		}, nil)
	case "void":
		voided, err := s.Void(ctx, s.account, sale.ID, nil, nil)
		if (err == nil) != (sale.ListingID == nil) || err == nil && voided.Status != sales.Voided {
			t.Fatalf("void a sale of listing %v: %v, status %s", sale.ListingID, err, voided.Status)
		}
	case "order": // the marketplace tells of the order of a sale
		if sale.ListingID == nil {
			return
		}
		order := sales.OrderState{Refunded: amount("refunded").Amount, Cancelled: rapid.Bool().Draw(t, "cancelled")}
		err := clock.System.Write(ctx, s.db, s.account, func(tx *postgres.Tx, stamp clock.Stamp) error {
			return sales.NewRecorder(events.NewRecorder(nil), s.cards).Follow(ctx, tx, stamp, *sale.ListingID, order)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// act does one thing with the card, if the rules allow it.
func (s *shop) act(ctx context.Context, t *rapid.T, act string, card *cards.Card, price money.Money) {
	cardID := card.ID
	switch act {
	case "sell":
		if rapid.IntRange(0, 4).Draw(t, "free") == 0 {
			price.Amount = 0
		}
		fee := []sales.FeeInput{{Kind: "table", Amount: money.Money{Amount: 50, Currency: price.Currency}}}
		_, _ = s.Sell(ctx, s.account, cardID, sales.SellInput{Channel: "in_person", Price: price, Fees: fee}, nil)
	case "publish":
		ref := &cards.ListingRef{ID: id.New(id.Listing, time.Now()), Status: cards.ListingPublishing}
		if s.move(ctx, cardID, ref) == nil {
			ref.Status = cards.ListingLive
			if err := s.move(ctx, cardID, ref); err != nil {
				t.Fatal(err)
			}
		}
	case "listing", "end": // the marketplace sells or ends the listing
		if !card.UnderWay() {
			return
		}
		var ref *cards.ListingRef
		if act == "listing" {
			ref = &cards.ListingRef{ID: card.Listing.ID, Status: cards.ListingSold}
		}
		if err := s.move(ctx, cardID, ref); err != nil {
			t.Fatal(err)
		}
	case "delete":
		_, _ = s.cards.Delete(ctx, s.account, cardID, nil)
	}
}

// of returns the sales of a card.
func (s *shop) of(ctx context.Context, t *rapid.T, cardID string) []sales.Sale {
	found, err := s.List(ctx, s.account, sales.Filter{Card: &cardID}, paging.Request{Limit: 200})
	if err != nil {
		t.Fatal(err)
	}
	return found.Data
}

func (s *shop) check(ctx context.Context, t *rapid.T, cardID string) {
	all := s.of(ctx, t, cardID)
	held := slices.ContainsFunc(all, func(sale sales.Sale) bool { return sale.RestockedAt == nil })
	if card, err := s.cards.Get(ctx, s.account, cardID); err == nil {
		if (card.Status == cards.Sold) != held || (card.SaleID != nil) != held || card.Status != card.Facts().Status() {
			t.Fatalf("card %s with sale %v, want sold: %t; facts %+v", card.Status, card.SaleID, held, card.Facts())
		}
		history, err := s.cards.History(ctx, s.account, cardID, paging.Request{Limit: 200})
		if err != nil || history.Data[0].Version != card.Version {
			t.Fatalf("history ends at %+v, %v, want version %d", history.Data[0], err, card.Version)
		}
		for _, entry := range history.Data {
			at := slices.IndexFunc(entry.Changes,
				func(c cards.RecordedChange) bool { return c.Field == "workflow_status" })
			if at >= 0 {
				if got, want := string(entry.Changes[at].To), fmt.Sprintf("%q", card.Status); got != want {
					t.Fatalf("history ends at the status %s, want %s", got, want)
				}
				break
			}
		}
	}
	s.checkReport(ctx, t)
}

// checkReport compares the report of all groupings with the sales of the account.
func (s *shop) checkReport(ctx context.Context, t *rapid.T) {
	want := map[string]sales.ReportRow{}
	profit := map[string]int64{}
	var cursor string
	for {
		found, err := s.List(ctx, s.account, sales.Filter{}, paging.Request{Limit: 200, Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		for i := range found.Data {
			sale := &found.Data[i]
			if left := sale.Left(); min(left.Item, left.Shipping, left.Tax, left.Fees) < 0 {
				t.Fatalf("more was returned than charged: %+v of %+v", sale.Returned(), sale.Charged())
			}
			if sale.Status == sales.Voided {
				continue
			}
			want[sale.Gross.Currency] = addSale(want[sale.Gross.Currency], sale)
			returned := sale.Returned()
			profit[sale.Gross.Currency] += sale.Net() - returned.Item - returned.Shipping + returned.Fees
			if sale.RestockedAt == nil {
				profit[sale.CostAtSale.Currency] -= sale.CostAtSale.Amount
			}
		}
		if found.NextCursor == nil {
			break
		}
		cursor = *found.NextCursor
	}
	for _, group := range []string{sales.ByDay, sales.ByChannel} {
		since := time.Now().Add(-48 * time.Hour)
		before := time.Now().Add(48 * time.Hour)
		report, err := s.Report(ctx, s.account, sales.ReportRequest{
			GroupBy: group, Since: &since, Before: &before, TimeZone: "Asia/Kathmandu",
		})
		if err != nil {
			t.Fatal(err)
		}
		got, gotProfit := map[string]sales.ReportRow{}, map[string]int64{}
		for _, row := range report.Rows {
			sum := got[row.Currency]
			sum.Count, sum.Gross, sum.Refunds = sum.Count+row.Count, sum.Gross+row.Gross, sum.Refunds+row.Refunds
			sum.TaxRefunded, sum.FeesReturned = sum.TaxRefunded+row.TaxRefunded, sum.FeesReturned+row.FeesReturned
			got[row.Currency] = sum
			gotProfit[row.Currency] += row.Profit()
		}
		for currency, row := range want {
			if got[currency] != row {
				t.Fatalf("report by %s of %s: %+v, want %+v", group, currency, got[currency], row)
			}
		}
		for currency, amount := range profit {
			if gotProfit[currency] != amount {
				t.Fatalf("profit by %s in %s: %d, want %d", group, currency, gotProfit[currency], amount)
			}
		}
	}
}

// addSale returns a row of a report with one sale more.
func addSale(row sales.ReportRow, sale *sales.Sale) sales.ReportRow {
	returned := sale.Returned()
	row.Count++
	row.Gross += sale.Gross.Amount
	row.Refunds += returned.Total()
	row.TaxRefunded += returned.Tax
	row.FeesReturned += returned.Fees
	return row
}

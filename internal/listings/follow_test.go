package listings

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/paging"
)

// order performs an action on the order of a listing at the sandbox marketplace: "cancel" or "refund".
func (s *shop) order(l Listing, act, body string) {
	s.t.Helper()
	l, err := s.Get(s.t.Context(), s.account, l.ID)
	if err != nil || l.BuyerReference == nil {
		s.t.Fatal(l, err)
	}
	s.request("/sandbox/orders/"+*l.BuyerReference+"/"+act, body)
}

// request posts to the sandbox marketplace's site.
func (s *shop) request(path, body string) {
	s.t.Helper()
	resp, err := http.Post(s.market+path, "application/json", strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		s.t.Fatalf("%s: %s", path, resp.Status)
	}
}

// record is what the tests compare of a sale.
type record struct {
	Status                         string
	Gross, Shipping, Fee, Refunded int64
	Restocked                      bool
}

func (s *shop) sales() (found []record) {
	s.t.Helper()
	err := s.db.Select(s.t.Context(), &found, `
		SELECT status, gross, shipping_charged AS shipping, fee_total AS fee, refunded,
			restocked_at IS NOT NULL AS restocked FROM sales WHERE account_id = $1 ORDER BY created_at`, s.account)
	if err != nil {
		s.t.Fatal(err)
	}
	return found
}

func (s *shop) wantSales(want ...record) {
	s.t.Helper()
	if diff := cmp.Diff(want, s.sales()); diff != "" {
		s.t.Errorf("sales (-want +got):\n%s", diff)
	}
}

// pollIdle polls as an account without open listings does.
func (s *shop) pollIdle() {
	s.t.Helper()
	s.pass(2 * idlePollInterval)
	s.poll()
}

// bought publishes a card and sells it with a delivery of 4.00.
func (s *shop) bought() Listing {
	s.t.Helper()
	l := s.live()
	s.request("/sandbox/listings/"+l.ID+"/buy", `{"delivery": 400}`)
	s.poll()
	return s.want(l, Sold)
}

var sold = []string{"listing.published", "priced→listed", "listing.sold", "listed→sold"}

// The marketplace's fee is 13.25 % of price and delivery: 2.18 of 16.50.
func TestFollow_RefundInParts(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.bought()
	s.wantSales(record{"completed", 1250, 400, 218, 0, false})
	s.order(l, "refund", `{"amount": 250}`)
	s.pollIdle()
	s.wantSales(record{"completed", 1250, 400, 218, 250, false})
	s.want(l, Sold)
	s.wantEvents(l.CardID, sold...)
	s.order(l, "refund", `{}`)
	s.pollIdle()
	s.poll()
	s.wantSales(record{"refunded", 1250, 400, 218, 1650, true})
	s.wantEvents(l.CardID, append(sold, "sold→priced")...)
	s.wantSaleEvents(1, 2)
}

func TestFollow_CancelledOrder(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.bought()
	s.order(l, "cancel", `{}`)
	s.pollIdle()
	s.pollIdle()
	s.wantSales(record{"refunded", 1250, 400, 0, 1650, true})
	s.wantEvents(l.CardID, append(sold, "sold→priced")...)
	s.wantSaleEvents(1, 1)
	s.wantHistory(l.CardID, `"sold"`, `"priced"`)
	if _, err := s.Publish(t.Context(), s.account, l.CardID, PublishInput{}, true, nil); err != nil {
		t.Errorf("publish the card that came back: %v", err)
	}
}

// wantSaleEvents checks the numbers of the account's events of sales.
func (s *shop) wantSaleEvents(created, refunded int) {
	s.t.Helper()
	var got struct{ Created, Refunded int }
	err := s.db.Get(s.t.Context(), &got, `
		SELECT count(*) FILTER (WHERE body LIKE '%"sale.created"%') AS created,
			count(*) FILTER (WHERE body LIKE '%"sale.refunded"%') AS refunded
		FROM events WHERE account_id = $1`, s.account)
	if err != nil || got.Created != created || got.Refunded != refunded {
		s.t.Errorf("events of sales %+v, %v, want %d created and %d refunded", got, err, created, refunded)
	}
}

// wantHistory checks that the newest version of a card has a change of the workflow status.
func (s *shop) wantHistory(cardID, from, to string) {
	s.t.Helper()
	history, err := s.cards.History(s.t.Context(), s.account, cardID, paging.Request{})
	if err != nil || len(history.Data) == 0 {
		s.t.Fatal(history, err)
	}
	newest := history.Data[0]
	for _, change := range newest.Changes {
		if change.Field == "workflow_status" && string(change.From) == from && string(change.To) == to {
			return
		}
	}
	text, _ := json.Marshal(newest)
	s.t.Errorf("newest entry of the history: %s, want a change from %s to %s", text, from, to)
}

// An order that is cancelled before it was seen is no sale.
func TestFollow_CancelledBeforeSeen(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.live()
	s.visit(l, "buy")
	var orderID string
	if err := s.db.Get(t.Context(), &orderID, `SELECT order_id FROM market.orders`); err != nil {
		t.Fatal(err)
	}
	s.request("/sandbox/orders/"+orderID+"/cancel", `{}`)
	s.poll()
	s.processed(l, Ended)
	s.wantSales()
	s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.ended", "listed→priced")
}

// late makes the marketplace report that the listing was ended, though it is sold: the order is not visible yet.
func (s *shop) late(l Listing) Listing {
	s.t.Helper()
	s.visit(l, "buy")
	s.setHook(func(call string, next func() error) error {
		if call == "sales" {
			return context.DeadlineExceeded
		}
		return next()
	})
	err := s.worker.storeEnded(s.t.Context(), l)
	if err != nil {
		s.t.Fatal(err)
	}
	s.hook.Store(nil)
	return s.want(l, Ended)
}

// storeEnded stores that a status check found the listing ended.
func (w *Worker) storeEnded(ctx context.Context, l Listing) error {
	claims, err := w.work.Claim(ctx, w.db, l.AccountID, 1, lease)
	if err != nil || len(claims) != 1 || claims[0].Key != l.ID {
		return err
	}
	seen := marketplaces.Status{State: marketplaces.Ended, EndReason: marketplaces.EndedAtMarketplace}
	return w.storeResult(ctx, newJob(claims[0]), func(l Listing, now time.Time) []Listing {
		return transitions(l, seen, now)
	})
}

func TestFollow_SaleWinsOverEnding(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.live()
	s.pass(time.Hour)
	l = s.late(l)
	s.live() // another card, so that the account is polled
	s.poll()
	l = s.want(l, Sold)
	if l.EndReason != nil || l.EndedAt != nil {
		t.Errorf("the sold listing has the end %v, %v", l.EndReason, l.EndedAt)
	}
	s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.ended", "listed→priced",
		"listing.sold", "priced→sold")
}

// The card is for sale again when the order of its last listing becomes visible. It is taken down.
func TestFollow_LateSaleOfRelistedCard(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.live()
	s.pass(time.Hour)
	l = s.late(l)
	again, err := s.Publish(t.Context(), s.account, l.CardID, PublishInput{}, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.processed(again, Live)
	s.poll()
	s.processDue()
	for _, want := range []struct {
		id     string
		status Status
	}{{l.ID, Sold}, {again.ID, Ended}} {
		got, err := s.Get(t.Context(), s.account, want.id)
		if err != nil || got.Status != want.status {
			t.Errorf("listing %+v, %v, want it %s", got, err, want.status)
		}
	}
	if card := s.cardOf(l); card.Status != cards.Sold || s.atMarket("live") != 0 {
		t.Errorf("card %s with %d live listings, want it sold with none", card.Status, s.atMarket("live"))
	}
}

// Polling ends some time after the last sale.
func TestFollow_EndsAfterTime(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.bought()
	s.pollIdle()
	if s.through() == nil {
		t.Error("the orders of a recent sale are not read")
	}
	_, err := s.db.Exec(t.Context(), `UPDATE marketplace_polls SET last_sale_at = last_sale_at - interval '91 days'`)
	if err != nil {
		t.Fatal(err)
	}
	s.setHook(func(call string, next func() error) error { t.Errorf("the worker called %s", call); return next() })
	s.pollIdle()
	if s.through() != nil {
		t.Error("the position of a poll that ended is kept")
	}
}

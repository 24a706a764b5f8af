package sales_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/sales"
)

var money400 = money.Money{Amount: 400, Currency: "USD"}

// sell records a sale of a new card.
func (s *shop) sell(t testing.TB, channel string) sales.Sale {
	t.Helper()
	made, err := s.cards.Create(t.Context(), s.account, []cards.Draft{{
		Patch: cards.Patch{Title: cards.Set("Ember Fox")},
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	sale, err := s.Sell(t.Context(), s.account, made[0].ID, sales.SellInput{Channel: channel, Price: price}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return sale
}

// toShip returns the identifiers of the sales that are to be shipped, newest first.
func (s *shop) toShip(t testing.TB) []string {
	t.Helper()
	found, err := s.List(t.Context(), s.account, sales.Filter{ToShip: true}, paging.Request{})
	if err != nil {
		t.Fatal(err)
	}
	ids := []string{}
	for _, sale := range found.Data {
		ids = append(ids, sale.ID)
	}
	return ids
}

func TestList_ToShip(t *testing.T) {
	t.Parallel()
	s := setup(t)
	first, part := s.sell(t, "own_store"), s.sell(t, "ebay")
	s.sell(t, sales.InPerson)
	refunds := map[string]sales.RefundInput{
		part.ID:                 {Amount: &money400},
		s.sell(t, "other").ID:   {},
		s.sell(t, "sandbox").ID: {Amount: &money400, Restock: true},
	}
	for id, in := range refunds {
		if _, err := s.Refund(t.Context(), s.account, id, in, nil); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{part.ID, first.ID}, s.toShip(t)); diff != "" {
		t.Errorf("sales to ship (-want +got):\n%s", diff)
	}
	if _, err := s.MarkShipped(t.Context(), s.account, []string{first.ID}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{part.ID}, s.toShip(t)); diff != "" {
		t.Errorf("sales to ship after one was shipped (-want +got):\n%s", diff)
	}
}

func TestMarkShipped(t *testing.T) {
	t.Parallel()
	s := setup(t)
	first, second := s.sell(t, "ebay"), s.sell(t, "ebay")
	if _, err := s.MarkShipped(t.Context(), s.account, []string{first.ID}); err != nil {
		t.Fatal(err)
	}
	shipped, err := s.Get(t.Context(), s.account, first.ID)
	if err != nil || shipped.ShippedAt == nil || shipped.Version != 2 || !shipped.UpdatedAt.After(second.UpdatedAt) {
		t.Fatalf("%+v, %v; want it shipped at version 2", shipped, err)
	}
	both := []string{first.ID, second.ID, first.ID}
	if _, err := s.MarkShipped(t.Context(), s.account, both); err != nil {
		t.Fatal(err)
	}
	if again, err := s.Get(t.Context(), s.account, first.ID); err != nil || cmp.Diff(shipped, again) != "" {
		t.Errorf("a shipped sale changed: %s, %v", cmp.Diff(shipped, again), err)
	}
	if _, err := s.MarkShipped(t.Context(), s.account, nil); err != nil {
		t.Errorf("no sales: %v", err)
	}
	if got := s.toShip(t); len(got) > 0 {
		t.Errorf("still to ship: %v", got)
	}
}

// The marks of a shipment are taken back, and of no other sale.
func TestUndoShipped(t *testing.T) {
	t.Parallel()
	s := setup(t)
	before, first, second, changed := s.sell(t, "ebay"), s.sell(t, "ebay"), s.sell(t, "ebay"), s.sell(t, "ebay")
	if _, err := s.MarkShipped(t.Context(), s.account, []string{before.ID}); err != nil {
		t.Fatal(err)
	}
	made, err := s.MarkShipped(t.Context(), s.account, []string{second.ID, before.ID, first.ID, changed.ID})
	if diff := cmp.Diff([]string{first.ID, second.ID, changed.ID}, made.SaleIDs); err != nil || diff != "" {
		t.Fatalf("%v, marked (-want +got):\n%s", err, diff)
	}
	earlier := made.At.Add(-time.Hour)
	corrected := sales.Patch{ShippedAt: sales.Field[time.Time]{Given: true, Value: &earlier}}
	if _, err := s.Update(t.Context(), s.account, changed.ID, corrected, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := s.UndoShipped(t.Context(), "acc_other", made); err == nil {
		t.Error("another account took the marks back")
	}
	for _, want := range []int{2, 0} {
		if undone, err := s.UndoShipped(t.Context(), s.account, made); err != nil || undone != want {
			t.Errorf("undone: %d, %v, want %d", undone, err, want)
		}
	}
	if diff := cmp.Diff([]string{second.ID, first.ID}, s.toShip(t)); diff != "" {
		t.Errorf("sales to ship (-want +got):\n%s", diff)
	}
	if undone, err := s.UndoShipped(t.Context(), s.account, sales.Shipment{}); err != nil || undone != 0 {
		t.Errorf("of no sales: %d, %v", undone, err)
	}
}

// A sale that the account does not have is refused, and the others stay as they are.
func TestMarkShipped_Refused(t *testing.T) {
	t.Parallel()
	s := setup(t)
	sale := s.sell(t, "ebay")
	for name, ids := range map[string][]string{
		"unknown":   {sale.ID, "sale_01hx00000000000000000000zz"},
		"malformed": {sale.ID, "sale"},
	} {
		if _, err := s.MarkShipped(t.Context(), s.account, ids); !fault.Is(err, fault.SaleNotFound) {
			t.Errorf("%s: %v, want sale_not_found", name, err)
		}
	}
	if _, err := s.MarkShipped(t.Context(), "acc_other", []string{sale.ID}); err == nil {
		t.Error("another account marked the sale as shipped")
	}
	many := make([]string, sales.MaxShipped+1)
	if _, err := s.MarkShipped(t.Context(), s.account, many); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("too many: %v, want invalid_request", err)
	}
	if diff := cmp.Diff([]string{sale.ID}, s.toShip(t)); diff != "" {
		t.Errorf("sales to ship (-want +got):\n%s", diff)
	}
}

// A refund of a version that changed in the meantime is refused, so that a form that was sent twice refunds once.
func TestRefund_Match(t *testing.T) {
	t.Parallel()
	s := setup(t)
	sale := s.sell(t, "ebay")
	in := sales.RefundInput{Amount: &money400, Match: func(v int64) bool { return v == sale.Version }}
	if _, err := s.Refund(t.Context(), s.account, sale.ID, in, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Refund(t.Context(), s.account, sale.ID, in, nil); !fault.Is(err, fault.VersionMismatch) {
		t.Errorf("the second time: %v, want version_mismatch", err)
	}
	after, err := s.Get(t.Context(), s.account, sale.ID)
	if err != nil || after.RefundTotal() != 400 {
		t.Errorf("refunded %d, %v; want 400", after.RefundTotal(), err)
	}
	preview, err := after.AfterRefund(sales.RefundInput{Restock: true}, time.Now())
	if err != nil || preview.Left().Total() != 0 || preview.RestockedAt == nil || after.RestockedAt != nil {
		t.Errorf("after a refund of the rest: %+v of %+v, %v", preview, after, err)
	}
}

package sandboxmarket_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// sold lists a card, sells it and returns the order, for 12.50 USD and 1.50 for delivery.
func (m *market) sold(t *testing.T, sku string) wire.Order {
	t.Helper()
	m.list(t, sku)
	m.mustPost(t, buyPath(sku), `{"delivery": 150, "buyer": "ann"}`)
	var page wire.Orders
	m.read(t, wire.FulfillmentPath+"/order", &page)
	return page.Orders[len(page.Orders)-1]
}

// read decodes the response to a call.
func (m *market) read(t *testing.T, path string, into any) {
	t.Helper()
	status, body := m.call(t, "acc_seller", http.MethodGet, path, "")
	if err := json.Unmarshal([]byte(body), into); status != http.StatusOK || err != nil {
		t.Fatalf("GET %s: %d %s, %v", path, status, body, err)
	}
}

// state summarizes an order: payment, cancellation, what the seller gets, refunds.
func state(o wire.Order) string {
	text := fmt.Sprintf("%s %s %s", o.OrderPaymentStatus, o.CancelStatus.CancelState,
		o.PaymentSummary.TotalDueSeller.Value)
	for _, r := range o.PaymentSummary.Refunds {
		text += " " + r.Amount.Value
	}
	return text
}

func TestOrder_RefundsAndCancels(t *testing.T) {
	t.Parallel()
	m := setup(t)
	o := m.sold(t, "a1")
	if o.PricingSummary.Total.Value != "14.00" || o.TotalMarketplaceFee.Value != "1.85" || o.SellerID != "acc_seller" {
		t.Errorf("order: %+v", o)
	}
	refund := func(value string) string {
		body := `{"reasonForRefund":"BUYER_CANCEL","orderLevelRefundAmount":{"value":"` + value + `","currency":"USD"}}`
		status, answer := m.call(t, "acc_seller", http.MethodPost,
			wire.FulfillmentPath+"/order/"+o.OrderID+"/issue_refund", body)
		return fmt.Sprint(status, " ", strings.Contains(answer, "REFUNDED"), strings.Contains(answer, "34915"),
			strings.Contains(answer, "34917"))
	}
	var got []string
	see := func() {
		var now wire.Order
		m.read(t, wire.FulfillmentPath+"/order/"+o.OrderID, &now)
		got = append(got, state(now))
	}
	see()
	got = append(got, refund("2.00"))
	see()
	got = append(got, refund("12.01"))
	m.mustPost(t, "/sandbox/orders/"+o.OrderID+"/cancel", "")
	m.mustPost(t, "/sandbox/orders/"+o.OrderID+"/cancel", "")
	see()
	got = append(got, refund("1.00"))
	want := []string{
		"PAID NONE_REQUESTED 12.15",
		"200 true false false",
		"PARTIALLY_REFUNDED NONE_REQUESTED 10.15 2.00",
		"400 false true false",
		"FULLY_REFUNDED CANCELED 0.00 2.00 12.00",
		"400 false false true",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	var page wire.Orders
	m.read(t, wire.FulfillmentPath+"/order?orderIds="+o.OrderID+",other", &page)
	if page.Total != 1 || page.Orders[0].LastModifiedDate <= o.LastModifiedDate ||
		page.Orders[0].CancelStatus.CancelledDate == "" {
		t.Errorf("order by its identifier: %+v", page)
	}
}

func TestOrder_RefundByOperator(t *testing.T) {
	t.Parallel()
	m := setup(t)
	o := m.sold(t, "a1")
	path := "/sandbox/orders/" + o.OrderID + "/refund"
	for _, step := range []struct {
		path, body string
		status     int
	}{
		{path, `{"amount": 1}`, 200}, {path, `{"amount": -1}`, 400}, {path, `{"amount": 1400}`, 400},
		{path, "", 200}, {path, "", 400}, {"/sandbox/orders/none/refund", "", 404}, {path, "[", 400},
	} {
		if status, body := m.post(t, step.path, step.body); status != step.status {
			t.Errorf("%s %s: %d %s, want %d", step.path, step.body, status, body, step.status)
		}
	}
	m.read(t, wire.FulfillmentPath+"/order/"+o.OrderID, &o)
	if due := o.PaymentSummary.TotalDueSeller.Value; due != "-1.85" {
		t.Errorf("the seller of a refunded order is due %s, want the fee of -1.85", due)
	}
}

func TestOrder_RefusesRequests(t *testing.T) {
	t.Parallel()
	m := setup(t)
	o := m.sold(t, "a1")
	for name, tc := range map[string]struct {
		seller, order, body string
		status, id          int
	}{
		"no body":       {"acc_seller", o.OrderID, "[", 400, 34902},
		"no reason":     {"acc_seller", o.OrderID, "{}", 400, 34903},
		"no amount":     {"acc_seller", o.OrderID, `{"reasonForRefund":"x"}`, 400, 34905},
		"amount":        {"acc_seller", o.OrderID, refundOf("0.00", "USD"), 400, 34907},
		"currency":      {"acc_seller", o.OrderID, refundOf("1.00", "EUR"), 400, 34909},
		"other seller":  {"acc_other", o.OrderID, refundOf("1.00", "USD"), 404, 34913},
		"unknown order": {"acc_seller", "1-2-3", refundOf("1.00", "USD"), 404, 34913},
	} {
		path := wire.FulfillmentPath + "/order/" + tc.order
		status, body := m.call(t, tc.seller, http.MethodPost, path+"/issue_refund", tc.body)
		if status != tc.status || !strings.Contains(body, fmt.Sprintf(`"errorId":%d`, tc.id)) {
			t.Errorf("%s: %d %s, want %d with error %d", name, status, body, tc.status, tc.id)
		}
	}
	status, body := m.call(t, "acc_other", http.MethodGet, wire.FulfillmentPath+"/order/"+o.OrderID, "")
	if status != http.StatusBadRequest || !strings.Contains(body, `"errorId":32100`) {
		t.Errorf("order of another seller: %d %s, want 400 with error 32100", status, body)
	}
}

func refundOf(value, currency string) string {
	return fmt.Sprintf(`{"reasonForRefund":"x","orderLevelRefundAmount":{"value":%q,"currency":%q}}`, value, currency)
}

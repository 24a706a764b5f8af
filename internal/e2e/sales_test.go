package e2e

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// sale is what the tests read of a sale.
type sale struct {
	ID        string
	Status    string
	ListingID *string `json:"listing_id"`
	Channel   string
	Net       struct{ Amount int64 }
	Version   int64
}

// A card is sold at a fair, shipped, refunded and sold again.
func TestSales_Life(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	card := c.create(`{"identification":{"title":"Ember Fox"},"pricing":{"cost":{"amount":300,"currency":"USD"}}}`).ID
	sell := `{"channel":"in_person","price":{"amount":1250,"currency":"USD"},
		"fees":[{"kind":"table","amount":{"amount":100,"currency":"USD"}}]}`
	var sold sale
	c.do("POST", "/cards/"+card+"/sell", sell).want(t, http.StatusCreated, &sold)
	if sold.Net.Amount != 1150 || c.get(card).WorkflowStatus != "sold" {
		t.Errorf("sale %+v of a card %s, want 1150 net of a sold card", sold, c.get(card).WorkflowStatus)
	}
	c.do("POST", "/cards/"+card+"/sell", sell).refused(t, "card_sold")
	path := "/sales/" + sold.ID
	tag := c.do("GET", path, nil).want(t, http.StatusOK, nil).header.Get("ETag")
	patch := `{"shipping_cost":{"amount":150,"currency":"USD"},"tracking":{"carrier":"DHL","number":"1"},
		"shipped_at":"2026-05-12T09:00:00Z","buyer_reference":"Table 12"}`
	c.do("PATCH", path, patch, "If-Match: "+tag).want(t, http.StatusOK, &sold)
	c.do("PATCH", path, `{}`, "If-Match: "+tag).refused(t, "version_mismatch")
	c.do("PATCH", path, `{"tax":{"amount":1,"currency":"EUR"}}`).refused(t, "invalid_request")
	if sold.Net.Amount != 1000 || sold.Version != 2 {
		t.Errorf("%+v, want version 2 with 1000 net", sold)
	}
	c.do("POST", path+"/refund", `{"amount":{"amount":1251,"currency":"USD"},"restock":false}`).
		refused(t, "invalid_request")
	c.do("POST", path+"/refund", `{"amount":{"amount":250,"currency":"USD"},"restock":false}`).
		want(t, http.StatusOK, &sold)
	c.do("POST", path+"/refund", `{"restock":true,"reason":"Returned"}`).want(t, http.StatusOK, &sold)
	c.do("POST", path+"/refund", `{"restock":true}`).refused(t, "sale_refunded")
	if sold.Status != "refunded" || c.get(card).WorkflowStatus != "identified" {
		t.Errorf("sale %s, card %s, want refunded and identified", sold.Status, c.get(card).WorkflowStatus)
	}
	c.do("POST", "/cards/"+card+"/sell", sell).want(t, http.StatusCreated, nil)
	var list listOf[sale]
	c.do("GET", "/sales?currency=USD&channel=in_person&status=completed&card="+card, nil).want(t, http.StatusOK, &list)
	if len(list.Data) != 1 {
		t.Errorf("%d completed sales, want 1", len(list.Data))
	}
	c.do("GET", "/sales?to_ship=true", nil).want(t, http.StatusOK, &list)
	if len(list.Data) != 0 {
		t.Errorf("%d sales to ship, want none: all were in person", len(list.Data))
	}
	c.do("GET", "/sales?to_ship=false", nil).want(t, http.StatusOK, &list)
	if len(list.Data) != 2 {
		t.Errorf("%d sales, want 2", len(list.Data))
	}
	var report struct {
		Data []struct{ Count, Gross, Refunds, Cost, Profit int64 }
	}
	c.do("GET", "/reports/sales?group_by=month&time_zone=Europe/Berlin", nil).want(t, http.StatusOK, &report)
	if len(report.Data) != 1 || report.Data[0].Profit != 2500-100-100-150-1250-300 {
		t.Errorf("report %+v", report.Data)
	}
	c.do("GET", "/reports/sales?group_by=month&time_zone=Nowhere/Else", nil).refused(t, "invalid_request")
}

// profits returns the sums of the account's sales by channel.
func (c *client) profits() (rows []reportRow) {
	c.t.Helper()
	var report struct{ Data []reportRow }
	c.do("GET", "/reports/sales?group_by=channel", nil).want(c.t, http.StatusOK, &report)
	return report.Data
}

// reportRow is what the tests read of a row of a report.
type reportRow struct {
	Count, Gross, Refunds, Profit int64
	ShippingCharged               int64 `json:"shipping_charged"`
	TaxRefunded                   int64 `json:"tax_refunded"`
	FeesReturned                  int64 `json:"fees_returned"`
}

// A refund returns the price, the shipping, the tax and the fees, in one step or in several. Nothing then remains as a
// profit, and nothing more can be returned.
func TestSales_RefundOfParts(t *testing.T) {
	t.Parallel()
	usd := func(amount string) string { return `{"amount":` + amount + `,"currency":"USD"}` }
	for name, refunds := range map[string][]string{
		"as one amount": {`{"restock":true,"amount":` + usd("1620") + `}`,
			`{"restock":false,"parts":{"fees":` + usd("130") + `}}`},
		"by parts": {`{"restock":false,"parts":{"shipping":` + usd("500") + `}}`, `{"restock":true}`,
			`{"restock":false,"parts":{"fees":` + usd("130") + `}}`},
		"all at once": {`{"restock":true}`, `{"restock":false,"parts":{"fees":` + usd("130") + `}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := start(t).client(t, false)
			card := c.create(`{"identification":{"title":"Four"},"pricing":{"cost":` + usd("300") + `}}`).ID
			var sold sale
			c.do("POST", "/cards/"+card+"/sell", `{"channel":"in_person","price":`+usd("1000")+`,
				"fees":[{"kind":"final_value","amount":`+usd("130")+`}]}`).want(t, http.StatusCreated, &sold)
			path := "/sales/" + sold.ID
			c.do("PATCH", path, `{"shipping_charged":`+usd("500")+`,"tax":`+usd("120")+`}`).want(t, http.StatusOK, nil)
			c.do("POST", path+"/refund", `{"restock":false,"amount":`+usd("1621")+`}`).refused(t, "invalid_request")
			c.do("POST", path+"/refund", `{"restock":false,"parts":{"shipping":`+usd("501")+`}}`).
				refused(t, "invalid_request")
			for _, refund := range refunds {
				c.do("POST", path+"/refund", refund).want(t, http.StatusOK, &sold)
			}
			want := []reportRow{{Count: 1, Gross: 1000, ShippingCharged: 500, Refunds: 1620, TaxRefunded: 120,
				FeesReturned: 130}}
			if diff := cmp.Diff(want, c.profits()); diff != "" || sold.Status != "refunded" {
				t.Errorf("sale %s, report (-want +got):\n%s", sold.Status, diff)
			}
			c.do("POST", path+"/refund", `{"restock":false}`).refused(t, "sale_refunded")
			c.do("PATCH", path, `{"shipping_charged":`+usd("499")+`}`).refused(t, "invalid_request")
		})
	}
}

// A sale that was entered wrongly is corrected or voided. A voided sale stays readable and counts in no report.
func TestSales_CorrectAndVoid(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	hook := c.endpoint("sale.voided", "card.workflow_status_changed")
	card := c.create(`{"identification":{"title":"Ember Fox"}}`).ID
	var sold sale
	c.do("POST", "/cards/"+card+"/sell", `{"channel":"in_person","price":{"amount":99900,"currency":"USD"}}`).
		want(t, http.StatusCreated, &sold)
	path := "/sales/" + sold.ID
	earlier := time.Now().Add(-time.Hour).Format(time.RFC3339)
	patch := `{"gross":{"amount":999,"currency":"USD"},"sold_at":"` + earlier + `"}`
	c.do("PATCH", path, patch).want(t, http.StatusOK, &sold)
	c.do("PATCH", path, `{"gross":{"amount":999,"currency":"EUR"}}`).refused(t, "invalid_request")
	diff := cmp.Diff([]reportRow{{Count: 1, Gross: 999, Profit: 999}}, c.profits())
	if diff != "" || sold.Version != 2 {
		t.Errorf("corrected sale of version %d, report (-want +got):\n%s", sold.Version, diff)
	}
	for range 2 { // the second time changes nothing
		c.do("POST", path+"/void", nil).want(t, http.StatusOK, &sold)
	}
	if status := c.get(card).WorkflowStatus; sold.Status != "voided" || sold.Version != 3 || status != "identified" {
		t.Errorf("sale %+v of a card %s, want it voided at version 3 and the card identified", sold, status)
	}
	if rows := c.profits(); len(rows) != 0 {
		t.Errorf("report %+v, want no voided sale in it", rows)
	}
	c.do("PATCH", path, `{"tax":{"amount":1,"currency":"USD"}}`).refused(t, "sale_voided")
	c.do("POST", path+"/refund", `{"restock":false}`).refused(t, "sale_voided")
	var list listOf[sale]
	c.do("GET", "/sales?status=voided", nil).want(t, http.StatusOK, &list)
	if len(list.Data) != 1 || list.Data[0].ID != sold.ID {
		t.Errorf("voided sales %+v", list.Data)
	}
	got := hook.event(t, "sale.voided", card)
	if got["sale_id"] != sold.ID || got["restocked"] != true {
		t.Errorf("event %+v", got)
	}
	c.do("POST", "/cards/"+card+"/sell", `{"channel":"in_person","price":{"amount":999,"currency":"USD"}}`).
		want(t, http.StatusCreated, nil)

	deleted := c.create(`{"identification":{"title":"Frost Fox"}}`).ID
	c.do("POST", "/cards/"+deleted+"/sell", `{"channel":"other","price":{"amount":0,"currency":"USD"}}`).
		want(t, http.StatusCreated, &sold)
	c.do("POST", "/sales/"+sold.ID+"/refund", `{"restock":false}`).want(t, http.StatusOK, &sold)
	if sold.Status != "refunded" {
		t.Errorf("a free sale is %s, want it refunded", sold.Status)
	}
	c.do("DELETE", "/cards/"+deleted, nil).want(t, http.StatusNoContent, nil)
	c.do("POST", "/sales/"+sold.ID+"/void", nil).want(t, http.StatusOK, nil)
}

// The marketplace holds the order of a sale that it reported, so the sale cannot be voided or given another price.
func TestSales_OfMarketplaceStay(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	mine := c.own()
	s.buy(t, mine.listing)
	var list listOf[sale]
	eventually(t, "the sale is recorded", func() bool {
		c.do("GET", "/sales?card="+mine.card, nil).want(t, http.StatusOK, &list)
		return len(list.Data) == 1
	})
	path := "/sales/" + list.Data[0].ID
	c.do("POST", path+"/void", nil).refused(t, "sale_at_marketplace")
	c.do("PATCH", path, `{"gross":{"amount":1,"currency":"USD"}}`).refused(t, "sale_at_marketplace")
	c.do("PATCH", path, `{"sold_at":"2026-05-12T09:00:00Z"}`).refused(t, "sale_at_marketplace")
	c.do("PATCH", path, `{"buyer_reference":"Table 12"}`).want(t, http.StatusOK, nil)
}

// A card that is sold elsewhere while it is listed has its listing taken down.
func TestSales_EndListing(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	mine := c.own()
	c.do("POST", "/cards/"+mine.card+"/sell", `{"channel":"own_store","price":{"amount":1,"currency":"USD"}}`).
		want(t, http.StatusCreated, nil)
	eventually(t, "the listing has ended", func() bool {
		var l struct {
			Status    string
			EndReason *string `json:"end_reason"`
		}
		c.do("GET", "/listings/"+mine.listing, nil).want(t, http.StatusOK, &l)
		return l.Status == "ended" && l.EndReason != nil && *l.EndReason == "sold_elsewhere"
	})
	if got := c.get(mine.card).WorkflowStatus; got != "sold" {
		t.Errorf("card %s, want sold", got)
	}
}

// TestSales_Refused checks the errors of sales that cannot be recorded or read.
func TestSales_Refused(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	const sell = `{"channel":"in_person","price":{"amount":1250,"currency":"USD"}}`
	unnamed, archived := c.create(`{}`).ID, c.create(`{"identification":{"title":"Ember Fox"}}`).ID
	c.do("PATCH", "/cards/"+archived, `{"archived":true}`).want(t, http.StatusOK, nil)
	c.do("POST", "/cards/"+unnamed+"/sell", sell).refused(t, "card_not_identified")
	c.do("POST", "/cards/"+archived+"/sell", sell).refused(t, "card_archived")
	c.do("GET", "/sales?cursor=x", nil).refused(t, "invalid_cursor")
	c.do("GET", "/deletions?cursor=x", nil).refused(t, "invalid_cursor")
	c.do("GET", "/cards/"+archived+"/history?cursor=x", nil).refused(t, "invalid_cursor")

	imported := c.create(`{"external_id":"shop-2","identification":{"title":"Dusk Fox"}}`).ID
	c.do("POST", "/cards/"+imported+"/sell", sell).want(t, http.StatusCreated, nil)
	c.do("POST", "/cards", `{"on_conflict":"update","cards":[{"external_id":"shop-2",
		"pricing":{"asking_price":{"amount":1,"currency":"USD"}}}]}`).refused(t, "card_sold")

	deleted := c.create(`{"identification":{"title":"Frost Fox"}}`).ID
	var sold sale
	c.do("POST", "/cards/"+deleted+"/sell", sell).want(t, http.StatusCreated, &sold)
	c.do("DELETE", "/cards/"+deleted, nil).want(t, http.StatusNoContent, nil)
	c.do("POST", "/sales/"+sold.ID+"/refund", `{"restock":true}`).refused(t, "card_not_found")
	c.do("POST", "/sales/"+sold.ID+"/refund", `{"restock":false}`).want(t, http.StatusOK, nil)
}

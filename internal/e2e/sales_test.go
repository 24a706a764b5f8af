package e2e

import (
	"net/http"
	"testing"
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

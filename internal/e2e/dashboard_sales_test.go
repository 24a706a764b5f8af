package e2e

import (
	"encoding/csv"
	"net/http"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/users"
)

// sold records a sale of a new card and returns its address.
func (b *counter) sold(channel, draft string) (path, cardID string) {
	b.t.Helper()
	var made sale
	cardID = b.api.create(draft).ID
	b.api.do("POST", "/cards/"+cardID+"/sell", `{"channel":"`+channel+`","price":{"amount":1000,"currency":"USD"}}`).
		want(b.t, http.StatusCreated, &made)
	return "/sales/" + made.ID, cardID
}

// Fees and shipping that are known later change the receipt. What is refused stays in the form.
func TestDashboard_Sale(t *testing.T) {
	t.Parallel()
	b := atCounter(t, users.Member)
	path, _ := b.sold("own_store", soldFox)
	shown := b.get(path)
	b.want(shown, http.StatusOK, "Receipt", "$7.00")
	form := formFields(t, shown, path)
	b.wantRedirect(b.sendForm(path, form), path+"?done=saved") // without changes
	b.want(b.get(path), http.StatusOK, `name="version" value="1"`)
	b.want(b.sendForm(path, form, "tax", "1.005", "carrier", "DHL"), http.StatusUnprocessableEntity,
		`id="e-tax"`, `value="1.005"`, `value="DHL"`)
	b.want(b.sendForm(path, form, "tax", "0.80"), http.StatusUnprocessableEntity, `id="e-number"`)
	changed := b.sendForm(path, form, "number", "003", "fee_kind", "<i>table", "fee_amount", "0.50",
		"shipping_cost", "1.50", "shipped_at", "2026-05-12T09:00", "buyer_reference", "Table 12")
	b.wantRedirect(changed, path+"?done=saved")
	b.want(b.get(path+"?done=saved"), http.StatusOK, "Saved.", "Fee: &lt;i&gt;table", "-$0.50", "-$1.50", "$5.00",
		`value="2026-05-12T09:00"`, `value="Table 12"`, `value="003"`)
	b.want(b.sendForm(path, form), http.StatusPreconditionFailed, "The sale is at version 2")
	b.want(b.post(path, "tax", "1"), http.StatusBadRequest, "The form is incomplete")
}

// A refund says first what it will do. Its confirmation works once.
func TestDashboard_Refund(t *testing.T) {
	t.Parallel()
	b := atCounter(t, users.Member)
	path, card := b.sold("own_store", soldFox)
	refund := path + "/refund"
	b.want(b.get(refund), http.StatusOK, `value="10.00"`, "Go on")
	b.want(b.get(refund+"?check=true&amount=10.01"), http.StatusUnprocessableEntity, "must be at most 10.00 USD",
		`value="10.01"`)
	b.want(b.get(refund+"?check=true&amount=x"), http.StatusUnprocessableEntity, `id="e-amount"`)
	part := b.get(refund + "?check=true&amount=4&reason=%3Cb%3Ebent")
	b.want(part, http.StatusOK, "What will happen", "$4.00", "$6.00", "The card stays sold.", "Reason: &lt;b&gt;bent")
	form := formFields(t, part, refund)
	b.wantRedirect(b.sendForm(refund, form), path+"?done=refunded")
	b.want(b.sendForm(refund, form), http.StatusPreconditionFailed, "The sale is at version 2")
	b.want(b.get(path), http.StatusOK, "-$4.00", "&lt;b&gt;bent", "$3.00")
	b.want(b.post(refund, "amount", "1"), http.StatusBadRequest, "The form is incomplete")

	all := b.get(refund + "?check=true&amount=&restock=true")
	b.want(all, http.StatusOK, "Refund $6.00", "refunded in full", "The card comes back into stock")
	b.wantRedirect(b.sendForm(refund, formFields(t, all, refund)), path+"?done=refunded")
	if got := b.api.get(card).WorkflowStatus; got != "identified" {
		t.Errorf("card %s, want it back as identified", got)
	}
	b.want(b.get(path), http.StatusOK, "The card came back")
	if strings.Contains(b.get(path).body, `href="`+refund+`"`) {
		t.Error("a sale that cannot be refunded has a link to its refund")
	}
	b.want(b.get(refund+"?check=true&restock=true"), http.StatusConflict, "refunded in full")
}

// The form of a refund returns the shipping too. It is filled in with the amounts that are not refunded yet.
func TestDashboard_RefundOfShipping(t *testing.T) {
	t.Parallel()
	b := atCounter(t, users.Member)
	path, _ := b.sold("own_store", soldFox)
	b.wantRedirect(b.sendForm(path, formFields(t, b.get(path), path), "shipping_charged", "5.00"), path+"?done=saved")
	refund := path + "/refund"
	b.want(b.get(refund), http.StatusOK, `name="amount"`, `value="10.00"`, `name="shipping"`, `value="5.00"`)
	b.want(b.get(refund+"?check=true&amount=10&shipping=5.01"), http.StatusUnprocessableEntity, `id="e-shipping"`,
		"must be at most 5.00 USD")
	b.want(b.get(refund+"?check=true&amount=10.01&shipping="), http.StatusUnprocessableEntity, `id="e-amount"`,
		"must be at most 10.00 USD")
	b.want(b.get(refund+"?check=true&amount=&shipping="), http.StatusUnprocessableEntity,
		"must have an amount of more than zero")
	b.want(b.get(refund+"?check=true&amount=10.00&shipping="), http.StatusOK, "Refund $10.00", " is left.")
	all := b.get(refund + "?check=true&amount=10.00&shipping=5.00&restock=true")
	b.want(all, http.StatusOK, "Refund $15.00", "Of the price: ", "Of the shipping: ", "refunded in full")
	b.wantRedirect(b.sendForm(refund, formFields(t, all, refund)), path+"?done=refunded")
	b.want(b.get(path), http.StatusOK, "-$15.00", "$0.00")
}

// A sale that was recorded by mistake gets another price, and is voided. It then counts in no report and no file.
func TestDashboard_VoidSale(t *testing.T) {
	t.Parallel()
	b := atCounter(t, users.Member)
	path, card := b.sold("own_store", soldFox)
	form := formFields(t, b.get(path), path)
	b.want(b.sendForm(path, form, "gross", ""), http.StatusUnprocessableEntity, `id="e-gross"`)
	b.wantRedirect(b.sendForm(path, form, "gross", "9.99", "sold_at", "2026-05-12T09:00"), path+"?done=saved")
	b.want(b.get(path), http.StatusOK, "$9.99", `value="2026-05-12T09:00"`, `href="`+path+`/void"`)
	void := path + "/void"
	confirm := b.get(void)
	b.want(confirm, http.StatusOK, "What will happen", "counts in no report")
	b.want(b.post(void), http.StatusBadRequest, "The form is incomplete")
	b.want(b.post(void, "version", "1"), http.StatusPreconditionFailed, "The sale is at version 2")
	for range 2 { // a form that is sent twice
		b.wantRedirect(b.sendForm(void, formFields(t, confirm, void)), path+"?done=voided")
	}
	b.want(b.get(path+"?done=voided"), http.StatusOK, "The sale is voided.", "It counts in no report",
		"none: the sale was voided")
	if got := b.api.get(card).WorkflowStatus; got != "identified" {
		t.Errorf("card %s, want it back as identified", got)
	}
	b.want(b.get("/sales?status=voided"), http.StatusOK, path)
	for address, rows := range map[string]int{"/sales.csv": 1, "/sales.csv?status=voided": 2} {
		if got := strings.Count(b.get(address).body, "\n"); got != rows {
			t.Errorf("%s has %d lines, want %d", address, got, rows)
		}
	}
}

// The page of a sale that the marketplace reported says that the order is there.
func TestDashboard_SaleOfMarketplace(t *testing.T) {
	t.Parallel()
	b := atCounter(t, users.Member)
	mine := b.api.own()
	b.api.service.buy(t, mine.listing)
	var list listOf[sale]
	eventually(t, "the sale is recorded", func() bool {
		b.api.do("GET", "/sales?card="+mine.card, nil).want(t, http.StatusOK, &list)
		return len(list.Data) == 1
	})
	path := "/sales/" + list.Data[0].ID
	shown := b.get(path)
	b.want(shown, http.StatusOK, "The marketplace has reported the price and the date.")
	if strings.Contains(shown.body, path+"/void") || strings.Contains(shown.body, `name="gross"`) {
		t.Error("the page offers to void or correct the sale")
	}
	b.want(b.post(path+"/void", "version", "1"), http.StatusConflict, "refund or cancel the order there")
}

// The accountant's file has the sales of the filters, and texts in it are no formulas.
func TestDashboard_SalesCSV(t *testing.T) {
	t.Parallel()
	b := atCounter(t, users.Member)
	b.sold("own_store", `{"identification":{"title":"=HYPERLINK(\"https://evil.example\")"}}`)
	b.sold("in_person", soldFox)
	b.want(b.get("/sales?channel=own_store"), http.StatusOK, `href="/sales.csv?channel=own_store"`)
	file := b.get("/sales.csv?channel=own_store")
	rows, err := csv.NewReader(strings.NewReader(file.body)).ReadAll()
	if err != nil || len(rows) != 2 || !strings.HasPrefix(file.Header.Get("Content-Type"), "text/csv") {
		t.Fatalf("%d rows of %s, %v; want the heads and a sale", len(rows), file.Header.Get("Content-Type"), err)
	}
	cells := map[string]string{}
	for i, name := range rows[0] {
		cells[name] = rows[1][i]
	}
	if cells["title"] != `'=HYPERLINK("https://evil.example")` || cells["gross"] != "10.00" {
		t.Errorf("cells %v", cells)
	}
	all, err := csv.NewReader(strings.NewReader(b.get("/sales.csv").body)).ReadAll()
	if err != nil || len(all) != 3 {
		t.Errorf("%d rows, %v; want the heads and two sales", len(all), err)
	}
	b.want(b.get("/sales.csv?channel=fair"), http.StatusBadRequest, "channel: must be one of")
	b.want(b.send(http.MethodHead, "/sales.csv", "", nil), http.StatusOK)
}

package e2e

import (
	"encoding/csv"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/users"
)

// cells parses a CSV file and checks that no cell is evaluated as a formula by a spreadsheet. Amounts may be negative.
func (b *browser) cells(file page) [][]string {
	b.t.Helper()
	b.want(file, http.StatusOK)
	rows, err := csv.NewReader(strings.NewReader(file.body)).ReadAll()
	if err != nil {
		b.t.Fatal(err)
	}
	for _, row := range rows {
		for _, cell := range row {
			negative := strings.HasPrefix(cell, "-") && strings.Trim(cell[1:], "0123456789.") == ""
			if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) && !negative {
				b.t.Errorf("the cell %q is a formula", cell)
			}
		}
	}
	return rows
}

// Texts that begin like formulas are harmless in each file that the dashboard gives. The file of cards, imported again,
// restores them exactly.
func TestDashboard_FilesWithoutFormulas(t *testing.T) {
	t.Parallel()
	b := atCounter(t, users.Member)
	const call = `HYPERLINK(\"https://evil.example\")`
	var ids []string
	before := map[string]string{}
	for _, start := range []string{`=`, `+`, `-`, `@`, `'=`, `\t=`, `\r=`, `'\t`} {
		title := strings.NewReplacer(`\t`, "=", `\r`, "=").Replace(start) + call
		id := b.api.create(`{"identification":{"title":"` + title + `","number":"-1+2"},"sku":"+sku",
			"notes":"` + start + call + `","location":"@box"}`).ID
		ids, before[id] = append(ids, id), b.texts(id)
		sold := b.api.create(`{"identification":{"title":"` + title + `","set":"-set"}}`)
		var made sale
		b.api.do("POST", "/cards/"+sold.ID+"/sell", `{"channel":"own_store","price":{"amount":1000,"currency":"USD"},
			"order_reference":"=1+1"}`).want(t, http.StatusCreated, &made)
		b.api.do("PATCH", "/sales/"+made.ID, `{"shipping_cost":{"amount":2000,"currency":"USD"},
			"buyer_reference":"@me"}`).want(t, http.StatusOK, nil)
	}
	if rows := b.cells(b.get("/sales.csv")); len(rows) != len(ids)+1 {
		t.Errorf("the file of sales has %d rows, want %d and the heads", len(rows), len(ids))
	}
	file := b.get("/cards/export?status=identified")
	if rows := b.cells(file); len(rows) != len(ids)+1 {
		t.Fatalf("the file of cards has %d rows, want %d and the heads", len(rows), len(ids))
	}
	for _, id := range ids {
		b.api.do("PATCH", "/cards/"+id, `{"identification":{"title":"Fox"},"notes":null,"sku":null}`).
			want(t, http.StatusOK, nil)
	}
	b.wantRedirect(b.uploadCSV("cards.csv", file.body), "/import/csv")
	b.wantRedirect(b.post("/import/csv/accept", b.get("/import/csv").hidden()[:2]...), "/import/csv")
	b.await("/import/csv", "Done: 8 cards")
	after := map[string]string{}
	for _, id := range ids {
		after[id] = b.texts(id)
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("texts after the import of the export (-want +got):\n%s", diff)
	}
}

// texts returns the texts of a card.
func (b *counter) texts(cardID string) string {
	b.t.Helper()
	var found struct {
		Title, Location, SKU, Notes string
		Number                      string
	}
	b.api.do("GET", "/cards/"+cardID, nil).want(b.t, http.StatusOK, &found)
	return strings.Join([]string{found.Title, found.Number, found.Location, found.SKU, found.Notes}, "\x00")
}

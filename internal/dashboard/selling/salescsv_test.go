package selling

import (
	"bytes"
	"encoding/csv"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/calendar"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/sales"
)

func newSalesFile(to *bytes.Buffer) *salesFile {
	return &salesFile{zone: calendar.Zone("Asia/Kathmandu"), to: to, deadline: func(time.Time) error { return nil }}
}

func TestSalesFile_Row(t *testing.T) {
	t.Parallel()
	s := soldSale()
	s.SoldAt = time.Date(2026, 5, 11, 20, 0, 0, 0, time.UTC) // the next day in Kathmandu
	s.Title, s.OrderReference, s.CardID, s.Fees[0].Amount = new("=1+1"), new("12-34"), "card_x", 1500
	got := newSalesFile(nil).row(&s)
	want := map[string]string{
		"date": "2026-05-12", "sold_at": "2026-05-11T20:00:00Z", "sale_id": "sale_x", "channel": "ebay",
		"order_reference": "12-34", "title": "'=1+1", "set": "", "number": "", "currency": "USD", "gross": "10.00",
		"shipping_charged": "1.00", "shipping_cost": "0.70", "fees": "15.00", "net": "-4.70", "tax": "0.80",
		"refunded": "2.00", "cost": "3.00", "cost_currency": "USD", "profit": "-9.70", "status": "completed",
		"shipped_at": "2026-05-11T09:00:05Z", "restocked_at": "", "buyer_reference": "Table 12", "card_id": "card_x",
		"listing_id": "", "tax_refunded": "0.00", "fees_returned": "0.00", "voided_at": "",
	}
	cells := map[string]string{}
	for i, name := range saleColumns {
		cells[name] = got[i]
	}
	if diff := cmp.Diff(want, cells); diff != "" || len(got) != len(saleColumns) {
		t.Errorf("%d cells (-want +got):\n%s", len(got), diff)
	}
}

func TestCell(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "Ember Fox": "Ember Fox", "=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@x": "'@x", "\tx": "'\tx",
		"\rx": "'\rx", "1-1": "1-1", "Größe": "Größe",
	} {
		if got := cell(&text); got != want {
			t.Errorf("cell(%q) = %q, want %q", text, got, want)
		}
	}
	if got := cell(nil); got != "" {
		t.Errorf("cell(nil) = %q, want an empty cell", got)
	}
}

// salesPages returns the first of several pages with so many sales, and a function that lists the others.
func salesPages(counts ...int) (paging.Page[sales.Sale], func(string) (paging.Page[sales.Sale], error)) {
	calls := 0
	list := func(string) (paging.Page[sales.Sale], error) {
		p := paging.Page[sales.Sale]{Data: make([]sales.Sale, counts[min(calls, len(counts)-1)])}
		if calls++; calls < len(counts) {
			p.NextCursor = new("next")
		}
		return p, nil
	}
	first, _ := list("")
	return first, list
}

func (f *salesFile) rows(t *testing.T, counts ...int) [][]string {
	t.Helper()
	first, list := salesPages(counts...)
	if err := f.write(first, list); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(f.to.(*bytes.Buffer)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestSalesFile_HasAllPages(t *testing.T) {
	t.Parallel()
	rows := newSalesFile(new(bytes.Buffer)).rows(t, 2, 0, 1)
	if diff := cmp.Diff(saleColumns, rows[0]); diff != "" || len(rows) != 4 {
		t.Errorf("%d rows, want 4; heads (-want +got):\n%s", len(rows), diff)
	}
}

// A file that ends before the last sale says so.
func TestSalesFile_SaysThatItIsIncomplete(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		counts []int
		want   string
	}{
		"sales": {[]int{maxCSVSales, 1}, "Incomplete after 100000 sales"},
		"pages": {make([]int, maxCSVPages+1), "Incomplete after 0 sales"},
	} {
		rows := newSalesFile(new(bytes.Buffer)).rows(t, tc.counts...)
		if last := rows[len(rows)-1]; !strings.HasPrefix(last[0], tc.want) {
			t.Errorf("%s: the last row is %q, want %q", name, last, tc.want)
		}
	}
	rows := newSalesFile(new(bytes.Buffer)).rows(t, make([]int, maxCSVPages)...)
	if len(rows) != 1 {
		t.Errorf("a complete file has %q after its heads", rows[1:])
	}
}

func TestSalesFile_StopsAtAnError(t *testing.T) {
	t.Parallel()
	broken := errors.New("no database")
	first, _ := salesPages(1, 1)
	err := newSalesFile(new(bytes.Buffer)).write(first, func(string) (paging.Page[sales.Sale], error) {
		return paging.Page[sales.Sale]{}, broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
}

package orderfile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	pullHeader = "Product Line,Product Name,Condition,Number,Set,Rarity,Quantity,Main Photo URL,Set Release Date," +
		"SkuId,Order Quantity\n"
	listHeader = "Order #,Buyer Name,Order Date,Status,Shipping Type,Product Amt,Shipping Amt,Total Amt,Buyer Paid," +
		"Carrier Information\n"
	orderList = listHeader +
		`"AA-1","Pat","Friday, 03 July 2026","Completed - Paid","Standard","10.01","0.78","10.79","True",""` + "\n" +
		`"AA-2","Pat","Sunday, 05 July 2026","Canceled","Standard","9.00","0.78","9.78","True",""` + "\n" +
		`"AA-3","Pat","2026-07-06","Ready to Ship","Standard","2.50","0.00","2.50","True",""` + "\n"
)

func TestService_ImportsTCGplayer(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.add(t, s.account, "5001", "5001", "5002", "5001", "A-1") // at 1, 2, 3, 4 and 5 dollars
	pullSheet := pullHeader +
		`"Pokemon","Fox","Near Mint","1","S","C","4","","","5001","AA-1:2 | AA-2:1|AA-3:1"` + "\n" +
		`"Pokemon","Crab","Near Mint","2","S","C","1","","","5002","AA-1:1"` + "\n" +
		"Orders Contained in Pull Sheet:,AA-1|AA-2|AA-3\n"
	load := func() (Report, error) {
		return s.load(t, pullSheet, Options{Format: TCGplayer, OrderList: strings.NewReader(orderList)})
	}
	report, err := load()
	if diff := cmp.Diff(Report{Orders: 2, Sales: 4, Ignored: 1}, report); err != nil || diff != "" {
		t.Fatalf("%v, report (-want +got):\n%s", err, diff)
	}
	want := []string{ // 10.01 is divided as 1:2:3, the oldest copies first
		"0 other AA-1 2026-07-03T04 1.66 USD shipping 78 tax 0 fees []",
		"1 other AA-1 2026-07-03T04 3.34 USD shipping 0 tax 0 fees []",
		"2 other AA-1 2026-07-03T04 5.01 USD shipping 0 tax 0 fees []",
		"3 other AA-3 2026-07-06T04 2.50 USD shipping 0 tax 0 fees []",
	}
	if diff := cmp.Diff(want, s.sold(t, ids)); diff != "" {
		t.Fatalf("sales (-want +got):\n%s", diff)
	}
	s.add(t, s.account, "5001", "5001", "5001", "5002") // must not be sold by the same orders
	report, err = load()
	if diff := cmp.Diff(Report{Known: 4, Ignored: 1}, report); err != nil || diff != "" {
		t.Errorf("again: %v, report (-want +got):\n%s", err, diff)
	}
}

func TestService_ReportsTCGplayerProblems(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.add(t, s.account, "5001", "5002")
	row := func(sku, orders string) string { return `Pokemon,Fox,NM,1,S,C,1,,,` + sku + `,` + orders + "\n" }
	for name, tc := range map[string]struct{ pullSheet, orders, want string }{
		"too few copies": {
			pullHeader + row("5002", "AA-1:1") + row("5001", "AA-1:2"), orderList,
			"line 3: there is no card with the SKU 5001 that is not sold",
		},
		"unknown order": {
			pullHeader + row("5001", "BB-1:1"), orderList,
			"line 2, Order Quantity: order BB-1 is not in the order list",
		},
		"no quantity": {
			pullHeader + row("5001", "AA-1"), orderList,
			`line 2, Order Quantity: "AA-1" is not an order and a quantity such as 0A1B2C3D-4E5F6A-7B8C9:1`,
		},
		"no SKU": {pullHeader + row("", "AA-1:1"), orderList, "line 2, SkuId: is missing"},
		"order list instead": {
			orderList, orderList, "the file is not a pull sheet of TCGplayer in English",
		},
		"order list without amounts": {
			pullHeader + row("5001", "AA-1:1"), "Order #,Buyer Name,Order Date,Status\nAA-1,Pat,2026-07-03,Paid\n",
			"the order list: the file is not an order list of TCGplayer in English: it has no column productamt",
		},
		"order list with a broken line": {
			pullHeader + row("5001", "AA-1:1"), listHeader + "AA-1,Pat,yesterday,Paid,Standard,,0,0,True,\n",
			`the order list: the file has 2 problems, the first: ` +
				`line 2, Order Date: "yesterday" is not a date such as 2026-07-03`,
		},
		"no order list": {pullHeader, "", "the order list: the file is not an order list of TCGplayer in English"},
	} {
		_, err := s.load(t, tc.pullSheet, Options{Format: TCGplayer, OrderList: strings.NewReader(tc.orders)})
		if err == nil || err.Error() != tc.want {
			t.Errorf("%s: got %v\nwant %s", name, err, tc.want)
		}
	}
	if n := s.createdEvents(t); n != 0 {
		t.Errorf("%d sales, want none", n)
	}
	// A partial import leaves out the whole order, because its amount cannot be divided.
	pullSheet := pullHeader + row("5002", "AA-1:1") + row("5001", "AA-1:2|AA-3:1")
	report, err := s.load(t, pullSheet, Options{
		Format: TCGplayer, OrderList: strings.NewReader(orderList), Partial: true,
	})
	if err != nil || report.Orders != 1 || report.Sales != 1 || report.Problems.Total != 1 {
		t.Errorf("a partial import: %+v, %v, want the order without problems", report, err)
	}
}

package dashboardtest

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

var (
	pdfPage = regexp.MustCompile(`/Type\s*/Page\b`)
	pdfSize = regexp.MustCompile(`/MediaBox\s*\[([^\]]*)\]`)
)

// testLabels prints labels: a page of paper for each sheet, of the sheet's size, and nothing else.
func testLabels(t *testing.T, b *browser) {
	s := b.service
	p := s.program(t)
	var ids []string
	for _, c := range p.list("/cards?limit=24") {
		ids = append(ids, "ids="+c.ID)
	}
	if len(ids) != 24 {
		t.Fatalf("the demo has %d cards, want 24 or more", len(ids))
	}
	query := strings.Join(ids, "&")
	for _, tc := range []struct {
		sheet string
		pages int
		size  string // width and height in points, rounded
	}{
		{"a4", 1, "595 842"}, {"a4&start=2", 2, "595 842"}, {"letter", 1, "612 792"}, {"letter&start=8", 2, "612 792"},
		{"roll", 24, "176 82"},
	} {
		t.Run(tc.sheet, func(t *testing.T) {
			x := b.open(t, views[1], true)
			x.do(chromedp.Navigate(x.base + "/cards/labels?" + query + "&sheet=" + tc.sheet))
			pdf := run(x, chromedp.PrintToPDF(chromedp.PDFPreferCSSPageSize()))
			if !bytes.HasPrefix(pdf, []byte("%PDF")) {
				t.Fatalf("got %d bytes, want a PDF file", len(pdf))
			}
			if got := len(pdfPage.FindAll(pdf, -1)); got != tc.pages {
				t.Errorf("got %d pages, want %d", got, tc.pages)
			}
			var sizes []string
			for _, box := range pdfSize.FindAllSubmatch(pdf, -1) {
				var left, top, width, height float64
				if _, err := fmt.Sscan(string(box[1]), &left, &top, &width, &height); err != nil {
					t.Fatal(err)
				}
				sizes = append(sizes, fmt.Sprintf("%.0f %.0f", width, height))
			}
			if got := slices.Compact(sizes); len(got) != 1 || got[0] != tc.size {
				t.Errorf("sizes of the pages: got %q, want %q", got, tc.size)
			}
		})
	}
	x := b.open(t, views[0], true)
	x.do(chromedp.Navigate(x.base + "/cards/labels?" + ids[0]))
	if got := evaluate[string](x, `document.querySelector("[data-print] button").innerText`); got != "Print" {
		t.Errorf("the button is %q, want Print", got)
	}
}

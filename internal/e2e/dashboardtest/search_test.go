package dashboardtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// until waits until a JavaScript expression is true.
func (x *tab) until(condition string) {
	x.t.Helper()
	if !evaluate[bool](x, `new Promise((resolve) => {
		const look = () => (`+condition+`) ? resolve(true) : setTimeout(look, 20)
		look()
	})`) {
		x.t.Fatalf("it does not come to %s", condition)
	}
}

// testSearchAsYouType types a search: the cards are replaced, and nothing else changes for the user.
func testSearchAsYouType(t *testing.T, b *browser) {
	x := b.open(t, views[0], true)
	x.do(chromedp.Navigate(x.base + "/cards?sort=title&columns=status,updated"))
	title := b.service.program(t).list("/cards?status=photographed")[0].Title
	word := strings.ToLower(strings.Fields(title)[0])
	x.do(chromedp.Evaluate[chromedp.Void](`globalThis.stays = true`), chromedp.SendKeys(chromedp.ID("q"), word))
	x.until(`new URLSearchParams(location.search).get("q") === "` + word + `"`)
	x.until(`document.querySelector("#found .chips")?.innerText.includes("` + word + `")`)
	for what, expression := range map[string]string{
		"the page was loaded again":        `globalThis.stays === true`,
		"the search lost the focus":        `document.activeElement.id === "q"`,
		"the address has empty values":     `!/=(&|$)/.test(location.search)`,
		"the order was lost":               `new URLSearchParams(location.search).get("sort") === "title"`,
		"the columns were lost":            `document.querySelectorAll("thead th").length === 5`,
		"a time is not in the user's zone": `[...document.querySelectorAll("#found time")].every((t) => t.title)`,
		"the count is that of before": `document.querySelector("#totals").innerText.startsWith(
			document.querySelectorAll("tbody tr").length + " cards")`,
		"the box of the page is missing": `document.querySelector("th.box input") !== null`,
		"a view is current":              `document.querySelector("#views [aria-current]") === null`,
	} {
		if !evaluate[bool](x, expression) {
			t.Error(what)
		}
	}
	x.do(chromedp.Click(chromedp.CSS("th.box input")))
	checked := evaluate[string](x, `document.querySelector("#bulk output").innerText`)
	rows := evaluate[int](x, `document.querySelectorAll("tbody tr").length`)
	if checked != fmt.Sprint(rows, " selected") {
		t.Errorf("after the boxes of %d rows were checked: got %q, want their number", rows, checked)
	}
	x.do(chromedp.SendKeys(chromedp.ID("q"), " no such card"))
	// On a busy machine, the first letters are a search of their own.
	x.until(`new URLSearchParams(location.search).get("q") === "` + word + ` no such card"`)
	x.until(`document.querySelector("#found .empty h2")?.innerText === "No card matches"`)
	x.follow(chromedp.SendKeys(chromedp.ID("q"), kb.Enter)) // a form as without scripts
	if got := evaluate[string](x, `document.querySelector("#found .empty h2").innerText`); got != "No card matches" {
		t.Errorf("after Enter: got %q, want that no card matches", got)
	}
	if messages := x.messages(); len(messages) > 0 {
		t.Errorf("got %q, want an empty console", messages)
	}
}

package dashboardtest

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A card opens beside the list on a desktop, and as a page of its own on a phone and without scripts.
func testBeside(t *testing.T, b *browser) {
	axe := readAxe(t)
	t.Run("opens", func(t *testing.T) { testBesideOpens(b.open(t, desk, true), axe) })
	t.Run("keys", func(t *testing.T) { testBesideKeys(b.open(t, desk, true)) })
	t.Run("saves", func(t *testing.T) { testBesideSaves(b.open(t, desk, true)) })
	t.Run("on a phone", func(t *testing.T) { testBesideNarrow(b.open(t, hand, true)) })
	t.Run("without scripts", func(t *testing.T) {
		testBesideNarrow(b.open(t, view{width: 1280, height: 900}, true))
	})
}

const (
	besideTitle = `(document.querySelector('#beside h2[tabindex]')?.textContent ?? '')`
	rowTitle    = `(document.querySelector('#found tr[aria-current] th a')?.textContent ?? '')`
)

// besideShows waits until the panel shows the card of the marked row, and returns the title.
func (x *tab) besideShows() string {
	x.t.Helper()
	x.do(chromedp.Poll[chromedp.Void](`!document.querySelector('#beside').hidden &&
		!document.querySelector('#beside').ariaBusy && ` + besideTitle + ` !== '' && ` + besideTitle + ` === ` +
		rowTitle))
	return evaluate[string](x, besideTitle)
}

func testBesideOpens(x *tab, axe string) {
	x.do(chromedp.Navigate(x.base + "/cards?status=priced"))
	x.stays(chromedp.Click(chromedp.CSS("tbody tr:nth-child(2) th a")))
	title := x.besideShows()
	x.holds(`document.querySelectorAll('h1').length === 1`, "one main heading")
	x.holds(`location.hash.startsWith('#card_')`, "the card in the address")
	x.holds(`document.documentElement.scrollWidth <= innerWidth`, "a page as wide as the window")
	x.do(chromedp.Evaluate[chromedp.Void](axe))
	for _, violation := range evaluate[[]string](x, violations) {
		x.t.Error(violation)
	}
	x.do(chromedp.Click(chromedp.CSS("tbody tr:nth-child(3) .thumb"))) // a click anywhere in a row
	x.do(chromedp.Poll[chromedp.Void](besideTitle + ` !== ` + jsString(title)))
	x.besideShows()
	x.do(chromedp.Evaluate[chromedp.Void](`history.back()`), chromedp.Poll[chromedp.Void](
		`document.querySelector('#beside').hidden && location.hash === ''`))
	x.do(chromedp.Evaluate[chromedp.Void](`history.forward()`))
	x.besideShows()
	x.do(chromedp.Reload())
	x.besideShows()
	x.wantQuiet()
}

func testBesideKeys(x *tab) {
	x.do(chromedp.Navigate(x.base + "/cards?status=priced"))
	x.stays(chromedp.KeyEvent("jj" + kb.Enter))
	first := x.besideShows()
	x.holds(focusedRow+` === 1`, "the focus on the row")
	x.do(chromedp.KeyEvent("j"), chromedp.Poll[chromedp.Void](focusedRow+` === 2`))
	if second := x.besideShows(); second == first {
		x.t.Errorf("after j: still %s", first)
	}
	x.do(chromedp.KeyEvent("x"))
	x.holds(`document.querySelectorAll('tbody tr')[2].querySelector('input').checked`, "that x selects the row")
	x.do(chromedp.KeyEvent("k"), chromedp.Poll[chromedp.Void](focusedRow+` === 1`))
	x.besideShows()
	x.do(chromedp.KeyEvent("e")) // edits the title
	x.holds(`document.activeElement.id === 'c-title'`, "the focus in the title")
	x.stays(chromedp.KeyEvent("jkx"))
	x.holds(besideTitle+` === `+jsString(first), "that keys do nothing while typing")
	x.stays(chromedp.KeyEvent(kb.Escape + kb.Escape))
	x.holds(`!document.querySelector('#beside').hidden`, "that Escape does not lose what was typed")
	x.do(chromedp.SetValue(chromedp.ID("c-title"), first),
		chromedp.Click(chromedp.CSS(`#beside .between [data-key=Escape]`)))
	x.holds(`document.querySelector('#beside').hidden && location.hash === ''`, "that the link closes the card")
	x.holds(focusedRow+` === 1`, "the focus on the row again")
	x.wantQuiet()
}

func testBesideSaves(x *tab) {
	x.do(chromedp.Navigate(x.base+"/cards?status=photographed"), chromedp.KeyEvent("j"+kb.Enter))
	x.besideShows()
	const notice = `(document.querySelector('#beside .notice')?.textContent ?? '')`
	x.stays(chromedp.Steps(
		chromedp.SetValue(chromedp.ID("c-location"), "Box 77"),
		chromedp.Click(chromedp.CSS("#beside form:has(#c-location) button")),
		chromedp.Poll[chromedp.Void](notice+`.startsWith('Saved.')`),
		chromedp.Poll[chromedp.Void](`document.querySelector('#found tr[aria-current]').innerText.includes('Box 77')`),
	))
	x.stays(chromedp.Steps(
		chromedp.SetValue(chromedp.ID("c-asking_price"), "cheap"),
		chromedp.Click(chromedp.CSS("#beside form:has(#c-asking_price) button")),
		chromedp.Poll[chromedp.Void](`document.getElementById('e-asking_price') !== null`),
	))
	x.holds(`document.getElementById('c-asking_price').value === 'cheap'`, "what was typed")
	x.messages() // the browser tells of the status of the refused form
}

func testBesideNarrow(x *tab) {
	x.do(chromedp.Navigate(x.base + "/cards"))
	x.follow(chromedp.Click(chromedp.CSS("tbody th a")))
	x.holds(`location.pathname.startsWith('/cards/card_')`, "the page of the card")
}

package dashboardtest

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// Scripts write times and numbers as the reader does, and show that a form is at work.
func testTexts(t *testing.T, b *browser) {
	t.Run("times", func(t *testing.T) { testTimes(b.open(t, desk, true)) })
	t.Run("numbers", func(t *testing.T) { testNumbers(b.open(t, desk, true)) })
	t.Run("at work", func(t *testing.T) { testAtWork(b.open(t, desk, true)) })
	t.Run("without scripts", func(t *testing.T) {
		x := b.open(t, view{width: 1280, height: 900}, true)
		x.do(chromedp.Navigate(x.base + "/batches"))
		x.holds(`document.querySelector('main time').textContent.endsWith(' UTC')`, "a time in UTC")
	})
}

func testTimes(x *tab) {
	call(x, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "Asia/Tokyo"})
	x.do(chromedp.Navigate(x.base + "/batches"))
	x.holds(`/ago$|^now$|^in /.test(document.querySelector('main time').textContent)`, "a time relative to now")
	x.holds(`(() => {
		const time = document.querySelector('main time')
		const tokyo = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Tokyo' }
		return time.title === new Intl.DateTimeFormat('en-US', tokyo).format(new Date(time.dateTime))
	})()`, "the exact time in the reader's zone in the title")
	x.do(chromedp.Navigate(x.base + "/cards/pull-sheet?status=photographed"))
	x.holds(`[...document.querySelectorAll('.shelf time')].every((time) => /20[0-9][0-9]/.test(time.textContent))`,
		"exact times on paper")
}

func testNumbers(x *tab) {
	dear := func() string {
		x.do(chromedp.Navigate(x.base + "/cards?sort=-price"))
		return strings.TrimSpace(evaluate[string](x, `document.querySelector('tbody .amount').textContent`))
	}
	english := dear()
	if !strings.Contains(english, ".") {
		x.t.Fatalf("got the price %q, want one with a decimal point", english)
	}
	call(x, emulation.SetLocaleOverride, emulation.SetLocaleOverrideParams{Locale: "de-DE"})
	if got, want := dear(), strings.Replace(english, ".", ",", 1); got != want {
		x.t.Errorf("for a German reader: got %q, want %q", got, want)
	}
}

// testAtWork sends a form whose answer goes to another tab, so that the page stays as while it waits.
func testAtWork(x *tab) {
	x.do(chromedp.Navigate(x.base + "/batches"))
	busy := evaluate[bool](x, `(async () => {
		const form = document.querySelector('main form')
		const button = document.querySelector('button[form=create]')
		form.target = '_blank'
		form.elements.name.value = 'Spring fair'
		form.requestSubmit(button)
		if (button.ariaBusy !== null) return false // not before 100 ms
		await new Promise((resolve) => setTimeout(resolve, 500))
		return button.ariaBusy === 'true'
	})()`)
	if !busy {
		x.t.Error("the button of a form that was sent does not show that it is at work")
	}
}

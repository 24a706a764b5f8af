package dashboardtest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// readAxe returns the script of axe-core, which finds problems of accessibility.
func readAxe(t testing.TB) string {
	t.Helper()
	install := exec.Command("../../../scripts/axe.sh")
	var stderr bytes.Buffer
	install.Stderr = &stderr
	path, err := install.Output()
	if err != nil {
		t.Fatalf("install axe-core: %v: %s", err, &stderr)
	}
	script, err := os.ReadFile(strings.TrimSpace(string(path)))
	if err != nil {
		t.Fatal(err)
	}
	return string(script)
}

// awaited makes an evaluation wait for a promise.
func awaited(p *runtime.EvaluateParams) { p.AwaitPromise = new(true) }

// check shows a page and reports everything that is wrong with it.
func (x *tab) check(p page, axe string) {
	x.t.Helper()
	response := run(x, chromedp.NavigateResponse(x.base+p.path))
	want := int64(200)
	if status, ok := statuses[p.name]; ok {
		want = status
	}
	if response.Status != want {
		x.t.Errorf("status: got %d, want %d", response.Status, want)
	}
	wrong := x.messages()
	if want >= 400 { // of which the browser tells, once
		wrong = slices.DeleteFunc(wrong, func(message string) bool {
			return strings.Contains(message, fmt.Sprintf("the server responded with a status of %d", want))
		})
	}
	wrong = append(wrong, evaluate[[]string](x, problems)...)
	if p.action {
		wrong = append(wrong, evaluate[[]string](x, misplacedAction)...)
	}
	if heading := evaluate[string](x, heading); !strings.Contains(heading, p.heading) {
		wrong = append(wrong, fmt.Sprintf("the main heading is %q, want %q", heading, p.heading))
	}
	if x.view.scripts {
		x.do(chromedp.Evaluate[chromedp.Void](axe))
		wrong = append(wrong, evaluate[[]string](x, violations)...)
	}
	x.screenshot(p)
	if x.view.keyboard {
		wrong = append(wrong, x.missedByKeyboard()...)
	}
	for _, what := range append(wrong, x.messages()...) {
		x.t.Error(what)
	}
}

// heading is an expression for the text of the page's only main heading.
const heading = `[...document.querySelectorAll('h1')].map((h) => h.innerText).join(' and ')`

// problems is an expression for what is wrong with any page: files of other sites, pictures that are broken, and a page
// that is wider than its window.
const problems = `(() => {
	const wrong = performance.getEntriesByType('resource').map((r) => r.name)
		.filter((name) => !name.startsWith(location.origin + '/') && !name.startsWith('data:'))
		.map((name) => 'it loads ' + name + ' of another site')
	for (const image of document.images) {
		if (image.complete && image.naturalWidth === 0) wrong.push('the picture ' + image.src + ' is broken')
	}
	const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth
	if (wide > 0) wrong.push('it is ' + wide + ' pixels too wide')
	for (const button of document.querySelectorAll('button[form]')) {
		if (!button.form) wrong.push('the button ' + button.innerText + ' has no form')
	}
	if (!document.querySelector('main')?.innerText.trim()) wrong.push('it has no content')
	return wrong
})()`

// misplacedAction is an expression for what is wrong with the main action of a page. It must be the only one, at the
// top right or, on a phone, above the bar at the bottom.
const misplacedAction = `(() => {
	const actions = document.querySelectorAll('.main-action')
	if (actions.length !== 1) return ['it has ' + actions.length + ' main actions, want one']
	const box = actions[0].getBoundingClientRect()
	const bar = document.querySelector('.bar-nav').getBoundingClientRect()
	if (bar.height > 0) {
		return Math.abs(box.bottom - bar.top) <= 2 ? [] : ['its main action is not above the bar']
	}
	const main = document.querySelector('main')
	const right = main.getBoundingClientRect().right - parseFloat(getComputedStyle(main).paddingRight)
	return Math.abs(box.right - right) <= 2 && box.bottom < 200 ? [] : ['its main action is not at the top right']
})()`

// violations is an expression for what axe finds, with all of its rules: a line for each element.
const violations = `axe.run({ resultTypes: ['violations'] }).then((found) => found.violations.flatMap((v) =>
	v.nodes.map((n) => v.id + ' (' + v.impact + '): ' + n.html.slice(0, 160) + ': ' + n.failureSummary)))`

// watchFocus is an expression that returns the number of links and controls. The page then notes which of them get the
// focus. Of a group of radio buttons, one is enough.
const watchFocus = `(() => {
	const group = (e) => e.type === 'radio' ? e.form.querySelector('input[name="' + e.name + '"]') : e
	const controls = 'a[href], button, input, select, textarea, summary, [tabindex="0"]'
	const reachable = [...document.querySelectorAll(controls)]
		.filter((e) => !e.disabled && e.type !== 'hidden' && e.checkVisibility())
	globalThis.missed = new Set(reachable.map(group))
	const focused = (e) => e && missed.delete(group(e))
	document.addEventListener('focusin', (event) => focused(event.target))
	focused(document.activeElement)
	const times = reachable.filter((e) => e.type === 'datetime-local')
	return reachable.length + 7 * times.length // each part of a time gets the focus, and the button of its calendar
})()`

// missedByKeyboard presses Tab once for each link and control and returns those that did not get the focus.
func (x *tab) missedByKeyboard() []string {
	x.t.Helper()
	for range evaluate[int](x, watchFocus) + 1 { // one more to come from the end to the beginning
		x.do(chromedp.KeyEvent(kb.Tab))
	}
	return evaluate[[]string](x, `[...missed].map((e) => 'Tab does not reach ' + e.outerHTML.slice(0, 160))`)
}

// logIn logs in as the demo's owner, with the form and without scripts, and changes a card.
func (b *browser) logIn(t testing.TB) {
	t.Helper()
	x := b.open(t, view{name: "log-in", width: 1280, height: 900}, true)
	x.do(
		chromedp.Navigate(x.base+"/cards?status=photographed"), // leads to the log-in, which leads back
		chromedp.SendKeys(chromedp.ID("email"), b.service.demo.Email),
		chromedp.SendKeys(chromedp.ID("password"), b.service.demo.Password),
	)
	x.follow(chromedp.Submit(chromedp.ID("password")))
	x.follow(chromedp.Click(chromedp.CSS("tbody th a")))
	x.do(chromedp.SetValue(chromedp.ID("c-location"), "Box 4"))
	x.follow(chromedp.Submit(chromedp.ID("c-location")))
	if notice := run(x, chromedp.Text(chromedp.CSS(".notice"))); notice != "Saved." {
		t.Errorf("after a change: got %q, want Saved.", notice)
	}
	if messages := x.messages(); len(messages) > 0 {
		t.Errorf("got %q, want an empty console", messages)
	}
}

// follow runs a step that leads to another page and waits for it.
func (x *tab) follow(step chromedp.Action[chromedp.Void]) {
	x.t.Helper()
	ctx, cancel := context.WithTimeout(x.ctx, stepTime)
	defer cancel()
	response, err := chromedp.RunResponse(ctx, step)
	if err != nil || response == nil || response.Status != 200 {
		x.t.Fatalf("got %+v, %v, want a page", response, err)
	}
}

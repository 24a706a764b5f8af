package dashboardtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// task is what a user does on a page: press a button or follow a link, after filling in its form.
type task struct {
	name      string
	path      string // with names of things in braces, such as {card}, which the method taskThings fills
	first     string // a part of what the page says before. The page is opened until it says that
	meanwhile string // a request that a program sends to the API while the page is open: PATCH /cards/{card} {}
	revokes   bool   // the seller revokes the consent at eBay while the page is open
	fill      string // the values of fields, in the form of a query
	file      string // the name of the file that is chosen, or ""
	press     string // the beginning of the text or of the label of a button or link
	then      string // the same of a link on the page that it leads to, or ""
	says      string // a part of what the page says then
	hides     string // a part of what the page no longer says then
	wrong     string // the field whose value is refused: its form keeps what was typed, and its error is beside it
	fails     bool   // it is refused without a field that is wrong; browsers write the status to the console
}

// texts returns the texts in which names of things are.
func (do *task) texts() []*string {
	return []*string{
		&do.path, &do.first, &do.meanwhile, &do.fill, &do.press, &do.says, &do.hides,
	}
}

// carryOut carries the task out as a user does, and checks what the page then says.
func (x *tab) carryOut(do task, s *service, p *program) {
	x.t.Helper()
	defer x.leave(do)
	x.begin(do)
	if do.meanwhile != "" {
		p.request(do.meanwhile)
	}
	if do.revokes {
		s.ebay.Revoke()
	}
	x.press(do.press, do.fill, do.file)
	if do.then != "" {
		x.says(do.then, "")
		x.press(do.then, "", "")
	}
	x.says(do.says, do.hides)
	x.screenshot(page{name: "after-" + strings.NewReplacer(": ", "-", " ", "-").Replace(do.name)})
	if do.wrong != "" {
		x.refuses(do.wrong, do.fill)
	}
}

// leave leaves the page of a task, also of one that failed, and reports what it wrote to the console. The next task
// therefore begins with an empty console.
func (x *tab) leave(do task) {
	x.t.Helper()
	x.do(chromedp.Navigate("about:blank"))
	for _, message := range x.messages() {
		if do.wrong == "" && !do.fails || !strings.Contains(message, "the server responded with a status of 4") {
			x.t.Error(message)
		}
	}
}

// begin opens the page of a task. The page must not say yet what the task leads to.
func (x *tab) begin(do task) {
	x.t.Helper()
	ctx, cancel := context.WithTimeout(x.ctx, stepTime)
	defer cancel()
	again := time.NewTicker(lookEvery)
	defer again.Stop()
	for {
		x.do(chromedp.Navigate(x.base + do.path))
		says := x.text()
		switch {
		case strings.Contains(says, do.says) == (do.hides == "") || !strings.Contains(says, do.hides):
			x.t.Fatalf("before anything is done, %s says %q", do.path, says)
		case strings.Contains(says, do.first):
			return
		case ctx.Err() != nil:
			x.t.Fatalf("%s does not say %q at first but %q", do.path, do.first, says)
		}
		<-again.C
	}
}

// request sends a request that is written as its method, its path and its body.
func (p *program) request(text string) {
	p.t.Helper()
	parts := strings.SplitN(text, " ", 3)
	p.send(parts[0], parts[1], parts[2])
}

// press fills in the fields of the form of a button, chooses a file in it, and clicks the button. It first opens what
// the button is in.
func (x *tab) press(label, fill, file string) {
	x.t.Helper()
	fields, err := url.ParseQuery(fill)
	if err != nil {
		x.t.Fatal(err)
	}
	missing := evaluate[string](x, fmt.Sprintf(`(%s)(%s, %s)`, fillIn, jsString(label), jsObject(fields)))
	if missing != "" {
		x.t.Fatalf("%s has no %s", evaluate[string](x, `location.pathname`), missing)
	}
	if file != "" {
		path := filepath.Join(x.t.TempDir(), file)
		if err := os.WriteFile(path, []byte(files[file]), 0o600); err != nil {
			x.t.Fatal(err)
		}
		x.do(chromedp.SetUploadFiles(chromedp.CSS("[data-chosen]"), []string{path}))
	}
	x.do(chromedp.Click(chromedp.CSS("[data-pressed]")))
}

// fillIn is a function that marks a button or link, opens what hides it, and sets the fields of its form. It returns
// what it misses, or an empty string.
const fillIn = `(label, fields) => {
	const labelOf = (e) => (e.ariaLabel ?? e.textContent).trim().replace(/\s+/g, ' ')
	const all = [...document.querySelectorAll('main button, main a')]
	const pressed = all.find((e) => labelOf(e) === label) ?? all.find((e) => labelOf(e).startsWith(label))
	if (!pressed) return 'button or link ' + label
	for (let e = pressed; e = e.parentElement?.closest('details');) e.open = true
	pressed.scrollIntoView({ block: 'center', behavior: 'instant' }) // not below the bar of a phone
	pressed.dataset.pressed = ''
	const chooser = [...pressed.form?.elements ?? []].find((e) => e.type === 'file')
	if (chooser) chooser.dataset.chosen = ''
	for (const [name, values] of Object.entries(fields)) {
		const found = pressed.form?.elements[name]
		if (!found) return 'field ' + name
		const first = found.type === undefined ? found[0] : found // of several with one name
		if (first.type === 'checkbox') first.checked = values[0] === 'on'
		else first.value = values[0]
		if (first.type === 'select-one' && first.value !== values[0]) return 'choice ' + values[0] + ' in ' + name
		first.dispatchEvent(new Event('input', { bubbles: true }))
		first.dispatchEvent(new Event('change', { bubbles: true }))
	}
	return ''
}`

// jsObject returns the fields as an object of JavaScript.
func jsObject(fields url.Values) string {
	var b strings.Builder
	for name, values := range fields {
		fmt.Fprintf(&b, "%s: [%s],", jsString(name), jsString(values[0]))
	}
	return "{" + b.String() + "}"
}

// text returns what the page says.
func (x *tab) text() string {
	x.t.Helper()
	return evaluate[string](x, mainText)
}

// mainText is an expression for the text of a page, without its division into lines and columns.
const mainText = `document.querySelector('main').innerText.replace(/\s+/g, ' ')`

// says waits until the page says something and no longer says something else, or "". Pages are exchanged meanwhile, so
// a look may fail.
func (x *tab) says(want, not string) {
	x.t.Helper()
	ctx, cancel := context.WithTimeout(x.ctx, stepTime)
	defer cancel()
	said := ""
	again := time.NewTicker(lookEvery)
	defer again.Stop()
	for ctx.Err() == nil {
		look := chromedp.Evaluate[string](`document.readyState === 'complete' ? ` + mainText + ` : ''`)
		if text, err := chromedp.Run(ctx, look); err == nil && text != "" {
			said = text
			if strings.Contains(said, want) && (not == "" || !strings.Contains(said, not)) {
				return
			}
		}
		<-again.C
	}
	x.t.Fatalf("the page does not say %q but %q", want, said)
}

// lookEvery is the time between two looks at a page that changes.
const lookEvery = 30 * time.Millisecond

// refuses checks that the form keeps what was typed, except passwords, and that the error of the field that is wrong is
// beside it.
func (x *tab) refuses(field, fill string) {
	x.t.Helper()
	typed, _ := url.ParseQuery(fill)
	x.holds(fmt.Sprintf(`(() => {
		const [wrong, typed] = [document.querySelector('main [name=%s][aria-invalid=true]'), %s]
		const described = (e) => e.getAttribute('aria-describedby').split(' ').some((id) =>
			document.getElementById(id)?.classList.contains('error'))
		const kept = ([name, [value]]) => {
			const field = wrong.form.querySelector('[name=' + name + ']') // the first of several
			return field?.type === 'password' || field?.value.trim() === value.trim()
		}
		return wrong !== null && described(wrong) && Object.entries(typed).every(kept)
	})()`, jsString(field), jsObject(typed)), "the field "+field+" with its error, in a form with what was typed")
}

// testTasks carries out the main task of each page, and the one that fails most, with and without scripts: those of the
// demo's owner, and those of a person who is invited to another account.
func testTasks(t *testing.T, b *browser) {
	for _, v := range []view{
		{name: "scripts", width: 1280, height: 900, scripts: true},
		{name: "plain", width: 390, height: 844, phone: true},
	} {
		t.Run(v.name, func(t *testing.T) {
			named, p := b.service.taskThings(t, v.name), b.service.program(t)
			for _, person := range []struct {
				owner bool
				tasks []task
			}{{true, tasks}, {false, sellerTasks}} {
				x := b.open(t, v, person.owner)
				for _, do := range person.tasks {
					t.Run(do.name, func(t *testing.T) {
						for _, text := range do.texts() {
							*text = named(*text)
						}
						x.with(t).carryOut(do, b.service, p)
					})
				}
			}
		})
	}
}

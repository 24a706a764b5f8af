package dashboardtest

import (
	"image"
	"image/jpeg"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

var (
	desk            = view{name: "desk", width: 1280, height: 900, scripts: true}
	hand            = view{name: "hand", width: 390, height: 844, scripts: true, phone: true}
	handWithoutCode = view{name: "hand-without-scripts", width: 390, height: 844, phone: true}
)

const (
	focusedRow       = `[...document.querySelectorAll('tbody tr')].indexOf(document.activeElement.closest('tr'))`
	watchNavigations = `globalThis.left = false,
		navigation.addEventListener('navigate', (event) => {
			globalThis.left ||= !event.destination.sameDocument
		})`
)

func testFrame(t *testing.T, b *browser) {
	for name, test := range map[string]func(*tab){
		"keys that go": testGoKeys, "keys in a list": testRowKeys, "keys while typing": testTypedKeys,
		"list of keys": testKeyDialog, "escape": testEscape,
	} {
		t.Run(name, func(t *testing.T) { test(b.open(t, desk, true)) })
	}
	t.Run("bar", func(t *testing.T) { testBar(b.open(t, hand, true)) })
	t.Run("scan", func(t *testing.T) { testScan(b.open(t, hand, true)) })
	t.Run("scan without scripts", func(t *testing.T) { testScan(b.open(t, handWithoutCode, true)) })
}

// at checks the path of the page.
func (x *tab) at(want string) {
	x.t.Helper()
	if got := evaluate[string](x, `location.pathname`); got != want {
		x.t.Errorf("the page is %s, want %s", got, want)
	}
}

// holds checks that an expression is true.
func (x *tab) holds(expression, what string) {
	x.t.Helper()
	if !evaluate[bool](x, expression) {
		x.t.Errorf("%s: want %s", evaluate[string](x, `location.pathname`), what)
	}
}

// stays checks that a step does not lead to another page. A click opens one in a task of its own, so the check comes in
// a later one.
func (x *tab) stays(step chromedp.Action[chromedp.Void]) {
	x.t.Helper()
	x.do(chromedp.Evaluate[chromedp.Void](watchNavigations), step)
	x.holds(`new Promise((resolve) => setTimeout(() => resolve(globalThis.left === false)))`,
		"that no other page is opened")
}

func testGoKeys(x *tab) {
	x.do(chromedp.Navigate(x.base + "/more"))
	for _, step := range []struct{ key, path string }{
		{"c", "/cards"}, {"r", "/review"}, {"b", "/batches"}, {"l", "/listings"}, {"s", "/sales"}, {"h", "/"},
	} {
		x.follow(chromedp.KeyEvent("g" + step.key))
		x.at(step.path)
	}
	x.stays(chromedp.KeyEvent("c")) // without g
	x.stays(chromedp.KeyEvent("gxc"))
}

func testRowKeys(x *tab) {
	x.do(chromedp.Navigate(x.base+"/cards"), chromedp.KeyEvent("jjjk"))
	x.holds(focusedRow+` === 1`, "the focus in the second row after j, j, j and k")
	const checked = `document.querySelectorAll('tbody tr')[1].querySelector('input').checked`
	x.do(chromedp.KeyEvent("x"))
	x.holds(checked, "that x selects the row")
	x.holds(`document.querySelector('#bulk output').textContent === '1 selected'`, "that the selection is counted")
	x.do(chromedp.KeyEvent("x"))
	x.holds("!"+checked, "that a second x undoes it")
	x.do(chromedp.Navigate(x.base+"/batches"), chromedp.KeyEvent("j"))
	x.holds(focusedRow+` === 0`, "that j finds the rows of every list")
	x.stays(chromedp.KeyEvent("x"))
	batch := evaluate[string](x, `document.activeElement.pathname`)
	x.follow(chromedp.KeyEvent(kb.Enter))
	x.at(batch)
	x.follow(chromedp.KeyEvent(kb.Escape))
	x.at("/batches")
}

func testTypedKeys(x *tab) {
	x.do(chromedp.Navigate(x.base+"/"), chromedp.KeyEvent("/"))
	x.holds(`document.activeElement.id === 'find'`, "the focus in the search of the frame")
	x.stays(chromedp.KeyEvent("gc?jx/"))
	// chromedp types the first / too: it sends the character of a key on its own, even if a script prevents the key.
	x.holds(`document.activeElement.value.endsWith('gc?jx/')`, "that keys are typed into the field")
	x.holds(`!document.getElementById('keys').open`, "no list of keys")
	x.do(chromedp.KeyEvent(kb.Escape))
	x.holds(`document.activeElement === document.body`, "that Escape leaves the field")
	x.do(chromedp.Navigate(x.base+"/cards"), chromedp.KeyEvent("/"))
	x.holds(`document.activeElement.id === 'q'`, "the focus in the search of the page")
	x.do(chromedp.Navigate(x.base+"/"), chromedp.KeyEvent("/"))
	x.follow(chromedp.KeyEvent("fox" + kb.Enter))
	x.at("/search")
}

func testKeyDialog(x *tab) {
	const isOpen = `document.getElementById('keys').open`
	x.do(chromedp.Navigate(x.base+"/batches"), chromedp.KeyEvent("?"))
	x.holds(isOpen, "that ? shows the list of keys")
	x.holds(`document.activeElement.textContent === 'Close'`, "the focus on the button that closes it")
	x.stays(chromedp.KeyEvent("gcj"))
	x.do(chromedp.KeyEvent(kb.Escape))
	x.holds("!"+isOpen, "that Escape closes it")
	x.at("/batches")
	x.stays(chromedp.Click(chromedp.CSS("a[data-keys]")))
	x.holds(isOpen, "that the link shows it too")
	x.do(chromedp.Click(chromedp.CSS("#keys button")))
	x.holds("!"+isOpen, "that the button closes it")
	x.follow(chromedp.KeyEvent("gc"))
}

// Escape does not lose what was typed into a form that changes something.
func testEscape(x *tab) {
	x.do(chromedp.Navigate(x.base + "/cards"))
	card := evaluate[string](x, `document.querySelector('tbody th a').href`)
	x.do(chromedp.Navigate(card))
	x.follow(chromedp.KeyEvent(kb.Escape))
	x.at("/cards")
	x.do(chromedp.Navigate(card))
	x.do(chromedp.SendKeys(chromedp.ID("c-location"), "Box 9"))
	x.stays(chromedp.KeyEvent(kb.Escape + kb.Escape))
	x.do(chromedp.Navigate(x.base + "/sales/new"))
	x.until(`document.activeElement.id === 'q'`) // the browser focuses it some time after it has loaded the page
	x.stays(chromedp.KeyEvent(kb.Escape))
	x.holds(`document.activeElement === document.body`, "that Escape leaves the field")
	x.follow(chromedp.KeyEvent(kb.Escape))
	x.at("/sales")
	x.stays(chromedp.KeyEvent(kb.Escape))
}

func testBar(x *tab) {
	x.do(chromedp.Navigate(x.base + "/sales"))
	x.holds(`!document.querySelector('.side nav').checkVisibility()`, "no second navigation")
	x.holds(`[...document.querySelectorAll('.bar-nav li > a, .bar-nav label')].length === 5`, "five items")
	x.holds(`[...document.querySelectorAll('.bar-nav li > a, .bar-nav label')].every((item) => {
		const { width, height } = item.getBoundingClientRect()
		return width >= 44 && height >= 44
	})`, "items of at least 44 pixels")
	x.holds(`Math.abs(document.querySelector('.bar-nav').getBoundingClientRect().bottom - innerHeight) < 1`,
		"the bar at the bottom")
	x.holds(`(scrollTo(0, document.body.scrollHeight), true) && (() => {
		const top = (name) => document.querySelector(name).getBoundingClientRect().top
		const bottom = (name) => document.querySelector(name).getBoundingClientRect().bottom
		return bottom('main') <= top('.main-action') && bottom('.main-action') <= top('.bar-nav') + 1
	})()`, "the action above the bar, and neither above the end of the page")
	for _, path := range []string{"/cards", "/review", "/more", "/"} {
		x.follow(chromedp.Click(chromedp.CSS(`.bar-nav a[href="` + path + `"]`)))
		x.at(path)
		x.holds(`document.querySelector('.bar-nav [aria-current=page]').pathname === location.pathname`, "it marked")
	}
	x.follow(chromedp.Click(chromedp.CSS(`.bar-nav a[href="/more"]`)))
	x.follow(chromedp.Click(chromedp.CSS(`main a[href="/settings/users"]`)))
	x.at("/settings/users")
}

// testScan takes a photo with the bar. With scripts it is sent at once.
func testScan(x *tab) {
	photo := filepath.Join(x.t.TempDir(), "camera.jpg")
	file, err := os.Create(photo)
	if err != nil {
		x.t.Fatal(err)
	}
	picture := image.NewGray(image.Rect(0, 0, 640, 890))
	picture.Pix[0] = byte(len(x.view.name)) // a photo that no other test has sent
	if err := jpeg.Encode(file, picture, nil); err != nil {
		x.t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		x.t.Fatal(err)
	}
	x.do(chromedp.Navigate(x.base + "/sales"))
	x.holds(`!document.querySelector('.scan button').checkVisibility()`, "no button before the photo is taken")
	choose := chromedp.SetUploadFiles(chromedp.ID("scan"), []string{photo})
	if x.view.scripts {
		x.follow(choose)
	} else {
		x.do(choose)
		x.follow(chromedp.Click(chromedp.CSS(".scan button")))
	}
	x.at("/import/photos")
	x.holds(`document.querySelectorAll('main .results a[href^="/cards/card_"]').length === 1`, "a link to the new card")
}

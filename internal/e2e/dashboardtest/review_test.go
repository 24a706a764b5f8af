package dashboardtest

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/cardvault/cardvault/internal/demo"
)

// What scripts add to the page review: photos are zoomed, moved and turned, the search shows results while the reader
// types, and a swipe skips. Without scripts, a link opens the photo and a form searches.
func testReview(t *testing.T, b *browser) {
	desktop := view{width: 1280, height: 900, scripts: true}
	phone := view{width: 390, height: 844, scripts: true, phone: true}
	for _, test := range []struct {
		name string
		view view
		run  func(t *testing.T, x *tab)
	}{
		{"zooms", desktop, testZoom},
		{"zooms to the number", desktop, testNumber},
		{"moves", desktop, testMove},
		{"turns", desktop, testTurn},
		{"zooms by touch", phone, testTouch},
		{"searches", desktop, testSearch},
		{"swipes", phone, testSwipe},
		{"keeps", desktop, testKeep},
		{"without scripts", view{width: 1280, height: 900}, testWithoutScripts},
	} {
		t.Run(test.name, func(t *testing.T) {
			x := b.open(t, test.view, true)
			x.do(chromedp.Navigate(x.base+"/review"), chromedp.WaitVisible(chromedp.CSS(".frame img")))
			test.run(t, x)
			x.wantQuiet()
		})
	}
}

// wantQuiet checks that the console is empty.
func (x *tab) wantQuiet() {
	x.t.Helper()
	for _, message := range x.messages() {
		x.t.Error(message)
	}
}

// wantPhoto checks the scale of the photo in percent and its turn in degrees.
func (x *tab) wantPhoto(when string, scale, turn int) {
	x.t.Helper()
	at := evaluate[[]int](x, `(() => {
		const m = new DOMMatrix(getComputedStyle(document.querySelector('.frame img')).transform)
		return [Math.round(100 * Math.hypot(m.a, m.b)), Math.round(Math.atan2(m.b, m.a) * 180 / Math.PI)]
	})()`)
	if at[0] != scale || at[1] != turn {
		x.t.Errorf("%s the photo is at %d %%, turned by %d°, want %d %% and %d°", when, at[0], at[1], scale, turn)
	}
}

// middle returns the middle of the frame of the photo in the window.
func (x *tab) middle() (across, down float64) {
	x.t.Helper()
	at := evaluate[[]float64](x, `(() => {
		scrollTo(0, 0)
		const box = document.querySelector('.frame').getBoundingClientRect()
		return [box.left + box.width / 2, box.top + box.height / 2]
	})()`)
	return at[0], at[1]
}

// inMiddle returns which part of the photo is in the middle of the frame, in percent from its left and its top.
func (x *tab) inMiddle() (across, down int) {
	x.t.Helper()
	at := evaluate[[]int](x, `(() => {
		const frame = document.querySelector('.frame').getBoundingClientRect()
		const photo = document.querySelector('.frame img').getBoundingClientRect()
		return [Math.round(100 * (frame.left + frame.width / 2 - photo.left) / photo.width),
			Math.round(100 * (frame.top + frame.height / 2 - photo.top) / photo.height)]
	})()`)
	return at[0], at[1]
}

// jsString returns a string of JavaScript.
func jsString(text string) string { return strconv.Quote(text) }

// testKeep presses Enter in a field, which must not take a candidate.
func testKeep(_ *testing.T, x *tab) {
	card := evaluate[string](x, `document.querySelector('[name=card]').value`)
	x.follow(chromedp.SendKeys(chromedp.ID("location"), "Box 5"+kb.Enter))
	x.holds(`document.querySelector('[name=card]').value === `+jsString(card), "the same card")
	x.holds(`document.getElementById('location').value === 'Box 5'`, "the location")
}

func testZoom(_ *testing.T, x *tab) {
	across, down := x.middle()
	wheel := func(delta float64) {
		call(x, input.DispatchMouseEvent, input.DispatchMouseEventParams{
			Type: input.DispatchMouseEventTypeMouseWheel, X: across, Y: down, DeltaX: 1, DeltaY: delta,
		})
	}
	x.wantPhoto("at first", 100, 0)
	wheel(-100)
	x.wantPhoto("after the wheel", 125, 0)
	wheel(100)
	x.wantPhoto("after the wheel backwards", 100, 0)
	x.do(chromedp.MouseClickXY(across, down))
	x.wantPhoto("after a click", 250, 0)
	pressed := evaluate[string](x, `document.querySelector('[data-view="zoom"]').getAttribute('aria-pressed')`)
	if pressed != "true" {
		x.t.Errorf("the button of the zoom is %q, want it pressed", pressed)
	}
	x.do(chromedp.KeyEvent("z"))
	x.wantPhoto("after the key z", 100, 0)
	x.do(chromedp.Click(chromedp.CSS(`[data-view="zoom"]`)))
	x.wantPhoto("after the button", 250, 0)
}

func testNumber(t *testing.T, x *tab) {
	for _, want := range []int{25, 75, 25} {
		x.do(chromedp.KeyEvent("n"))
		across, down := x.inMiddle()
		if across != want || down < 80 {
			t.Errorf("the middle shows %d %%, %d %% of the photo, want the foot at %d %%", across, down, want)
		}
	}
	x.do(chromedp.KeyEvent("rr"), chromedp.KeyEvent("n")) // upside down
	if across, down := x.inMiddle(); across != 25 || down > 20 {
		t.Errorf("the middle shows %d %%, %d %% of the turned photo, want its foot", across, down)
	}
}

func testMove(t *testing.T, x *tab) {
	x.do(chromedp.KeyEvent("z"))
	across, down := x.middle()
	mouse := func(kind input.DispatchMouseEventType, by float64) chromedp.Action[chromedp.Void] {
		return chromedp.MouseEvent(kind, across+by, down+by, chromedp.ButtonLeft, chromedp.ClickCount(1))
	}
	x.do(mouse(input.DispatchMouseEventTypeMousePressed, 0), mouse(input.DispatchMouseEventTypeMouseMoved, 50),
		mouse(input.DispatchMouseEventTypeMouseReleased, 50))
	left, top := x.inMiddle()
	if left >= 50 || top >= 50 {
		t.Errorf("after a drag the middle shows %d %%, %d %%, want less than 50 %%", left, top)
	}
	x.wantPhoto("after a drag", 250, 0)
	x.do(chromedp.Focus(chromedp.CSS(`[data-view="zoom"]`)), chromedp.KeyEvent(kb.ArrowRight+kb.ArrowDown))
	if across, down := x.inMiddle(); across <= left || down <= top {
		t.Errorf("after the arrow keys the middle shows %d, %d, want more than %d, %d", across, down, left, top)
	}
}

func testTurn(_ *testing.T, x *tab) {
	fits := evaluate[int](x, `(() => {
		const [photo, frame] = [document.querySelector('.frame img'), document.querySelector('.frame')]
		return Math.round(100 * Math.min(1, frame.clientWidth / photo.offsetHeight,
			frame.clientHeight / photo.offsetWidth))
	})()`)
	if fits >= 100 {
		x.t.Errorf("a turned photo fits at %d %%, want a frame that it exceeds", fits)
	}
	for _, want := range [][2]int{{fits, 90}, {100, 180}, {fits, -90}, {100, 0}} {
		x.do(chromedp.KeyEvent("r"))
		x.wantPhoto("after the key r", want[0], want[1])
	}
	x.do(chromedp.Click(chromedp.CSS(`[data-view="turn"]`)))
	x.wantPhoto("after the button", fits, 90)
}

func testTouch(_ *testing.T, x *tab) {
	across, down := x.middle()
	x.do(chromedp.TapXY(across, down))
	x.wantPhoto("after a tap", 250, 0)
	x.do(chromedp.TapXY(across, down))
	x.wantPhoto("after a second tap", 100, 0)
}

func testSearch(t *testing.T, x *tab) {
	name := demo.Drawings()[5].Art.Name
	before := evaluate[string](x, `location.href`)
	x.do(
		chromedp.KeyEvent("/"), chromedp.KeyEvent(name[:4]),
		chromedp.WaitVisible(chromedp.CSS(`#found .candidate`)),
	)
	found := evaluate[string](x, `document.querySelector('#found').innerText`)
	if !strings.Contains(found, name) {
		t.Errorf("after %q the results are %q, want %q", name[:4], found, name)
	}
	if at := evaluate[string](x, `document.activeElement.id + ' ' + location.href`); at != "q "+before {
		t.Errorf("after the search the focus and the address are %s, want q %s", at, before)
	}
	x.do(chromedp.KeyEvent("xyzzy"), chromedp.WaitVisible(chromedp.CSS(`#found p`)))
}

// swipe moves a finger from a point of the window.
func swipe(fromX, fromY, byX, byY float64) chromedp.Action[chromedp.Void] {
	from, to := &input.TouchPoint{X: fromX, Y: fromY}, &input.TouchPoint{X: fromX + byX, Y: fromY + byY}
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		for _, touch := range []input.DispatchTouchEventParams{
			{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{from}},
			{Type: input.DispatchTouchEventTypeTouchMove, TouchPoints: []*input.TouchPoint{to}},
			{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}},
		} {
			if _, err := cdp.Call(ctx, t, input.DispatchTouchEvent, touch); err != nil {
				return err
			}
		}
		return nil
	})
}

func testSwipe(t *testing.T, x *tab) {
	across, down := x.middle()
	x.do(chromedp.Evaluate[chromedp.Void](`globalThis.sent = []
		document.addEventListener('submit', (event) => {
			sent.push(event.submitter.getAttribute('formaction'))
			event.preventDefault()
		})`))
	sent := func(gesture chromedp.Action[chromedp.Void]) string {
		t.Helper()
		x.do(gesture)
		return evaluate[string](x, `sent.splice(0).join()`)
	}
	x.do(chromedp.KeyEvent("z"))
	if got := sent(swipe(across+80, down, -160, 0)); got != "" {
		t.Errorf("moving the zoomed photo sends %s", got)
	}
	x.do(chromedp.KeyEvent("z"))
	for what, gesture := range map[string]chromedp.Action[chromedp.Void]{
		"a swipe to the right": swipe(across-80, down, 160, 0),
		"a short swipe":        swipe(across, down, -60, 0),
		"a diagonal swipe":     swipe(across+80, down, -160, 100),
	} {
		if got := sent(gesture); got != "" {
			t.Errorf("%s sends %s", what, got)
		}
	}
	if got := sent(swipe(across+80, down, -160, 10)); got != "/review/skip" {
		t.Errorf("a swipe to the left sends %q, want /review/skip", got)
	}
	x.do(chromedp.Navigate(x.base+"/review"), chromedp.WaitVisible(chromedp.CSS(".frame img")))
	card := `document.querySelector('input[name=card]').value`
	first := evaluate[string](x, card)
	x.follow(swipe(across+80, down, -160, 0))
	if next := evaluate[string](x, card); next == first {
		t.Error("after a swipe to the left the page shows the same card")
	}
}

func testWithoutScripts(t *testing.T, x *tab) {
	if evaluate[bool](x, `document.querySelector('.tools').checkVisibility({ visibilityProperty: true })`) {
		t.Error("the page shows buttons that need scripts")
	}
	name := demo.Drawings()[5].Art.Name
	x.do(chromedp.SendKeys(chromedp.ID("q"), name))
	x.follow(chromedp.Submit(chromedp.ID("q")))
	if found := run(x, chromedp.Text(chromedp.ID("found"))); !strings.Contains(found, name) {
		t.Errorf("the results are %q, want %q", found, name)
	}
	x.wantQuiet()
	x.follow(chromedp.Click(chromedp.CSS(".frame a")))
	x.messages() // of Chromium's own page around a photo
	if path := evaluate[string](x, `location.pathname`); !strings.HasPrefix(path, "/photos/") {
		t.Errorf("the link around the photo leads to %s", path)
	}
}

package dashboardtest

import (
	"context"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// stepTime is the maximum time of one step in the browser. The machine may be busy with other tests.
const stepTime = time.Minute

// browser is Chromium with a session of the demo's owner.
type browser struct {
	service *service
	in, out context.Context // of tabs with and without the session
}

// launch starts Chromium with a profile of its own and closes it when the test ends.
func launch(t testing.TB, s *service) *browser {
	t.Helper()
	program, err := exec.LookPath("chromium-headless-shell")
	if err != nil {
		t.Fatal("chromium-headless-shell is missing: run scripts/install.sh test")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program),
		chromedp.UserDataDir(t.TempDir()), chromedp.DisableGPU)
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	in, closeIn := chromedp.NewContext(allocator)
	t.Cleanup(closeIn)
	if err := chromedp.Do(in); err != nil {
		t.Fatalf("start chromium: %v", err)
	}
	out, closeOut := chromedp.NewContext(in, chromedp.WithNewBrowserContext())
	t.Cleanup(closeOut)
	if err := chromedp.Do(out); err != nil {
		t.Fatalf("open a second profile: %v", err)
	}
	return &browser{s, in, out}
}

// tab is a tab of the browser.
type tab struct {
	t       testing.TB
	ctx     context.Context
	base    string
	view    view
	console *console
}

// open opens a tab, with the owner's session or without one.
func (b *browser) open(t testing.TB, v view, session bool) *tab {
	t.Helper()
	parent := b.out
	if session {
		parent = b.in
	}
	ctx, closeTab := chromedp.NewContext(parent)
	t.Cleanup(closeTab)
	x := &tab{t: t, ctx: ctx, base: b.service.base, view: v}
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("open a tab: %v", err)
	}
	x.console = listen(t, ctx)
	var phone []chromedp.EmulateViewportOption
	if v.phone {
		phone = append(phone, chromedp.EmulateMobile, chromedp.EmulateTouch)
	}
	colours := "light"
	if v.dark {
		colours = "dark"
	}
	x.do(chromedp.EmulateViewport(v.width, v.height, phone...))
	call(x, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: colours}},
	})
	call(x, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	call(x, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !v.scripts})
	return x
}

// with returns the tab for a subtest.
func (x *tab) with(t testing.TB) *tab {
	copied := *x
	copied.t = t
	return &copied
}

// do runs steps that return nothing.
func (x *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	x.t.Helper()
	run(x, chromedp.Steps(steps...))
}

// run runs an action and returns its value.
func run[T any](x *tab, action chromedp.Action[T]) T {
	x.t.Helper()
	ctx, cancel := context.WithTimeout(x.ctx, stepTime)
	defer cancel()
	value, err := chromedp.Run(ctx, action)
	if err != nil {
		x.t.Fatal(err)
	}
	return value
}

// call sends a command of the DevTools protocol.
func call[P, R any](x *tab, command cdp.Command[P, R], parameters P) {
	x.t.Helper()
	if _, err := chromedp.Call(x.ctx, command, parameters); err != nil {
		x.t.Fatal(err)
	}
}

// evaluate returns the value of a JavaScript expression in the page.
func evaluate[T any](x *tab, expression string) T {
	x.t.Helper()
	return run(x, chromedp.Evaluate[T](expression, awaited))
}

// console reads what a tab writes to its console.
type console struct {
	next    func() (chromedp.ConsoleMessage, error, bool)
	markers int
}

func listen(t testing.TB, ctx context.Context) *console {
	next, stop := iter.Pull2(chromedp.Console(ctx))
	t.Cleanup(stop)
	return &console{next: next}
}

// messages returns what the tab has written to its console since the last call. A message of its own marks the end.
func (x *tab) messages() (all []string) {
	x.t.Helper()
	x.console.markers++
	marker := fmt.Sprint("marker ", x.console.markers)
	x.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf("console.debug(%q)", marker)))
	for {
		message, err, ok := x.console.next()
		if err != nil || !ok {
			x.t.Fatalf("read the console: %v", err)
		}
		if message.Text == marker {
			return all
		}
		all = append(all, fmt.Sprintf("console: %s %s", message.Type, message.Text))
	}
}

// screenshot writes a picture of the whole page, if a folder for pictures is set.
func (x *tab) screenshot(p page) {
	x.t.Helper()
	folder := os.Getenv("CARDVAULT_TEST_SCREENSHOTS")
	if folder == "" {
		return
	}
	picture := run(x, chromedp.FullScreenshot(100))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		x.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, p.name+"-"+x.view.name+".png"), picture, 0o644); err != nil {
		x.t.Fatal(err)
	}
	if p.guide && x.view.name == guideView {
		x.guidePicture(p, filepath.Join(folder, "guide"))
	}
}

// guideView is the view that the dashboard's guide shows.
const guideView = "desktop-light"

// guidePicture writes a picture of the visible part of the page for the guide, as WebP, which is a third of PNG.
func (x *tab) guidePicture(p page, folder string) {
	x.t.Helper()
	picture, err := chromedp.Call(x.ctx, cdppage.CaptureScreenshot, cdppage.CaptureScreenshotParams{
		Format: cdppage.CaptureScreenshotFormatWebp, Quality: new(int64(75)),
	})
	if err != nil {
		x.t.Fatal(err)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		x.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, p.name+".webp"), picture.Data, 0o644); err != nil {
		x.t.Fatal(err)
	}
}

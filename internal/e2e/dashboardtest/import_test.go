package dashboardtest

import (
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// loseConnection is an expression that loses the first request of a page on its way, and the answer of the second.
const loseConnection = `(() => {
	const send = fetch
	globalThis.requests = 0
	globalThis.fetch = async (...request) => {
		const number = ++globalThis.requests
		if (number === 1) throw new TypeError('Failed to fetch')
		const response = await send(...request)
		if (number === 2) throw new TypeError('Failed to fetch')
		return response
	}
})()`

// Photos are sent again after a lost connection, and no card is created twice.
func testImport(t *testing.T, b *browser) {
	x := b.open(t, desk, true)
	const location = "Box of the lost connection"
	x.do(
		chromedp.Navigate(x.base+"/import"),
		chromedp.Evaluate[chromedp.Void](loseConnection),
		chromedp.SetUploadFiles(chromedp.ID("files"), photosOf(t, 3)),
		chromedp.SetValue(chromedp.CSS("#photo-import [name=location]"), location),
		chromedp.Click(chromedp.CSS("[form=photo-import]")),
		chromedp.Poll[chromedp.Void](`document.querySelector('.sending p').textContent === 'Done: 3 photos.'`),
	)
	x.holds(`globalThis.requests === 3`, "two repetitions of the request")
	x.holds(`document.querySelectorAll('.results a').length === 3`, "a link to each card")
	if made := b.service.program(t).list("/cards?location=" + url.QueryEscape(location)); len(made) != 3 {
		t.Errorf("got %d cards of 3 photos", len(made))
	}
	x.wantQuiet()
}

// photosOf writes different photos and returns their paths.
func photosOf(t testing.TB, n int) (paths []string) {
	t.Helper()
	folder := t.TempDir()
	for i := range n {
		picture := image.NewGray(image.Rect(0, 0, 320, 445))
		picture.SetGray(i, 0, color.Gray{Y: 255})
		path := filepath.Join(folder, fmt.Sprintf("photo-%d.jpg", i))
		file, err := os.Create(path)
		if err == nil {
			err = jpeg.Encode(file, picture, nil)
		}
		if err == nil {
			err = file.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

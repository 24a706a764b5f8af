package processtest

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// maxGrowth is the resident memory in bytes that the worst bodies may add to a server.
const maxGrowth = 150 << 20

// smallHeap is the GOGC of the servers, so that their memory is about twice what is in use. By default a server lets
// the heap grow to 256 MiB before it collects more often.
const smallHeap = "100"

// status returns a field of the process's /proc/PID/status in bytes: "VmRSS", or its peak "VmHWM".
func (p *server) status(name string) int64 {
	p.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^` + name + `:\s+(\d+) kB$`).FindSubmatch(text)
	if found == nil {
		p.t.Fatalf("%s is not in %s", name, text)
	}
	kilobytes, err := strconv.ParseInt(string(found[1]), 10, 64)
	if err != nil {
		p.t.Fatal(err)
	}
	return kilobytes << 10
}

// growth runs do and returns the growth in bytes of the process's resident memory, from before do to the peak.
func (p *server) growth(do func()) int64 {
	p.t.Helper()
	before := p.status("VmRSS")
	const resetPeak = "5" // sets VmHWM to VmRSS
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.process.Pid), []byte(resetPeak), 0); err != nil {
		p.t.Fatal(err)
	}
	do()
	return p.status("VmHWM") - before
}

// hostileBody is a body of the maximum size, or a larger one, and the response to it.
type hostileBody struct {
	name, body string
	status     int
	code       string // of the error, "" for a success; for a photo its media type
}

// fill returns a text of about 7 MiB: start, then unit repeatedly, then end.
func fill(start, unit, end string) string {
	const size = 7 << 20
	return start + strings.TrimSuffix(strings.Repeat(unit, (size-len(start)-len(end))/len(unit)), ",") + end
}

// numbered returns a text of about 7 MiB: start, then unit repeatedly, formatted with the numbers from 0, then end.
func numbered(start, unit, end string) string {
	var text strings.Builder
	text.WriteString(start)
	for n := 0; text.Len() < 7<<20; n++ {
		fmt.Fprintf(&text, unit, n)
	}
	return strings.TrimSuffix(text.String(), ",") + end
}

// cards returns a body of 500 cards.
func cards(card string) string { return `{"cards":[` + strings.Repeat(card+",", 499) + card + `]}` }

func hostileBodies() []hostileBody {
	wrong := `{"batch_id":1,"identify":1,"location":1,"notes":1,"sku":1,` +
		`"photos":[{"role":1,"url":1},{"role":1,"url":1},{"role":1,"url":1}],` +
		`"identification":{"catalog_id":1,"condition":1,"game":1,` +
		`"grade":{"cert_number":1,"company":1,"value":1},"language":1,"number":1,"set":1,` +
		`"title":1,"variant":1,"year":"x"},` +
		`"pricing":{"asking_price":{"amount":"x","currency":1},"cost":{"amount":"x","currency":1}}}`
	longNotes := `{"notes":"` + strings.Repeat("x", 4000) + `"}`
	largest := `{"notes":"` + strings.Repeat("é", 4000) + `","location":"` + strings.Repeat("ü", 200) + `"}`
	longName := `"` + strings.Repeat("n", 100_000) + `%d":1,`
	return []hostileBody{
		{"tiny objects", fill(`{"cards":[`, `{"x":1},`, `]}`), 400, "invalid_request"},
		{"empty objects", fill(`{"cards":[`, `{},`, `]}`), 400, "invalid_request"},
		{"empty arrays", fill(`{"cards":[`, `[],`, `]}`), 400, "invalid_request"},
		{"numbers", fill(`{"cards":[`, `1,`, `]}`), 400, "invalid_request"},
		{"arrays in an array", fill(`{"cards":[`, `[[[[[[]]]]]],`, `]}`), 400, "invalid_request"},
		{"unknown names", numbered(`{"cards":[{`, `"%d":1,`, `}]}`), 400, "invalid_request"},
		{"unknown names of the body", numbered(`{"cards":[{}],`, `"%d":1,`, `}`), 400, "invalid_request"},
		{"unknown names inside an unknown value", numbered(`{"x":{`, `"%d":[{}],`, `}}`), 400, "invalid_request"},
		{"long unknown names", numbered(`{"cards":[{`, longName, `}]}`), 400, "invalid_request"},
		{"duplicate names", fill(`{"cards":[{`, `"notes":"",`, `}]}`), 400, "invalid_json"},
		{"deep nesting", fill(`{"cards":`, `[`, ``), 400, "invalid_json"},
		{"a long string", fill(`{"cards":[{"notes":"`, `x`, `"}]}`), 400, "invalid_request"},
		{"escapes", fill(`{"cards":[{"notes":"`, `\u00e9`, `"}]}`), 400, "invalid_request"},
		{"a long number", fill(`{"cards":[{"identification":{"year":`, `1`, `}}]}`), 400, "invalid_request"},
		{"white space", fill(``, ` `, `{}`), 400, "invalid_request"},
		{"truncated", fill(`{"cards":[`, `{"notes":"x"},`, ``), 400, "invalid_json"},
		{"many wrong fields", cards(wrong), 400, "invalid_request"},
		{"one card too many", strings.Replace(cards(longNotes), `[`, `[{},`, 1), 400, "invalid_request"},
		{"the largest import", cards(largest), 201, ""},
		{"above the limit", strings.Repeat(" ", 9<<20), 413, "payload_too_large"},
	}
}

// The server receives the worst bodies concurrently, with one token.
func TestServer_HostileBodiesTakeLittleMemory(t *testing.T) {
	t.Parallel()
	s := newSettings(t, pgtest.URL(t)).with("GOGC", smallHeap)
	owner := s.account(t)
	server := s.serve(t, "--no-workers")
	c := owner.at(server)
	c.do("GET", "/cards", "", http.StatusOK, nil)
	bodies := hostileBodies()
	grown := server.growth(func() {
		var sending sync.WaitGroup
		for _, hostile := range bodies {
			sending.Go(func() { c.sendHostile(hostile) })
		}
		sending.Wait()
	})
	t.Logf("%d bodies took %d MiB of resident memory", len(bodies), grown>>20)
	if grown > maxGrowth {
		t.Errorf("%d bodies took %d MiB of resident memory, want at most %d", len(bodies), grown>>20, maxGrowth>>20)
	}
	c.do("GET", "/cards", "", http.StatusOK, nil)
}

// hostilePhotos returns photos whose decoding takes as much memory as is allowed, each for another reason.
func hostilePhotos(t *testing.T) []hostileBody {
	t.Helper()
	var large, flat, transparent, noise strings.Builder
	noisy := image.NewRGBA(image.Rect(0, 0, 2200, 1600))
	for i := range noisy.Pix {
		noisy.Pix[i] = byte(rand.Uint32()) | 1
	}
	clear := image.NewNRGBA(image.Rect(0, 0, 4900, 4900))
	clear.Pix[3] = 1 // a visible pixel, so that the encoder keeps the transparency
	whole := image.Rect(0, 0, 8100, 8100)
	pixels := func(name string) string { // 12 megapixels without tiles
		data, err := os.ReadFile("../../photos/heif/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if err := errors.Join(
		jpeg.Encode(&large, image.NewYCbCr(whole, image.YCbCrSubsampleRatio420), nil),
		png.Encode(&flat, image.NewPaletted(whole, color.Palette{color.Black, color.White})),
		png.Encode(&transparent, clear), png.Encode(&noise, noisy),
	); err != nil {
		t.Fatal(err)
	}
	return []hostileBody{
		{"many pixels", large.String(), 200, "image/jpeg"},
		{"many pixels in few bytes", flat.String(), 200, "image/png"},
		{"four bytes a pixel", transparent.String(), 200, "image/png"},
		{"many bytes", noise.String(), 200, "image/png"},
		{"many pixels of HEVC", pixels("flat.heic"), 200, "image/heic"},
		{"many pixels of AV1", pixels("flat.avif"), 200, "image/avif"},
	}
}

// The server receives eight of the worst photos concurrently.
func TestServer_HostilePhotosTakeLittleMemory(t *testing.T) {
	t.Parallel()
	s := newSettings(t, pgtest.URL(t)).with("GOGC", smallHeap)
	owner := s.account(t)
	server := s.serve(t, "--no-workers")
	c := owner.at(server)
	photos, made := hostilePhotos(t), c.create(8)
	grown := server.growth(func() {
		var sending sync.WaitGroup
		for i, card := range made {
			photo := photos[i%len(photos)]
			sending.Go(func() {
				got, err := c.try("PUT", "/cards/"+card.ID+"/photos/front", photo.body, "Content-Type", photo.code)
				if err != nil || got.status != photo.status {
					t.Errorf("%s: %d %.300s %v, want %d", photo.name, got.status, got.body, err, photo.status)
				}
			})
		}
		sending.Wait()
	})
	t.Logf("%d photos took %d MiB of resident memory", len(made), grown>>20)
	if grown > maxGrowth {
		t.Errorf("%d photos took %d MiB of resident memory, want at most %d", len(made), grown>>20, maxGrowth>>20)
	}
}

// sendHostile sends a body and checks the response.
func (c *client) sendHostile(hostile hostileBody) {
	got, err := c.try("POST", "/cards", hostile.body)
	if err != nil {
		c.t.Errorf("%s: %v", hostile.name, err)
		return
	}
	if code, _ := got.problem(); got.status != hostile.status || code != hostile.code {
		c.t.Errorf("%s: %d %.300s, want %d %s", hostile.name, got.status, got.body, hostile.status, hostile.code)
	}
}

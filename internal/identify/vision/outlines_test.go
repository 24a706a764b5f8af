package vision

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/cardvault/cardvault/internal/sharedtest"
)

// scene is a photo of several cards, and their outlines from top to bottom and from left to right.
type scene struct {
	photo *image.RGBA
	cards []quad
}

// framedCard is a card with a border, a picture and a box of text, as most games have them.
func framedCard(random *rand.Rand) *image.RGBA {
	const w, h = 315, 440
	card := image.NewRGBA(image.Rect(0, 0, w, h))
	shade := func() color.RGBA {
		return color.RGBA{uint8(random.IntN(256)), uint8(random.IntN(256)), uint8(random.IntN(256)), 255}
	}
	borders := []color.RGBA{{240, 210, 60, 255}, {20, 20, 22, 255}, {225, 225, 225, 255}, {150, 150, 160, 255}, shade()}
	fill(card, card.Rect, borders[random.IntN(len(borders))])
	fill(card, card.Rect.Inset(13), shade())
	art := image.Rect(25, 50, w-25, 230)
	fill(card, art, shade())
	for range 40 {
		x, y := art.Min.X+random.IntN(art.Dx()-20), art.Min.Y+random.IntN(art.Dy()-20)
		fill(card, image.Rect(x, y, x+8+random.IntN(50), y+8+random.IntN(50)).Intersect(art), shade())
	}
	text := image.Rect(25, 245, w-25, 415)
	fill(card, text, color.RGBA{235, 230, 215, 255})
	for y := text.Min.Y + 10; y < text.Max.Y-10; y += 14 {
		for x := text.Min.X + 8; x < text.Max.X-20; x += 12 {
			fill(card, image.Rect(x, y, x+4+random.IntN(7), y+6), color.RGBA{40, 40, 40, 255})
		}
	}
	return card
}

// place draws a card so that its corners are at q.
//
//go:norace
func place(photo, card *image.RGBA, q quad) {
	m := unitSquareTo(q)
	first, second := q.sides()
	step := 0.6 / max(first, second)
	for v := 0.0; v < 1; v += step {
		for u := 0.0; u < 1; u += step {
			depth := m[6]*u + m[7]*v + 1
			x, y := (m[0]*u+m[1]*v+m[2])/depth, (m[3]*u+m[4]*v+m[5])/depth
			at := card.RGBAAt(int(u*float64(card.Rect.Dx())), int(v*float64(card.Rect.Dy())))
			photo.SetRGBA(int(x), int(y), at)
		}
	}
}

// background fills the photo with a table: plain, with a gradient of light, of wood or of noisy cloth.
//
//go:norace
func background(photo *image.RGBA, kind int, random *rand.Rand) {
	base := [3]float64{}
	level := []float64{35, 225, 120}[random.IntN(3)]
	for c := range base {
		base[c] = level + float64(random.IntN(30)-15)
	}
	for y := range photo.Rect.Dy() {
		for x := range photo.Rect.Dx() {
			add := 0.0
			switch kind {
			case 1:
				add = 50 * (float64(x)/float64(photo.Rect.Dx()) - 0.5)
			case 2:
				add = 14 * math.Sin(float64(y)/9+3*math.Sin(float64(x)/200))
			case 3:
				add = float64(random.IntN(24)) - 12
			}
			at := photo.PixOffset(x, y)
			for c := range 3 {
				photo.Pix[at+c] = uint8(max(0, min(255, base[c]+add)))
			}
			photo.Pix[at+3] = 255
		}
	}
}

// seen returns the points of a plane of w × h as a camera sees them: turned, and with perspective.
func seen(w, h, degrees, depth float64) func(point) point {
	sine, cosine := math.Sincos(degrees * math.Pi / 180)
	return func(p point) point {
		x, y := p.x-w/2, p.y-h/2
		x, y = x*cosine-y*sine, x*sine+y*cosine
		far := 1 + depth*y/h
		return point{w/2 + x/far, h/2 + y/far}
	}
}

// newScene returns a grid of cards, or cards that lie loosely if loose is true.
func newScene(columns, rows int, loose bool, kind int, random *rand.Rand, face func() *image.RGBA) scene {
	const w, h = 1100.0, 1100.0
	s := scene{photo: image.NewRGBA(image.Rect(0, 0, w, h))}
	background(s.photo, kind, random)
	camera := seen(w, h, 8*(random.Float64()-0.5), 0.16*(random.Float64()-0.5))
	cell := point{w * 0.88 / float64(columns), h * 0.88 / float64(rows)}
	long := min(cell.y, cell.x/cardRatio) * (0.86 + 0.06*random.Float64())
	if loose {
		long = min(cell.x, cell.y) * 0.72
	}
	for row := range rows {
		for column := range columns {
			middle := point{w*0.06 + (float64(column)+0.5)*cell.x, h*0.06 + (float64(row)+0.5)*cell.y}
			angle := 0.0
			if loose {
				angle = random.Float64() * 2 * math.Pi
				middle = middle.plus(point{random.Float64() - 0.5, random.Float64() - 0.5}.times(0.08 * long))
			}
			sine, cosine := math.Sincos(angle)
			var corners quad
			for i, c := range []point{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
				x, y := c.x*long*cardRatio/2, c.y*long/2
				corners[i] = camera(middle.plus(point{x*cosine - y*sine, x*sine + y*cosine}))
			}
			place(s.photo, face(), corners)
			s.cards = append(s.cards, corners.upright())
		}
	}
	return s
}

// usable is how far the corners of an outline may be off, relative to the long side of the card. At 5 %, a crop has all
// text of the card.
const usable = 0.05

// hits returns how many of the cards were found with usable corners, and how many outlines are of no card.
func (s scene) hits(found []Outline) (right, wrong int) {
	taken := map[int]bool{}
	for _, one := range found {
		match := -1
		for i, card := range s.cards {
			if far := min(card.farFrom(one.corners), card.farFrom(halfTurned(one.corners))); far < usable && !taken[i] {
				match = i
			}
		}
		if match < 0 {
			wrong++
			continue
		}
		taken[match] = true
		right++
	}
	return right, wrong
}

func halfTurned(q quad) quad { return quad{q[2], q[3], q[0], q[1]} }

// The rates are those of 21 scenes: binder pages of 2 × 2 and 3 × 3 cards, rows, and trays of loose cards in any
// orientation. Single cards must not be split.
func TestOutlines_FindsCards(t *testing.T) {
	t.Parallel()
	layouts := []struct {
		columns, rows int
		loose         bool
	}{
		{3, 3, false}, {2, 2, false}, {4, 1, false}, {3, 3, true}, {2, 3, true}, {2, 2, true}, {4, 3, true},
		{1, 1, false},
	}
	var cards, right, wrong, scenes, split int
	for i := range 24 {
		layout := layouts[i%len(layouts)]
		random := rand.New(rand.NewPCG(uint64(i), 7))
		s := newScene(layout.columns, layout.rows, layout.loose, i/len(layouts)%4, random,
			func() *image.RGBA { return framedCard(random) })
		found := Outlines(s.photo)
		if len(s.cards) == 1 {
			if split++; len(found) > 0 {
				t.Errorf("scene %d: %d outlines on one card", i, len(found))
			}
			continue
		}
		hit, miss := s.hits(found)
		scenes, cards, right, wrong = scenes+1, cards+len(s.cards), right+hit, wrong+miss
		if hit < len(s.cards) || miss > 0 {
			t.Logf("scene %d %+v: %d of %d cards, %d others", i, layout, hit, len(s.cards), miss)
		}
	}
	t.Logf("%d of %d cards in %d scenes found, %d outlines of no card", right, cards, scenes, wrong)
	if float64(right) < 0.93*float64(cards) || wrong > cards/40 {
		t.Errorf("%d of %d cards found and %d outlines of no card, want at least 93 %% and 2.5 %%", right, cards, wrong)
	}
}

// Two pages of nine real cards, which were cut out of photos.
func TestOutlines_RealCards(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(sharedtest.Path(t, "data/photos"), "*.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	var faces []*image.RGBA
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		photo, err := Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		if best := Locate(photo)[0]; best.Score > 0.5 {
			faces = append(faces, Shrink(Straighten(photo, best), 440))
		}
		if len(faces) == 18 {
			break
		}
	}
	var cards, right, wrong int
	for i := 0; i+9 <= len(faces); i += 9 {
		random := rand.New(rand.NewPCG(uint64(i), 8))
		next := faces[i : i+9]
		s := newScene(3, 3, i%2 == 0, i/9%4, random, func() *image.RGBA {
			card := next[0]
			next = next[1:]
			return card
		})
		hit, miss := s.hits(Outlines(s.photo))
		cards, right, wrong = cards+9, right+hit, wrong+miss
	}
	t.Logf("%d of %d cards found, %d outlines of no card", right, cards, wrong)
	if cards != 18 || float64(right) < 0.85*float64(cards) {
		t.Errorf("%d of %d cards found, want at least 85 %% of 18", right, cards)
	}
}

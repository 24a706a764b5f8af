package vision

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"
)

// drawnCard is a picture with a card's proportions and enough detail to tell apart:
// a border, a frame and random blocks drawn from seed.
func drawnCard(seed uint64) *image.RGBA {
	const w, h = 630, 880
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	random := rand.New(rand.NewPCG(seed, 1))
	fill(m, m.Rect, color.RGBA{R: 240, G: 210, B: 60, A: 255})
	fill(m, m.Rect.Inset(28), color.RGBA{R: 120, G: 160, B: 200, A: 255})
	for range 60 {
		x, y := 40+random.IntN(w-200), 40+random.IntN(h-200)
		grey := uint8(random.IntN(256))
		block := image.Rect(x, y, x+20+random.IntN(140), y+20+random.IntN(140))
		fill(m, block, color.RGBA{R: grey, G: uint8(random.IntN(256)), B: grey, A: 255})
	}
	return m
}

func fill(m *image.RGBA, r image.Rectangle, c color.RGBA) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			m.SetRGBA(x, y, c)
		}
	}
}

// photographed puts a card onto a background so that its corners lie at q.
func photographed(card *image.RGBA, q quad, w, h int, background color.RGBA) *image.RGBA {
	photo := image.NewRGBA(image.Rect(0, 0, w, h))
	fill(photo, photo.Rect, background)
	m := unitSquareTo(q)
	cw, ch := float64(card.Rect.Dx()), float64(card.Rect.Dy())
	for v := 0.0; v < 1; v += 0.7 / float64(h) {
		for u := 0.0; u < 1; u += 0.7 / float64(w) {
			depth := m[6]*u + m[7]*v + 1
			x, y := (m[0]*u+m[1]*v+m[2])/depth, (m[3]*u+m[4]*v+m[5])/depth
			photo.SetRGBA(int(x), int(y), card.RGBAAt(int(u*cw), int(v*ch)))
		}
	}
	return photo
}

func TestLocate_FindsCard(t *testing.T) {
	t.Parallel()
	dark, light := color.RGBA{R: 40, G: 35, B: 30, A: 255}, color.RGBA{R: 235, G: 235, B: 240, A: 255}
	tests := []struct {
		name       string
		corners    quad
		background color.RGBA
	}{
		{"straight", quad{{300, 200}, {700, 200}, {700, 760}, {300, 760}}, dark},
		{"on a light table", quad{{300, 200}, {700, 200}, {700, 760}, {300, 760}}, light},
		{"tilted", quad{{380, 160}, {760, 250}, {640, 790}, {255, 700}}, dark},
		{"seen from below", quad{{330, 220}, {650, 220}, {720, 740}, {260, 740}}, light},
		{"small", quad{{500, 300}, {740, 300}, {740, 635}, {500, 635}}, dark},
		{"lying on its side", quad{{800, 250}, {800, 650}, {240, 650}, {240, 250}}, dark},
	}
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			card := drawnCard(uint64(i))
			corners := test.corners.scaled(0.6)
			photo := photographed(card, corners, 600, 576, test.background)
			found := Locate(photo)
			if far := found[0].Corners.farFrom(corners); far > 0.02 {
				t.Fatalf("corners are %.3f of the long side off: %v", far, found[0].Corners)
			}
			seen := Fingerprint(Straighten(photo, found[0]))
			if d := Distance(seen, Fingerprint(card)); d > 80 {
				t.Errorf("the straightened card is %d bits away from the flat one", d)
			}
		})
	}
}

func TestLocate_AcceptsCrop(t *testing.T) {
	t.Parallel()
	card := drawnCard(7)
	found := Locate(card)
	want := quad{{0, 0}, {630, 0}, {630, 880}, {0, 880}}
	for _, guess := range found {
		if guess.Corners.farFrom(want) < 0.01 {
			return
		}
	}
	t.Errorf("the whole picture is not among %v", found)
}

func TestLocate_AlwaysReturnsGuess(t *testing.T) {
	t.Parallel()
	for _, size := range []image.Point{{1, 1}, {3, 400}, {640, 20}, {50, 50}} {
		plain := image.NewRGBA(image.Rectangle{Max: size})
		found := Locate(plain)
		if len(found) == 0 || len(found) > maxHypotheses {
			t.Errorf("%v: %d hypotheses", size, len(found))
			continue
		}
		if got := Straighten(plain, found[0]).Rect.Size(); got != image.Pt(CardWidth, CardHeight) {
			t.Errorf("%v: straightened to %v", size, got)
		}
	}
}

func TestEnclosingQuad_IgnoresRoundedCorners(t *testing.T) {
	t.Parallel()
	var rounded []point
	for corner, centre := range []point{{190, 290}, {10, 290}, {10, 10}, {190, 10}} {
		for step := range 9 {
			angle := (float64(corner) + float64(step)/8) * math.Pi / 2
			rounded = append(rounded, point{centre.x + 10*math.Cos(angle), centre.y + 10*math.Sin(angle)})
		}
	}
	got, ok := enclosingQuad(convexHull(rounded))
	if !ok {
		t.Fatal("no quad")
	}
	want := quad{{0, 0}, {200, 0}, {200, 300}, {0, 300}}
	if far := got.upright().farFrom(want); far > 0.01 {
		t.Errorf("got %v", got.upright())
	}
}

func TestUprightOrder(t *testing.T) {
	t.Parallel()
	want := quad{{0, 0}, {63, 0}, {63, 88}, {0, 88}}
	for shift := range 4 {
		turned := quad{want[shift], want[(shift+1)%4], want[(shift+2)%4], want[(shift+3)%4]}
		mirrored := quad{turned[3], turned[2], turned[1], turned[0]}
		for _, q := range []quad{turned, mirrored} {
			if got := q.upright(); got != want {
				t.Errorf("%v became %v", q, got)
			}
		}
	}
}

func TestRegions(t *testing.T) {
	t.Parallel()
	rows := []string{
		"##..##",
		"#....#",
		"######",
		"......",
		".##...",
	}
	m := drawnMask(rows)
	got := m.regions(1)
	if len(got) != 2 || got[0].area != 12 || got[1].area != 2 {
		t.Fatalf("got %d regions: %+v", len(got), got)
	}
	if large := m.regions(3); len(large) != 1 {
		t.Errorf("got %d regions of 3 pixels and more", len(large))
	}
}

package vision

import (
	"image"
	"testing"
)

func TestAdaptive_FindsPrintInUnevenLight(t *testing.T) {
	t.Parallel()
	page := image.NewGray(image.Rect(0, 0, 200, 40))
	for y := range 40 {
		for x := range 200 {
			page.Pix[y*page.Stride+x] = uint8(50 + x) // light falls in from the right
			if y == 20 && x%20 == 10 {
				page.Pix[y*page.Stride+x] -= 30
			}
		}
	}
	got := Adaptive(page, 31, 12)
	for y := range 40 {
		for x := range 200 {
			print := y == 20 && x%20 == 10
			if dark := got.GrayAt(x, y).Y == 0; dark != print {
				t.Fatalf("at %d,%d: dark is %v", x, y, dark)
			}
		}
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		print [3]uint8
		want  bool
	}{
		"one shade":           {[3]uint8{}, true},
		"noise":               {[3]uint8{7, 7, 7}, true},
		"faded print":         {[3]uint8{8, 8, 8}, false},
		"a colour alone":      {[3]uint8{0, 0, 60}, false},
		"clear print on grey": {[3]uint8{90, 90, 90}, false},
	} {
		page := image.NewRGBA(image.Rect(0, 0, 50, 20)).SubImage(image.Rect(10, 5, 40, 15)).(*image.RGBA)
		for y := range 10 {
			for x := range 30 {
				copy(page.Pix[y*page.Stride+4*x:], []uint8{100, 100, 100, 255})
			}
		}
		for channel, lighter := range c.print {
			page.Pix[9*page.Stride+4*29+channel] += lighter // the last pixel
		}
		if got := Plain(page); got != c.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

func TestStretch_UsesWholeRange(t *testing.T) {
	t.Parallel()
	dull := image.NewGray(image.Rect(0, 0, 10, 10))
	for i := range dull.Pix {
		dull.Pix[i] = uint8(100 + i%50)
	}
	got := Stretch(dull)
	low, high := uint8(255), uint8(0)
	for _, v := range got.Pix {
		low, high = min(low, v), max(high, v)
	}
	if low != 0 || high != 255 {
		t.Errorf("from %d to %d", low, high)
	}
}

func TestStackAndCrop(t *testing.T) {
	t.Parallel()
	card := image.NewGray(image.Rect(0, 0, 100, 200))
	card.Pix[150*card.Stride+60] = 77
	part := Crop(card, Region{Left: 0.5, Top: 0.7, Right: 1, Bottom: 0.9}, 1)
	if part.Rect.Size() != image.Pt(50, 40) || part.GrayAt(10, 10).Y != 77 {
		t.Fatalf("cropped to %v", part.Rect)
	}
	if doubled := Crop(card, Region{Right: 1, Bottom: 0.1}, 2); doubled.Rect.Size() != image.Pt(200, 40) {
		t.Errorf("scaled to %v", doubled.Rect)
	}
	stack := Stack(part, Inverse(part))
	if stack.Rect.Size() != image.Pt(50+2*stackGap, 80+3*stackGap) {
		t.Fatalf("stacked to %v", stack.Rect)
	}
	if stack.GrayAt(stackGap+10, stackGap+10).Y != 77 || stack.GrayAt(stackGap+10, 2*stackGap+50).Y != 255-77 {
		t.Error("the parts are not where they should be")
	}
}

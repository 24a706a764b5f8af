package cardtext

import (
	"image"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/identify/ppocr"
)

// found returns a line that is not read, at a height of the page.
func found(y, width int) ppocr.Line { return ppocr.Line{Box: image.Rect(-width/2, y, width/2, y+20)} }

func TestNext(t *testing.T) {
	t.Parallel()
	lines := []ppocr.Line{
		found(-500, 100), found(-480, 400), // the name and a sentence in the head
		found(-100, 300), found(-50, 350), found(0, 60), found(50, 310), found(100, 90),
		found(450, 400), found(480, 120), // a sentence in the foot, and the number
	}
	want := [][]int{{0, 8}, {1, 7, 3}, {2, 4, 5, 6}, nil}
	for round, positions := range want {
		got := Next(lines)
		if diff := cmp.Diff(positions, got); diff != "" {
			t.Fatalf("round %d (-want +got):\n%s", round, diff)
		}
		for _, at := range got {
			lines[at].IsRead = true
		}
	}
	// Lines that tell which way up the text is were read before.
	for i := range lines {
		lines[i].IsRead = i == 0 || i == 8 || i == 2 || i == 3
	}
	if diff := cmp.Diff([]int{1}, Next(lines)); diff != "" {
		t.Errorf("after two long lines (-want +got):\n%s", diff)
	}
	if got := Next(nil); got != nil {
		t.Errorf("no lines: got %v, want none", got)
	}
}

func TestRegion(t *testing.T) {
	t.Parallel()
	placed := func(x, y, angle float64, isRead bool, text string) ppocr.Line {
		place := ppocr.Place{X: x, Y: y, Width: 100, Height: 20, Angle: angle}
		return ppocr.Line{Place: place, IsRead: isRead, Text: text, Confidence: 0.9}
	}
	got := Region([]ppocr.Line{
		placed(200, 300, 0, false, ""), placed(600, 800, math.Pi/2, true, "160/193"), placed(900, 900, 0, true, " "),
	})
	// From 150 to 610, and from 290 to 850, and 6 % of 561 more.
	if diff := cmp.Diff(image.Rect(150-33, 290-33, 611+33, 851+33), got); diff != "" {
		t.Errorf("Region (-want +got):\n%s", diff)
	}
	if got := Region(nil); !got.Empty() {
		t.Errorf("no lines: got %v, want an empty region", got)
	}
}

func TestMayHaveLabel(t *testing.T) {
	t.Parallel()
	lines := append(slabOf(nil)[:8], found(500, 100))
	if !MayHaveLabel(lines) {
		t.Error("label of PSA: got false")
	}
	if MayHaveLabel(append(slakoth("160/193", 1), found(500, 100))) {
		t.Error("card without a slab: got true")
	}
}

// Lines that are not read keep the places of the others, and are missing.
func TestFromLines_Partial(t *testing.T) {
	t.Parallel()
	whole, part := slakoth("160/193", 1), slakoth("160/193", 1)
	part[4].Text, part[4].IsRead = "", false
	want := FromLines(whole)
	got := FromLines(part)
	if !got.Partial || want.Partial {
		t.Errorf("partial: got %v, and %v for all lines", got.Partial, want.Partial)
	}
	if diff := cmp.Diff([][]string{want.Head, want.Foot}, [][]string{got.Head, got.Foot}); diff != "" {
		t.Errorf("head and foot (-want +got):\n%s", diff)
	}
	if len(got.Body) >= len(want.Body) {
		t.Errorf("body: got %v, want less than %v", got.Body, want.Body)
	}
	texture := FromLines([]ppocr.Line{{Text: "~", IsRead: true, Confidence: 0.2}})
	if texture.Partial || texture.Lines != nil {
		t.Errorf("texture: got %+v, want no text", texture)
	}
}

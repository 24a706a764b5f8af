package vision

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawnMask returns the mask of the pixels that are drawn as #.
func drawnMask(rows []string) mask {
	var on []bool
	for _, row := range rows {
		for _, c := range row {
			on = append(on, c == '#')
		}
	}
	return maskOf(len(rows[0]), len(rows), on)
}

// drawn is the reverse of drawnMask.
func (m mask) drawn() []string {
	rows := make([]string, m.h)
	for y := range rows {
		var row strings.Builder
		for x := range m.w {
			row.WriteByte(".#"[m.row(y)[x/wordBits]>>(x%wordBits)&1])
		}
		rows[y] = row.String()
	}
	return rows
}

// near returns the rows in which a pixel is marked if one within radius is.
func near(rows []string, radius int) []string {
	out := make([]string, len(rows))
	for y := range rows {
		for x := range rows[y] {
			pixel := byte('.')
			for _, other := range rows[max(0, y-radius):min(len(rows), y+radius+1)] {
				if strings.Contains(other[max(0, x-radius):min(len(other), x+radius+1)], "#") {
					pixel = '#'
				}
			}
			out[y] += string(pixel)
		}
	}
	return out
}

// The masks of several words in a row must not differ from those of single pixels, also at the borders of words.
func TestMask_Words(t *testing.T) {
	t.Parallel()
	swap := strings.NewReplacer("#", ".", ".", "#")
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 140).Draw(t, "w"), rapid.IntRange(1, 6).Draw(t, "h")
		row := rapid.StringOfN(rapid.SampledFrom([]rune("#....")), w, w, w)
		rows := rapid.SliceOfN(row, h, h).Draw(t, "rows")
		radius := rapid.IntRange(1, 4).Draw(t, "radius")
		m := drawnMask(rows)
		if diff := cmp.Diff(near(rows, radius), m.dilate(radius).drawn()); diff != "" {
			t.Errorf("dilate (-want +got):\n%s", diff)
		}
		swapped := strings.Fields(swap.Replace(strings.Join(rows, " ")))
		if diff := cmp.Diff(swapped, m.inverse().drawn()); diff != "" {
			t.Errorf("inverse (-want +got):\n%s", diff)
		}
		back := newMask(w, h)
		for _, r := range m.runs() {
			for x := r.from; x < r.to; x++ {
				back.row(r.y)[x/wordBits] |= 1 << (x % wordBits)
			}
		}
		if diff := cmp.Diff(rows, back.drawn()); diff != "" {
			t.Errorf("runs (-want +got):\n%s", diff)
		}
	})
}

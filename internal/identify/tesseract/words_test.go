package tesseract

import (
	"image"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseTSV(t *testing.T) {
	t.Parallel()
	output := "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n" +
		"1\t1\t0\t0\t0\t0\t0\t0\t640\t480\t-1\t\n" +
		"4\t1\t1\t1\t1\t0\t10\t20\t300\t30\t-1\t\n" +
		"5\t1\t1\t1\t1\t1\t10\t20\t100\t30\t96.5\tAven\n" +
		"5\t1\t1\t1\t1\t2\t120\t20\t90\t30\t91\tBattle\n" +
		"5\t1\t1\t1\t1\t3\t220\t20\t90\t30\t40\t \n" +
		"4\t1\t1\t1\t2\t0\t10\t60\t300\t30\t-1\t\n" +
		"5\t1\t1\t1\t2\t1\t10\t60\t100\t30\t88\t6/272\n" +
		"5\tgarbage\n" +
		"\n"
	want := []Word{
		{Text: "Aven", Confidence: 96.5, Box: image.Rect(10, 20, 110, 50)},
		{Text: "Battle", Confidence: 91, Box: image.Rect(120, 20, 210, 50)},
		{Text: "6/272", Confidence: 88, Box: image.Rect(10, 60, 110, 90), Line: 1},
	}
	if diff := cmp.Diff(want, parseTSV([]byte(output))); diff != "" {
		t.Errorf("parseTSV (-want +got):\n%s", diff)
	}
}

func FuzzParseTSV(f *testing.F) {
	f.Add([]byte("5\t1\t1\t1\t1\t1\t10\t20\t100\t30\t96.5\tAven\n"))
	f.Fuzz(func(t *testing.T, output []byte) {
		for _, w := range parseTSV(output) {
			if w.Text == "" || w.Line < 0 {
				t.Errorf("word: got %+v, want a text and a line", w)
			}
		}
	})
}

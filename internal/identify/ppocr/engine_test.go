package ppocr

import (
	"errors"
	"image"
	"image/draw"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// alphabet of the tests: the gap, three letters and the space.
const letters = "a\nb\nc"

// steps returns the output of a recognition network with these classes.
func steps(probability float32, classes ...int) []float32 {
	var out []float32
	for _, class := range classes {
		step := make([]float32, 5)
		step[class] = probability
		out = append(out, step...)
	}
	return out
}

func TestDecode(t *testing.T) {
	t.Parallel()
	alphabet := []string{"", "a", "b", "c", " "}
	for name, c := range map[string]struct {
		output     []float32
		text       string
		confidence float64
	}{
		"nothing":               {nil, "", 0},
		"only gaps":             {steps(0.5, 0, 0), "", 0},
		"repeated steps":        {steps(0.5, 1, 1, 0, 2, 2, 2), "ab", 0.5},
		"a letter twice":        {steps(0.5, 1, 0, 1), "aa", 0.5},
		"with a space":          {steps(0.5, 1, 4, 3), "a c", 0.5},
		"mean":                  {slices.Concat(steps(0.5, 1), steps(1, 2)), "ab", 0.75},
		"the first step counts": {slices.Concat(steps(0.5, 1), steps(1, 1)), "a", 0.5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, confidence := decode(c.output, alphabet)
			if text != c.text || confidence != c.confidence {
				t.Errorf("decode: got %q, %v, want %q, %v", text, confidence, c.text, c.confidence)
			}
		})
	}
}

// detector is a detection network that finds the rectangles of a picture of 320 × 320 pixels.
type detector []image.Rectangle

func (d detector) Run(_ []float32, shape []int64, use func([]float32, []int64) error) error {
	width, height := int(shape[3]), int(shape[2])
	out := make([]float32, width*height)
	for _, r := range d {
		for y := r.Min.Y; y < min(r.Max.Y, height); y++ {
			for x := r.Min.X; x < min(r.Max.X, width); x++ {
				out[y*width+x] = 1
			}
		}
	}
	return use(out, []int64{1, 1, shape[2], shape[3]})
}

// recogniser reads "a" from a line that is white on the left of its upper half, and "b" from others.
type recogniser struct{ certain, other float32 }

func (r recogniser) Run(input []float32, shape []int64, use func([]float32, []int64) error) error {
	at := shape[3]*10 + 10 // in the upper left corner
	if input[at] > 0 {
		return use(steps(r.certain, 1), []int64{1, 1, 5})
	}
	return use(steps(r.other, 2), []int64{1, 1, 5})
}

// marked returns a photo of 640 × 640 pixels with a white mark at the beginning of a line, in its upper half. Upside
// down, the mark is at the end of the line in the lower half.
func marked(upsideDown bool) *image.RGBA {
	photo := image.NewRGBA(image.Rect(0, 0, 640, 640))
	mark := image.Rect(100, 290, 200, 312)
	if upsideDown {
		mark = image.Rect(440, 328, 540, 350)
	}
	for y := mark.Min.Y; y < mark.Max.Y; y++ {
		for x := mark.Min.X; x < mark.Max.X; x++ {
			copy(photo.Pix[photo.PixOffset(x, y):], []uint8{255, 255, 255, 255})
		}
	}
	return photo
}

func TestEngine_Orientation(t *testing.T) {
	t.Parallel()
	middle := detector{image.Rect(180, 460, 780, 500)} // of a photo that is enlarged to 960 pixels
	for name, c := range map[string]struct {
		upsideDown bool
		network    recogniser
		want       string
	}{
		"upright and certain":      {false, recogniser{0.99, 0.6}, "a"},
		"upside down":              {true, recogniser{0.99, 0.6}, "a"},
		"upright and certain of b": {true, recogniser{0.99, 0.95}, "b"},
		"upside down is no better": {true, recogniser{0.7, 0.7}, "b"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			engine, err := NewEngine(middle, c.network, letters)
			if err != nil {
				t.Fatal(err)
			}
			lines, err := engine.Find(marked(c.upsideDown))
			if err != nil || len(lines) != 1 || lines[0].Text != c.want {
				t.Errorf("Find: got %+v, %v, want %q", lines, err, c.want)
			}
		})
	}
}

// Lines at a right angle to the others, as on the backs of books, are upside down or not by themselves.
func TestEngine_OrientationAcross(t *testing.T) {
	t.Parallel()
	photo := marked(false)
	upwards := image.Rect(50, 270, 80, 350) // the beginning of a line that runs up the page, in its upper half
	draw.Draw(photo, upwards, image.White, image.Point{}, draw.Src)
	both := detector{image.Rect(180, 460, 780, 500), image.Rect(100, 100, 140, 500)}
	engine, err := NewEngine(both, recogniser{0.99, 0.6}, letters)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := engine.Find(photo)
	if err != nil || len(lines) != 2 || lines[0].Text != "a" || lines[1].Text != "a" {
		t.Errorf("Find: got %+v, %v, want a and a", lines, err)
	}
}

func TestEngine_ReadingOrder(t *testing.T) {
	t.Parallel()
	at := func(text string, x, y int) Line { return Line{Text: text, Box: image.Rect(x, y, x+50, y+20)} }
	lines := inReadingOrder([]Line{at("foot", 0, 300), at("right", 200, 3), at("left", 0, 5), at("body", 0, 100)})
	var got []string
	for _, l := range lines {
		got = append(got, l.Text)
	}
	if diff := cmp.Diff([]string{"left", "right", "body", "foot"}, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestEngine_DiscardsTexture(t *testing.T) {
	t.Parallel()
	engine, err := NewEngine(detector{image.Rect(180, 450, 780, 510)}, recogniser{0.4, 0.3}, letters)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := engine.Find(marked(false))
	if err != nil || len(lines) != 1 || !lines[0].IsRead || lines[0].IsText() {
		t.Errorf("Find: got %+v, %v, want a line that is no text", lines, err)
	}
}

// failing is a network that fails after a number of runs.
type failing struct {
	Network
	runs int
}

func (f *failing) Run(input []float32, shape []int64, use func([]float32, []int64) error) error {
	if f.runs--; f.runs < 0 {
		return errors.New("out of memory")
	}
	return f.Network.Run(input, shape, use)
}

func TestEngine_Errors(t *testing.T) {
	t.Parallel()
	one := detector{image.Rect(180, 450, 780, 510)}
	_, err := NewEngine(one, recogniser{1, 1}, letters+"\nd")
	if err == nil || !strings.Contains(err.Error(), "dictionary") {
		t.Errorf("NewEngine with another dictionary: got %v, want an error", err)
	}
	if _, err := NewEngine(recogniser{1, 1}, recogniser{1, 1}, letters); err == nil {
		t.Error("NewEngine with two recognition networks: got no error")
	}
	for name, networks := range map[string][2]Network{
		"detection":               {&failing{one, 1}, recogniser{1, 1}},
		"recognition":             {one, &failing{recogniser{1, 1}, 1}},
		"recognition when turned": {one, &failing{recogniser{0.6, 0.6}, 2}},
	} {
		engine, err := NewEngine(networks[0], networks[1], letters)
		if err != nil {
			t.Fatal(err)
		}
		_, err = engine.Find(marked(false))
		if err == nil || !strings.Contains(err.Error(), "out of memory") {
			t.Errorf("%s: got %v, want its error", name, err)
		}
	}
	engine, err := NewEngine(one, recogniser{1, 1}, letters)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Find(image.NewRGBA(image.Rectangle{})); err == nil {
		t.Error("Find on an empty photo: got no error")
	}
}

package identify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"testing"

	"github.com/cardvault/cardvault/internal/identify/ppocr"
	"github.com/cardvault/cardvault/internal/identify/vision"
)

// surveyor is a Reader that only surveys. It counts its surveys.
type surveyor struct {
	err   error
	count int
}

func (s *surveyor) Survey(context.Context, []byte) (vision.Survey, error) {
	s.count++
	return vision.Survey{IsPlain: true}, s.err
}

func (*surveyor) Find(context.Context, vision.Area) ([]ppocr.Line, error) { return nil, nil }

func (*surveyor) Read(context.Context, vision.Area, []ppocr.Line) ([]ppocr.Line, error) {
	return nil, nil
}

// A photo is surveyed once, by the reader, or by this process if that fails.
func TestView_Survey(t *testing.T) {
	t.Parallel()
	picture := image.NewGray(image.Rect(0, 0, 63, 88))
	picture.Pix[0] = 255
	var photo bytes.Buffer
	if err := png.Encode(&photo, picture); err != nil {
		t.Fatal(err)
	}
	works, fails := &surveyor{}, &surveyor{err: errors.New("the process ended")}
	for name, c := range map[string]struct {
		reader  Reader
		isPlain bool
	}{"reader": {works, true}, "failing reader": {fails, false}, "no reader": {nil, false}} {
		view := View{Reader: c.reader}
		for range 2 {
			got, err := view.Survey(t.Context(), photo.Bytes())
			if err != nil || got.IsPlain != c.isPlain || len(got.Outlines) == 0 != c.isPlain {
				t.Errorf("%s: got %+v, %v, want a plain photo: %v", name, got, err, c.isPlain)
			}
		}
	}
	if works.count != 1 || fails.count != 1 {
		t.Errorf("surveys: got %d and %d, want one each", works.count, fails.count)
	}
	if _, err := (&View{Reader: fails}).Survey(t.Context(), []byte("GIF89a")); !errors.Is(err, vision.ErrNotAPicture) {
		t.Errorf("no picture: got %v, want ErrNotAPicture", err)
	}
	late := &surveyor{err: fmt.Errorf("reading: %w", context.DeadlineExceeded)}
	if _, err := (&View{Reader: late}).Survey(t.Context(), photo.Bytes()); !errors.Is(err, late.err) {
		t.Errorf("after the reader overran: got %v, want no survey in this process", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (&View{Reader: fails}).Survey(ctx, photo.Bytes()); !errors.Is(err, fails.err) {
		t.Errorf("after the end of the context: got %v, want no survey in this process", err)
	}
}

package textreader

import (
	"bytes"
	"errors"
	"image"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPicture_RoundTrip(t *testing.T) {
	t.Parallel()
	whole := image.NewRGBA(image.Rect(0, 0, 5, 4))
	for i := range whole.Pix {
		whole.Pix[i] = uint8(i)
	}
	var b bytes.Buffer
	if err := writePicture(&b, whole); err != nil {
		t.Fatal(err)
	}
	got, err := readPicture(&b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(whole, got); diff != "" {
		t.Errorf("picture (-want +got):\n%s", diff)
	}
	if _, err := readPicture(&b); !errors.Is(err, io.EOF) {
		t.Errorf("after the last picture: got %v, want io.EOF", err)
	}
}

func TestReadPicture_Refuses(t *testing.T) {
	t.Parallel()
	for name, frame := range map[string][]byte{
		"cut header": {0, 0, 0},
		"cut pixels": {0, 0, 0, 2, 0, 0, 0, 1, 1, 2, 3},
		"too large":  {255, 255, 255, 255, 255, 255, 255, 255},
	} {
		if _, err := readPicture(bytes.NewReader(frame)); err == nil || errors.Is(err, io.EOF) {
			t.Errorf("%s: got %v, want an error", name, err)
		}
	}
	if err := writePicture(io.Discard, image.NewRGBA(image.Rect(0, 0, maxPixels+1, 1))); err == nil {
		t.Error("writePicture of a picture that is too large: got no error")
	}
}

func TestReadReply_Refuses(t *testing.T) {
	t.Parallel()
	for name, frame := range map[string][]byte{
		"cut":       {0, 0, 0, 9, '{'},
		"too long":  {255, 255, 255, 255},
		"not JSON":  {0, 0, 0, 1, '?'},
		"no header": {},
	} {
		if _, err := readReply(bytes.NewReader(frame)); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
}

package textreader

import (
	"bytes"
	"errors"
	"image"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/identify/ppocr"
)

func TestRequest_RoundTrip(t *testing.T) {
	t.Parallel()
	whole := image.NewRGBA(image.Rect(0, 0, 5, 4))
	for i := range whole.Pix {
		whole.Pix[i] = uint8(i)
	}
	lines := []ppocr.Line{{Place: ppocr.Place{X: 1.5, Y: 2, Width: 3, Height: 4, Angle: 0.25}}}
	var b bytes.Buffer
	if err := errors.Join(writeRequest(&b, whole, false, nil), writeRequest(&b, whole, true, lines)); err != nil {
		t.Fatal(err)
	}
	for name, old := range map[string]*image.RGBA{
		"no memory": nil, "small memory": {Pix: make([]byte, 9)}, "memory": {Pix: make([]byte, 99)},
	} {
		r := bytes.NewReader(b.Bytes())
		asked, err := readRequest(r)
		if err != nil || asked.Lines != nil {
			t.Fatalf("%s: got %+v, %v, want to find lines", name, asked, err)
		}
		got, err := readPicture(r, asked, old)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(whole, got); diff != "" {
			t.Errorf("%s: picture (-want +got):\n%s", name, diff)
		}
		more, err := readRequest(r)
		diff := cmp.Diff(request{Lines: lines}, more)
		if diff != "" || err != nil {
			t.Errorf("%s: %v, request for lines (-want +got):\n%s", name, err, diff)
		}
		if _, err := readRequest(r); !errors.Is(err, io.EOF) {
			t.Errorf("%s: after the last request: got %v, want io.EOF", name, err)
		}
	}
}

func TestReadRequest_Refuses(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"cut pixels":   `{"width":2,"height":1}`,
		"too large":    `{"width":8388608,"height":8388608}`,
		"negative":     `{"width":-2,"height":-1}`,
		"not JSON":     `?`,
		"not a height": `{"width":2,"height":"1"}`,
	} {
		r := bytes.NewReader(append([]byte{0, 0, 0, byte(len(body))}, body...))
		asked, err := readRequest(r)
		if err == nil {
			_, err = readPicture(r, asked, nil)
		}
		if err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
	if err := writeRequest(io.Discard, image.NewRGBA(image.Rect(0, 0, maxPixels+1, 1)), false, nil); err == nil {
		t.Error("writeRequest with a picture that is too large: got no error")
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

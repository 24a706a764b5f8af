package photoreader

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
	photo := []byte("an encoded photo")
	lines := []ppocr.Line{{Place: ppocr.Place{X: 1.5, Y: 2, Width: 3, Height: 4, Angle: 0.25}}}
	looks := request{Kind: find, Part: image.Rect(1, 2, 30, 40)}
	reads := request{Kind: read, Part: looks.Part, Lines: lines}
	var b bytes.Buffer
	if err := errors.Join(writeRequest(&b, looks, photo, false), writeRequest(&b, reads, photo, true)); err != nil {
		t.Fatal(err)
	}
	r := bytes.NewReader(b.Bytes())
	first, err := readRequest(r)
	looks.Length = len(photo)
	if diff := cmp.Diff(looks, first); diff != "" || err != nil {
		t.Fatalf("first request: %v (-want +got):\n%s", err, diff)
	}
	if got, err := readPhoto(r, first); err != nil || !bytes.Equal(got, photo) {
		t.Errorf("photo: got %q, %v, want %q", got, err, photo)
	}
	second, err := readRequest(r)
	if diff := cmp.Diff(reads, second); diff != "" || err != nil {
		t.Errorf("second request: %v (-want +got):\n%s", err, diff)
	}
	if _, err := readRequest(r); !errors.Is(err, io.EOF) {
		t.Errorf("after the last request: got %v, want io.EOF", err)
	}
}

func TestReadRequest_Refuses(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"cut photo":    `{"length":2}`,
		"too large":    `{"length":67108865}`,
		"negative":     `{"length":-1}`,
		"not JSON":     `?`,
		"not a length": `{"length":"1"}`,
	} {
		r := bytes.NewReader(append([]byte{0, 0, 0, byte(len(body))}, body...))
		asked, err := readRequest(r)
		if err == nil {
			_, err = readPhoto(r, asked)
		}
		if err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
	if err := writeRequest(io.Discard, request{}, make([]byte, maxPhoto+1), false); err == nil {
		t.Error("writeRequest with a photo that is too large: got no error")
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

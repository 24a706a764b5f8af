package photoreader

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/identify/ppocr"
	"github.com/cardvault/cardvault/internal/identify/vision"
)

// The child surveys a photo as the service would.
func TestPool_Survey(t *testing.T) {
	t.Parallel()
	data := photo(t, 7)
	picture, err := vision.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	got, err := pool(t, "reads", Config{}).Survey(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	want := vision.Examine(picture)
	if want.IsPlain || len(want.Outlines) == 0 || want.Size != image.Pt(30, 20) {
		t.Fatalf("survey: got %+v, want an outline", want)
	}
	if diff := cmp.Diff(fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", got)); diff != "" {
		t.Errorf("survey (-want +got):\n%s", diff)
	}
}

// Damaged photos cost no process.
func TestPool_DamagedPhoto(t *testing.T) {
	t.Parallel()
	p := pool(t, "reads", Config{})
	found, err := p.Find(t.Context(), whole(t))
	if err != nil {
		t.Fatal(err)
	}
	for want, data := range map[string][]byte{
		"unexpected EOF": photo(t, 7)[:40], "unknown format": []byte("GIF89a"), "the photo is empty": {},
	} {
		if _, err := p.Survey(t.Context(), data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.8q: got %v, want %q", data, err, want)
		}
	}
	if again, err := p.Find(t.Context(), whole(t)); err != nil || pid(again) != pid(found) {
		t.Errorf("afterwards: got %v, %v, want the same process", again, err)
	}
}

// Lines are found and read on the part of the photo that is asked for.
func TestLocal_Part(t *testing.T) {
	t.Parallel()
	l := NewLocal(scripted("reads"))
	data := photo(t, 7)
	for _, c := range []struct {
		part image.Rectangle
		want string // the size and the first red value
	}{
		{image.Rectangle{}, "(30,20) 7"}, {image.Rect(10, 5, 30, 20), "(20,15) 255"},
		{image.Rect(0, 0, 5, 5), "(5,5) 7"}, {image.Rectangle{}, "(30,20) 7"},
	} {
		area := vision.Area{Photo: data, Part: c.part}
		found, err := l.Find(t.Context(), area)
		if err != nil || !strings.HasPrefix(found[0].Text, c.want+" ") {
			t.Errorf("%v: got %v, %v, want %s", c.part, found, err, c.want)
		}
		red := c.want[strings.Index(c.want, " "):]
		read, err := l.Read(t.Context(), area, []ppocr.Line{{Text: "x"}})
		if err != nil || !strings.HasPrefix(read[0].Text, "x"+red+" ") {
			t.Errorf("%v: read %v, %v, want x%s", c.part, read, err, red)
		}
	}
}

package form

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/fault"
)

// part is a text of a form or, with a file name, a file.
type part struct{ name, file, content string }

// write writes a form with this boundary.
func write(t *testing.T, boundary string, parts ...part) *bytes.Buffer {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	if err := w.SetBoundary(boundary); err != nil {
		t.Fatal(err)
	}
	for _, p := range parts {
		create := func() (io.Writer, error) { return w.CreateFormField(p.name) }
		if p.file != "" {
			create = func() (io.Writer, error) { return w.CreateFormFile(p.name, p.file) }
		}
		content, err := create()
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(content, p.content)
	}
	w.Close()
	return &body
}

// receive receives a form that takes up to three photos, until the test ends.
func receive(t *testing.T, body io.Reader, boundary string) (*Form, error) {
	t.Helper()
	f, err := Receive(body, boundary, map[string]int{"photos": 3})
	if err == nil {
		t.Cleanup(func() { f.Close() })
	}
	return f, err
}

// texts returns the files as "field name content".
func texts(t *testing.T, f *Form) (all []string) {
	t.Helper()
	for _, file := range f.Files {
		content, err := io.ReadAll(file)
		if err != nil || int64(len(content)) != file.Size() {
			t.Errorf("%s: %d bytes, %v, want %d", file.Name, len(content), err, file.Size())
		}
		all = append(all, fmt.Sprintf("%s %s %.20s", file.Field, file.Name, content))
	}
	return all
}

func TestReceive(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("\r\n--x\r\n", 100_000) // looks like the boundary, which has more letters
	f, err := receive(t, write(t, "xyz",
		part{"game", "", "magic"}, part{"photos", "a.jpg", "first"}, part{"photos", "Füchse 🦊.jpg", large},
		part{"game", "", ""}, part{"photos", "empty.jpg", ""}, part{"unknown", "b.jpg", "text"},
	), "xyz")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"photos a.jpg first", "photos Füchse 🦊.jpg " + large[:20], "photos empty.jpg "}
	if diff := cmp.Diff(want, texts(t, f)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string][]string{"game": {"magic", ""}, "unknown": {"text"}}, f.Values); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if f.Largest() != int64(len(large)) {
		t.Errorf("the largest file has %d bytes, want %d", f.Largest(), len(large))
	}
}

func TestReceive_HashDependsOnContent(t *testing.T) {
	t.Parallel()
	parts := []part{{"game", "", "magic"}, {"photos", "a.jpg", "first"}, {"photos", "b.jpg", "second"}}
	hash := func(boundary string, change func([]part)) [32]byte {
		t.Helper()
		changed := append([]part(nil), parts...)
		change(changed)
		f, err := receive(t, write(t, boundary, changed...), boundary)
		if err != nil {
			t.Fatal(err)
		}
		return f.Hash
	}
	same := hash("one", func([]part) {})
	if hash("another", func([]part) {}) != same {
		t.Error("the boundary changes the hash")
	}
	for name, change := range map[string]func([]part){
		"a text":           func(p []part) { p[0].content = "pokemon" },
		"a field":          func(p []part) { p[0].name = "gamem"; p[0].content = "agic" },
		"a content":        func(p []part) { p[2].content = "third" },
		"a file name":      func(p []part) { p[1].file = "c.jpg" },
		"the order":        func(p []part) { p[1], p[2] = p[2], p[1] },
		"a shifted border": func(p []part) { p[1].content, p[2].content = "firsts", "econd" },
	} {
		if hash("one", change) == same {
			t.Errorf("%s does not change the hash", name)
		}
	}
}

func TestReceive_StopsAfterMaximumOfFiles(t *testing.T) {
	t.Parallel()
	photo := part{"photos", "a.jpg", "photo"}
	unread := errorReader{errors.New("read too far")}
	body := io.MultiReader(write(t, "x", photo, photo, photo, photo), unread)
	f, err := receive(t, body, "x")
	if err != nil || len(f.Files) != 4 {
		t.Errorf("got %v, %v, want one file more than the maximum", f, err)
	}
}

type errorReader struct{ err error }

func (r errorReader) Read([]byte) (int, error) { return 0, r.err }

func TestReceive_RefusesMalformedForms(t *testing.T) {
	t.Parallel()
	whole := write(t, "x", part{"photos", "a.jpg", "photo"}).String()
	header := "--x\r\nContent-Disposition: form-data; name=\"game\"\r\n"
	for name, tc := range map[string]struct{ boundary, body, field, message string }{
		"no boundary":      {"", whole, "Content-Type", "boundary"},
		"another boundary": {"y", whole, "body", "not a complete form"},
		"nothing":          {"x", "", "body", "not a complete form"},
		"JSON":             {"x", `{"game":"magic"}`, "body", "not a complete form"},
		"cut in a header":  {"x", whole[:20], "body", "not a complete form"},
		"cut in headers":   {"x", header, "body", "not a complete form"},
		"cut in a file":    {"x", whole[:len(whole)-8], "body", "not a complete form"},
		"no end":           {"x", whole[:len(whole)-4], "body", "not a complete form"},
		"no name":          {"x", "--x\r\n\r\na\r\n--x--\r\n", "body", "a name"},
		"a long text": {
			"x", header + "\r\n" + strings.Repeat("a", maxText+1) + "\r\n--x--\r\n", "game", "at most 65536",
		},
		"a long header":   {"x", header + "X-A: " + strings.Repeat("a", 1<<20), "body", "headers of at most"},
		"many headers":    {"x", header + strings.Repeat("X-A: b\r\n", 1<<17), "body", "headers of at most"},
		"a long preamble": {"x", strings.Repeat("a\r\n", 1<<20), "body", "headers of at most"},
		"many parts": {
			"x", strings.Repeat(header+"\r\na\r\n", maxParts+1) + "--x--\r\n", "body", "at most 100 parts",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := receive(t, strings.NewReader(tc.body), tc.boundary)
			f, _ := fault.As(err)
			if f == nil || f.Code != fault.InvalidRequest || f.Details[0].Field != tc.field ||
				!strings.Contains(f.Message, tc.message) {
				t.Errorf("got %v, want invalid_request about %s with %q", err, tc.field, tc.message)
			}
		})
	}
}

// Errors of the body are those of the client, of the limit of the server or of the connection.
func TestReceive_KeepsErrorOfBody(t *testing.T) {
	t.Parallel()
	whole := write(t, "x", part{"photos", "a.jpg", strings.Repeat("photo", 10_000)})
	limited := http.MaxBytesReader(httptest.NewRecorder(), io.NopCloser(whole), 10_000)
	_, err := receive(t, limited, "x")
	if large, ok := errors.AsType[*http.MaxBytesError](err); !ok || large.Limit != 10_000 {
		t.Errorf("got %v, want the error of the limit", err)
	}
	cut := fault.Invalid("body", "did not arrive whole")
	if _, err := receive(t, errorReader{cut}, "x"); !errors.Is(err, cut) {
		t.Errorf("got %v, want %v", err, cut)
	}
}

func TestReceive_TempDirMissing(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing"))
	_, err := receive(t, write(t, "x"), "x")
	if _, isFault := fault.As(err); err == nil || isFault || !strings.Contains(err.Error(), "set TMPDIR") {
		t.Errorf("got %v", err)
	}
}

func TestReceive_LeavesNoFile(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	for name, body := range map[string]io.Reader{
		"complete":   write(t, "x", part{"photos", "a.jpg", "photo"}),
		"incomplete": strings.NewReader("--x\r\n"),
	} {
		_, _ = receive(t, body, "x")
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s: %v, %v, want an empty directory", name, left, err)
		}
	}
}

func TestFrom(t *testing.T) {
	t.Parallel()
	f := &Form{Files: []File{{Name: "a.jpg"}}}
	if got := From(With(t.Context(), f)); got != f {
		t.Errorf("got %v, want the form", got)
	}
	if got := From(t.Context()); len(got.Files) != 0 {
		t.Errorf("got %v, want an empty form", got)
	}
}

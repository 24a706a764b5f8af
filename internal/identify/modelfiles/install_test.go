package modelfiles

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	library1  = "a native library"
	detection = "a network"
)

// packed returns a wheel with two files, and the descriptions of both.
func packed(t *testing.T) (data []byte, files []File) {
	t.Helper()
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	for name, contents := range map[string]string{"lib/one.so": library1, "net/two": detection} {
		w, err := archive.Create(name)
		if err == nil {
			_, err = w.Write([]byte(contents))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	from := wheel{"project", "project-1.whl", digest(b.Bytes())}
	return b.Bytes(), []File{
		{Name: "one", Size: int64(len(library1)), SHA256: digest([]byte(library1)), wheel: from, member: "lib/one.so"},
		{Name: "two", Size: int64(len(detection)), SHA256: digest([]byte(detection)), wheel: from, member: "net/two"},
	}
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// mirror serves a simple index with one package, and returns its address and that of the requests.
func mirror(t *testing.T, data []byte) (address string, requests *[]string) {
	t.Helper()
	requests = new([]string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*requests = append(*requests, r.URL.Path)
		switch r.URL.Path {
		case "/simple/project/":
			fmt.Fprint(w, `<html><a href="../../files/project-0.whl#sha256=00">project-0.whl</a>`+
				`<a href="../../files/project-1.whl#sha256=00">project-1.whl</a></html>`)
		case "/files/project-1.whl":
			_, _ = w.Write(data)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL + "/simple", requests
}

func TestInstall_FromIndex(t *testing.T) {
	t.Parallel()
	data, files := packed(t)
	index, requests := mirror(t, data)
	dir := filepath.Join(t.TempDir(), "models")
	installed, err := install(t.Context(), dir, Source{Index: index}, files)
	if err != nil || len(installed) != 2 {
		t.Fatalf("Install: got %v, %v, want two files", installed, err)
	}
	if err := find(dir, files); err != nil {
		t.Errorf("Find: %v", err)
	}
	want := []string{"/simple/project/", "/files/project-1.whl"}
	if diff := cmp.Diff(want, *requests); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	installed, err = install(t.Context(), dir, Source{Index: "http://127.0.0.1:1"}, files)
	if err != nil || len(installed) > 0 {
		t.Errorf("Install again: got %v, %v, want nothing to do", installed, err)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) != 2 {
		t.Errorf("folder: got %v, %v, want the two files", names, err)
	}
}

func TestInstall_FromFolder(t *testing.T) {
	t.Parallel()
	data, files := packed(t)
	dir, from := t.TempDir(), t.TempDir()
	_, err := install(t.Context(), dir, Source{Folder: from}, files)
	if err == nil || !strings.Contains(err.Error(), "download the package project-1.whl first") {
		t.Errorf("without the package: got %v, want its name", err)
	}
	if err := os.WriteFile(filepath.Join(from, "project-1.whl"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := install(t.Context(), dir, Source{Folder: from}, files); err != nil {
		t.Fatal(err)
	}
	if err := find(dir, files); err != nil {
		t.Errorf("Find: %v", err)
	}
}

func TestInstall_RefusesOtherContents(t *testing.T) {
	t.Parallel()
	data, files := packed(t)
	cut, _ := mirror(t, data[:len(data)-1])
	missing, _ := mirror(t, nil)
	other := []File{files[0]}
	other[0].SHA256 = digest([]byte("another library"))
	whole, _ := mirror(t, data)
	absent := []File{files[0]}
	absent[0].wheel.file = "project-2.whl"
	for name, c := range map[string]struct {
		index string
		files []File
		want  string
	}{
		"cut package":            {cut, files, "project-1.whl has the SHA-256"},
		"empty package":          {missing, files, "project-1.whl has the SHA-256"},
		"another member":         {whole, other, "one has the SHA-256"},
		"not in the index":       {whole, absent, "does not list project-2.whl"},
		"no index":               {"", files, "CARDVAULT_MODELS_INDEX"},
		"not an index":           {whole + "/none", files, "404"},
		"unknown platform":       {whole, nil, "cannot run on this platform"},
		"address that is no URL": {"://", files, "CARDVAULT_MODELS_INDEX"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			_, err := install(t.Context(), dir, Source{Index: c.index}, c.files)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Install: got %v, want an error with %q", err, c.want)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
				t.Errorf("folder: got %v, want no file", left)
			}
		})
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	_, files := packed(t)
	for name, c := range map[string]struct {
		one, two string
		is       error
		want     string
	}{
		"complete":       {library1, detection, nil, ""},
		"none":           {"", "", ErrMissing, ""},
		"one missing":    {library1, "", ErrMissing, ""},
		"cut":            {library1, detection[1:], nil, "two is cut"},
		"other contents": {strings.ToUpper(library1), detection, nil, "one is cut or is not"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for i, contents := range []string{c.one, c.two} {
				if contents == "" {
					continue
				}
				if err := os.WriteFile(filepath.Join(dir, files[i].Name), []byte(contents), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			err := find(dir, files)
			switch {
			case c.is == nil && c.want == "" && err != nil, c.is != nil && !errors.Is(err, c.is),
				c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("Find: got %v, want %v %q", err, c.is, c.want)
			}
		})
	}
	if err := find(t.TempDir(), nil); !errors.Is(err, ErrUnsupported) {
		t.Errorf("Find on another platform: got %v, want ErrUnsupported", err)
	}
}

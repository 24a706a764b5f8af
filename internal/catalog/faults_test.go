package catalog

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// write creates a file in a temporary folder and returns its path.
func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func gzipped(t *testing.T, content string) string {
	t.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.String()
}

func zipped(t *testing.T, files map[string]string) string {
	t.Helper()
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for name, content := range files {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.String()
}

// mustImport imports a file and checks the counts of the report: Read/Inserted/Updated/Unchanged/Skipped.
func mustImport(t *testing.T, s *Service, format Format, path, want string) Report {
	t.Helper()
	r, err := s.Import(context.Background(), format, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%d/%d/%d/%d/%d", r.Read, r.Inserted, r.Updated, r.Unchanged, r.Skipped); got != want {
		t.Fatalf("read/inserted/updated/unchanged/skipped: got %s, want %s; problems %v", got, want, r.Problems)
	}
	return r
}

func mustGet(t *testing.T, s *Service, id string) Card {
	t.Helper()
	list, err := s.Get(context.Background(), id)
	if err != nil || len(list) != 1 {
		t.Fatalf("Get(%q): got %v, %v, want one card", id, list, err)
	}
	return list[0]
}

func TestImport_InvalidFiles(t *testing.T) {
	t.Parallel()
	s := New(pgtest.New(t))
	giant := strings.Repeat("a", 3*maxElement)
	archive := func(files map[string]string) string { return write(t, "a.zip", zipped(t, files)) }
	for _, test := range []struct {
		name   string
		format Format
		path   string
		want   string // part of the message
	}{
		{"missing", CSV, filepath.Join(t.TempDir(), "none.csv"), "does not exist"},
		{"directory", CSV, t.TempDir(), "is not a file"},
		{"empty", CSV, write(t, "a.csv", ""), "expected a CSV file"},
		{"only a header", CSV, write(t, "a.csv", "id,name\n"), "expected a CSV file"},
		{"line ends", CSV, write(t, "b.csv", "id,name\r1,Owl\r"), "end in LF or CRLF"},
		{"no name column", CSV, write(t, "a.csv", "foo,bar\n1,2\n"), "expected a CSV file"},
		{"no valid row", CSV, write(t, "a.csv", "id,name\n1,\n"), "line 2: name is missing"},
		{"invalid gzip", CSV, write(t, "a.gz", "\x1f\x8bxxxxxxxxxxxxxxx"), "is damaged"},
		{"truncated gzip", CSV, write(t, "a.gz", gzipped(t, twoCards)[:60]), "expected a CSV file"},
		{"object", Scryfall, write(t, "a.json", `{"a":1}`), "expected Scryfall bulk data"},
		{"truncated array", Scryfall, write(t, "a.json", `[{"object":"card","id":"1","name":"x"}`),
			"expected Scryfall bulk data"},
		{"array", Fingerprints, write(t, "a.json", `[]`), "expected a JSON object"},
		{"no archive", PokemonTCGData, write(t, "a.zip", "hello"), "expected a directory or .zip"},
		{"other archive", PokemonTCGData, archive(map[string]string{"x.txt": "x"}), "expected a directory or .zip"},
		{"no cards", PokemonTCGData, archive(map[string]string{"sets/en.json": "[]"}), "expected a directory or .zip"},
		{"giant set", PokemonTCGData, archive(giantSet), "unpacks to more than"},
		{"unknown format", "tarot", write(t, "a.csv", twoCards), "unknown catalogue format"},
		{"giant record", Scryfall, write(t, "a.json.gz", gzipped(t, `["`+giant+`"]`)), "more than 1 MiB"},
		{"giant cell", CSV, write(t, "a.csv.gz", gzipped(t, "id,name\n1,\""+giant+"\"\n")), "more than 1 MiB"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := s.Import(context.Background(), test.format, test.path, nil)
			f, ok := fault.As(err)
			if !ok || f.Code != fault.InvalidRequest || !strings.Contains(f.Message, test.want) {
				t.Errorf("Import: got %v, want invalid_request with %q", err, test.want)
			}
			if ok && test.format != "tarot" && !strings.Contains(f.Message, test.path) {
				t.Errorf("message: got %q, want it to name the file", f.Message)
			}
		})
	}
	if found, err := s.ByName(context.Background(), Hints{}, "First Card", 5); err != nil || len(found) != 0 {
		t.Errorf("cards after failed imports: got %v, %v, want none", found, err)
	}
}

func TestImport_StopsWithContext(t *testing.T) {
	t.Parallel()
	s := New(pgtest.New(t))
	rows := "id,name\n"
	for i := range 10 * tickRows {
		rows += fmt.Sprintf("%d,Name\n", i)
	}
	ctx, cancel := context.WithCancel(context.Background())
	_, err := s.Import(ctx, CSV, write(t, "a.csv", rows), func(int, int) { cancel() })
	if err == nil || ctx.Err() == nil {
		t.Fatalf("Import: got %v, want the error of the context", err)
	}
	if found, err := s.Get(context.Background(), "1"); err != nil || len(found) != 0 {
		t.Fatalf("cards after a canceled import: got %v, %v, want none", found, err)
	}
}

// giantSet is an archive with a set that is small only while it is compressed.
var giantSet = map[string]string{
	"sets/en.json":      `[{"id":"tst","name":"Testing"}]`,
	"cards/en/tst.json": "[" + strings.Repeat(`{"id":"`+strings.Repeat("x", 1<<16)+`"},`, maxSetFile>>15) + "{}]",
}

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// Loading the catalogue does not need the key that encrypts customers' secrets.
func TestCatalogImport_NeedsNoSecretKey(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "catalogue.csv")
	rows := "id,name,set,number\nember-54,Ember Fox,Dawn of Cinders,54/167\n"
	if err := os.WriteFile(path, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, failures bytes.Buffer
	cmd := catalogImportCmd{Format: "csv", Path: path}
	err := cmd.Run(t.Context(), &config.Config{DatabaseURL: pgtest.URL(t)}, &terminal{&out, &failures})
	if err != nil || !strings.HasPrefix(out.String(), "1 read: 1 new") {
		t.Errorf("%v; printed %q, and on errors %q", err, &out, &failures)
	}
}

func TestCatalogImport_Language(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "names.json")
	cards := `[{"id":"tst1-4","localId":"4","name":{"en":"Cinder Fox","de":"Glutfuchs"},"set":{"id":"tst1"}}]`
	if err := os.WriteFile(path, []byte(cards), 0o600); err != nil {
		t.Fatal(err)
	}
	database := "--database-url=" + pgtest.URL(t)
	for _, test := range []struct {
		language, out, failure string
		code                   int
	}{
		{"de", "1 read: 1 new", "", exitDone},
		{"", "2 read: 1 new, 0 changed, 1 as they were", "", exitDone},
		{"ja", "", "has no card in the language ja", exitFailed},
	} {
		var out, failures bytes.Buffer
		args := []string{"catalog", "import", "--format=tcgdex", "--language=" + test.language, path, database}
		code := run(t.Context(), args, &out, &failures)
		if code != test.code || !strings.HasPrefix(out.String(), test.out) ||
			!strings.Contains(failures.String(), test.failure) {
			t.Errorf("language %q: exit code %d; printed %q, and on errors %q", test.language, code, &out, &failures)
		}
	}
}

// The command reports what it left out, and its JSON is the only output.
func TestCatalogFingerprint(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	catalogue, images := filepath.Join(dir, "catalogue.csv"), filepath.Join(dir, "images")
	rows := "id,name,set,number\nember-54,Ember Fox,Dawn of Cinders,54/167\nember-55,Ash Owl,Dawn of Cinders,55/167\n"
	marked := image.NewGray(image.Rect(0, 0, 63, 88))
	marked.Pix[0] = 255
	var picture bytes.Buffer
	err := errors.Join(png.Encode(&picture, marked), os.Mkdir(images, 0o700),
		os.WriteFile(catalogue, []byte(rows), 0o600),
		os.WriteFile(filepath.Join(images, "ember-54.png"), picture.Bytes(), 0o600),
		os.WriteFile(filepath.Join(images, "ember-55.png"), []byte("no picture"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	database := "--database-url=" + pgtest.URL(t)
	command := func(wantCode int, args ...string) (out, failures string) {
		t.Helper()
		var printed, refused bytes.Buffer
		if code := run(t.Context(), append(args, database), &printed, &refused); code != wantCode {
			t.Fatalf("%v: exit code %d, want %d; %s", args, code, wantCode, &refused)
		}
		return printed.String(), refused.String()
	}
	command(exitDone, "catalog", "import", "--format=csv", catalogue)
	out, failures := command(exitDone, "catalog", "fingerprint", "--json", "--images", images)
	var report struct{ Images, Saved, Skipped int }
	if err := json.Unmarshal([]byte(out), &report); err != nil || report.Saved != 1 || report.Skipped != 1 {
		t.Errorf("printed %q, want 1 saved and 1 skipped", out)
	}
	if !strings.Contains(failures, "ember-55.png: the photo cannot be decoded") {
		t.Errorf("on errors: %q, want the bad file with the reason", failures)
	}
	command(exitFailed, "catalog", "fingerprint", "--images", t.TempDir())
	command(exitBadUsage, "catalog", "fingerprint", "--images", filepath.Join(dir, "missing"))
}

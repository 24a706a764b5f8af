package sharedtest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// outcome stands in for a test and notes how Path ended it.
type outcome struct {
	testing.TB
	verdict string
}

func (o *outcome) Helper() {}

func (o *outcome) Skipf(format string, args ...any) {
	o.verdict = "skipped"
	panic(o)
}

func (o *outcome) Fatalf(format string, args ...any) {
	o.verdict = "failed"
	panic(o)
}

// lookUp calls Path and tells what it returned or how it ended the test.
func lookUp(t *testing.T, rel string) (result string) {
	t.Helper()
	o := &outcome{TB: t}
	defer func() {
		if r := recover(); r != nil {
			if r != any(o) {
				panic(fmt.Sprint(r))
			}
			result = o.verdict
		}
	}()
	return Path(o, rel)
}

func TestPath(t *testing.T) {
	top := t.TempDir()
	if err := os.MkdirAll(filepath.Join(top, "data", "photos"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, shared, rel, want string }{
		{"found", top, "data/photos", filepath.Join(top, "data", "photos")},
		{"material without the file", top, "data/absent", "failed"},
		{"no material", filepath.Join(top, "nowhere"), "data/photos", "skipped"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("CARDVAULT_SHARED", c.shared)
			if got := lookUp(t, c.rel); got != c.want {
				t.Errorf("Path(%q) = %q, want %q", c.rel, got, c.want)
			}
		})
	}
}

// TestPathBesideTheRepository looks for the folder beside go.mod's, from a package folder below it.
func TestPathBesideTheRepository(t *testing.T) {
	top := t.TempDir()
	inside := filepath.Join(top, "repository", "internal", "cards")
	want := filepath.Join(top, "shared", "data")
	for _, dir := range []string{inside, want} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(top, "repository", "go.mod"), []byte("module m\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CARDVAULT_SHARED", "")
	t.Chdir(inside)
	if got := Path(t, "data"); got != want {
		t.Errorf("Path = %q, want %q", got, want)
	}
}

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/openapi"
)

const sample = `[
 {"id":"endpoint-added","text":"endpoint added","level":1,"operation":"GET","path":"/later"},
 {"id":"response-header-added",
  "text":"the response header ` + "`x` was added for the status `200`" +
	`","level":1,"operation":"GET","path":"/cards"},
 {"id":"response-header-added",
  "text":"the response header ` + "`x` was added for the status `404`" +
	`","level":1,"operation":"GET","path":"/cards"},
 {"id":"response-header-added",
  "text":"the response header ` + "`x` was added for the status `200`" +
	`","level":1,"operation":"POST","path":"/batches"},
 {"id":"response-required-property-added",
  "text":"added the required property ` + "`error/hint` to the response with the `400` status" +
	`","level":1,"operation":"GET","path":"/cards"},
 {"id":"response-required-property-added",
  "text":"added the required property ` + "`error/hint` to the response with the `401` status" +
	`","level":1,"operation":"GET","path":"/cards"},
 {"id":"response-required-property-added",
  "text":"added the required property ` + "`error/hint` to the response with the `404` status" +
	`","level":1,"operation":"GET","path":"/cards"},
 {"id":"response-required-property-added",
  "text":"added the required property ` + "`error/hint` to the response with the `500` status" +
	`","level":1,"operation":"GET","path":"/cards"},
 {"id":"request-property-pattern-changed",
  "text":"the pattern of ` + "`name`" + ` was changed","level":2,"operation":"POST","path":"/batches"},
 {"id":"request-property-max-length-increased",
  "text":"` + "`name`" + ` may be longer","level":1,"operation":"POST","path":"/batches"},
 {"id":"api-removed-without-deprecation",
  "text":"api removed without deprecation","level":3,"operation":"DELETE","path":"/cards/{id}"},
 {"id":"mapping-added","text":"added ` + "`c, a, b`" + ` mapping keys","level":1,"operation":"GET","path":"/cards"},
 {"id":"api-security-added","text":"the whole document has a change","level":1}
]`

const rendered = `### Breaking

- api removed without deprecation: ` + "`DELETE /cards/{id}`" + `

### To look at

- the pattern of ` + "`name` was changed: `POST /batches`" + `

### Added

- added ` + "`a, b, c` mapping keys: `GET /cards`" + `
- added the required property ` + "`error/hint`: `GET /cards`" + `
- endpoint added: ` + "`GET /later`" + `
- the response header ` + "`x` was added: `POST /batches`, `GET /cards` (200, 404)" + `
- the whole document has a change

### Changed

- ` + "`name` may be longer: `POST /batches`" + `
`

func TestRun_MergesEqualChanges(t *testing.T) {
	t.Parallel()
	changes, err := readChanges(strings.NewReader(sample))
	if err != nil {
		t.Fatal(err)
	}
	if got := render(changes, 20); got != rendered {
		t.Errorf("got\n%s\nwant\n%s", got, rendered)
	}
	if got := render(changes, 2); !strings.Contains(got, "`x` was added: every operation (200, 404)\n") {
		t.Errorf("of two operations both have the header:\n%s", got)
	}
	if got := render(nil, 20); got != nothing {
		t.Errorf("no change: %q", got)
	}
}

func TestRender_RefusedBlankText(t *testing.T) {
	t.Parallel()
	text := "changed the pattern of the `query` request parameter `q` from `^[^\\x00]+$` to `"
	changed := func(pattern string) change {
		return change{
			ID: "request-parameter-pattern-changed", Text: text + pattern + "`", Level: levelWarning, Operation: "GET",
			Path: "/cards",
		}
	}
	doc, err := openapi.ParseV1()
	if err != nil {
		t.Fatal(err)
	}
	got := render([]change{changed(doc.Components.Schemas["Title"].Value.Pattern), changed("^[a-z]+$")}, 20)
	want := `### Security fixes

- refused blank text, such as a space or a zero-width character, and line breaks of Unicode, in the ` +
		"`query` request parameter `q`: `GET /cards`" + `

### To look at

- ` + text + "^[a-z]+$`: `GET /cards`" + `
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

const head = "# Changelog\n\nWhat it is.\n\n"

// written returns a changelog's path.
func written(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "changelog.md")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// do runs a command on a changelog and fails the test if it fails.
func do(t *testing.T, changes string, args ...string) {
	t.Helper()
	if err := run(args, false, strings.NewReader(changes)); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
}

func TestRun_FirstRelease(t *testing.T) {
	t.Parallel()
	path := written(t, head+unreleased)
	if err := run([]string{"release", path, "1.0.0", "2026-11-20"}, true, nil); err != nil {
		t.Fatal(err)
	}
	if got, want := read(t,
		path), head+unreleased+"\n"+nothing+"\n## 1.0.0 (2026-11-20)\n\nThe first release.\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	do(t, "[]", "check", path)
}

func TestRun_ReleaseMovesUnreleasedSection(t *testing.T) {
	t.Parallel()
	const first = "## 1.0.0 (2026-11-20)\n\nThe first release.\n"
	path := written(t, head+unreleased+"\n"+nothing+"\n"+first)
	if err := run([]string{"check", path}, false, strings.NewReader(sample)); err == nil ||
		!strings.Contains(err.Error(), "run scripts/contract/changelog.sh") {
		t.Errorf("an old section passes: %v", err)
	}
	do(t, sample, "write", path)
	do(t, sample, "check", path)
	once := read(t, path)
	do(t, sample, "write", path)
	if twice := read(t, path); twice != once {
		t.Errorf("written twice it is\n%s\nand not\n%s", twice, once)
	}
	do(t, sample, "release", path, "1.1.0", "2026-12-01")
	_, section, _ := strings.Cut(once, unreleased+"\n")
	want := head + unreleased + "\n" + nothing + "\n## 1.1.0 (2026-12-01)\n\n" + section
	if got := read(t, path); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	do(t, "[]", "check", path)
	do(t, "[]", "release", path, "1.1.1", "2026-12-02")
	if got := read(t, path); !strings.Contains(got, "## 1.1.1 (2026-12-02)\n\n"+wordsOnly+"\n## 1.1.0 (2026-12-01)\n") {
		t.Errorf("words only: %s", got)
	}
}

func TestRun_InvalidInputChangesNothing(t *testing.T) {
	t.Parallel()
	good := head + unreleased + "\n" + nothing + "\n## 1.0.0 (2026-11-20)\n\nThe first release.\n"
	for name, tc := range map[string]struct {
		text, changes string
		args          []string
	}{
		"no section":        {head, "[]", []string{"write"}},
		"two sections":      {good + unreleased, "[]", []string{"write"}},
		"no JSON":           {good, "Error: no such file", []string{"write"}},
		"released before":   {good, sample, []string{"release", "1.0.0", "2026-12-01"}},
		"a version of v2":   {good, sample, []string{"release", "2.0.0", "2026-12-01"}},
		"no version":        {good, sample, []string{"release", "../../1.1.0", "2026-12-01"}},
		"no date":           {good, sample, []string{"release", "1.1.0", "today"}},
		"no date at all":    {good, sample, []string{"release", "1.1.0"}},
		"an unknown verb":   {good, sample, []string{"publish"}},
		"one word too many": {good, sample, []string{"write", "x"}},
	} {
		path := written(t, tc.text)
		args := append([]string{tc.args[0], path}, tc.args[1:]...)
		if err := run(args, false, strings.NewReader(tc.changes)); err == nil {
			t.Errorf("%s: accepted", name)
		}
		if got := read(t, path); got != tc.text {
			t.Errorf("%s: the file is now\n%s", name, got)
		}
	}
	if err := run([]string{"write"}, false, nil); err == nil {
		t.Error("no file: accepted")
	}
}

func TestWithFixes(t *testing.T) {
	t.Parallel()
	const added, fixed = "### Added\n\n- a\n", "### Fixed\n\n- f\n"
	for _, c := range [][3]string{
		{added, "### Added\n\n- old\n\n" + fixed, added + "\n" + fixed}, {added, nothing, added},
		{nothing, fixed, fixed}, {added, fixed, added + "\n" + fixed},
	} {
		if got := withFixes(c[0], c[1]); got != c[2] {
			t.Errorf("withFixes(%q, %q) = %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

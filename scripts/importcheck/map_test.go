package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// internal is the folder of the packages. The map, its README.md, names paths from there.
const internal = "../../internal"

// maxMap is the maximum length of the map, in bytes: more is not read.
const maxMap = 10_000

// quoted matches a text in backticks.
var quoted = regexp.MustCompile("`([^`\n]+)`")

// isPath matches paths of files and folders below internal or the module's root.
var isPath = regexp.MustCompile(`^(?:\.\./)?[a-zA-Z0-9_.-]+(?:/[a-zA-Z0-9_.-]+)+$|^[a-z0-9_]+\.go$`)

// readMap returns the map.
func readMap(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(internal + "/README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// pathsIn returns the paths that a part of the map names.
func pathsIn(text string) []string {
	var paths []string
	for _, match := range quoted.FindAllStringSubmatch(text, -1) {
		if isPath.MatchString(match[1]) && !slices.Contains(paths, match[1]) {
			paths = append(paths, match[1])
		}
	}
	return paths
}

func TestMap_IsShort(t *testing.T) {
	t.Parallel()
	if size := len(readMap(t)); size > maxMap {
		t.Errorf("README.md has %d bytes, want at most %d", size, maxMap)
	}
}

func TestMap_NamesExistingPaths(t *testing.T) {
	t.Parallel()
	for _, path := range pathsIn(readMap(t)) {
		if _, err := os.Stat(filepath.Join(internal, path)); err != nil {
			t.Error(err)
		}
	}
}

// Each package directly below internal has a row in the table of rooms, or is for tests only.
func TestMap_HasEveryRoom(t *testing.T) {
	t.Parallel()
	_, rooms, _ := strings.Cut(readMap(t), "## Rooms\n")
	rooms, _, _ = strings.Cut(rooms, "\n## ")
	entries, err := os.ReadDir(internal)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		name := entry.Name()
		isTest := name == "e2e" || strings.HasSuffix(name, "test")
		if entry.IsDir() && !isTest && !strings.Contains(rooms, "`"+name+"`") {
			t.Errorf("README.md has no room %s", name)
		}
	}
}

// Each recipe names exactly the files of an existing example: those in which a pattern occurs.
func TestMap_RecipesAreComplete(t *testing.T) {
	t.Parallel()
	sources := productFiles(t)
	for _, c := range []struct {
		recipe, pattern string
		besides         []string // named paths in which the pattern does not occur: folders and rules
	}{
		{recipe: "A field of a card", pattern: `\bNotes\b|"notes"|\bnotes:`, besides: []string{"../scripts/bench"}},
		{recipe: "A filter of `GET /cards`", pattern: `\bHasPhoto\b|\bhas_photo\b`},
		{recipe: "A kind of event", pattern: `\b(?:Kind)?ListingUpdated\b|\blisting\.updated\b`},
		{recipe: "A page of the dashboard", pattern: `"/developers/events"|\*Handlers\) ListEvents\b`,
			besides: []string{"e2e/dashboardtest/pages_test.go"}},
		{recipe: "A format of catalogue files", pattern: `(?i)scryfall`},
		{recipe: "A remote identification provider", pattern: `(?i)gemini`,
			besides: []string{"identify/providers/gemini"}},
	} {
		t.Run(c.recipe, func(t *testing.T) {
			t.Parallel()
			_, text, ok := strings.Cut(readMap(t), "- **"+c.recipe+".**")
			if !ok {
				t.Fatal("README.md has no such recipe")
			}
			text, _, _ = strings.Cut(text, "\n- **")
			text, _, _ = strings.Cut(text, "\n## ")
			want := slices.DeleteFunc(pathsIn(text), func(path string) bool { return slices.Contains(c.besides, path) })
			slices.Sort(want)
			got := filesWith(sources, regexp.MustCompile(c.pattern), c.besides)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("files (-recipe +example):\n%s", diff)
			}
		})
	}
}

// filesWith returns the files in which a pattern occurs, sorted, without those below some folders.
func filesWith(sources map[string]string, pattern *regexp.Regexp, without []string) []string {
	var files []string
	for name, text := range sources {
		inside := slices.ContainsFunc(without, func(folder string) bool { return strings.HasPrefix(name, folder+"/") })
		if !inside && pattern.MatchString(text) {
			files = append(files, name)
		}
	}
	slices.Sort(files)
	return files
}

// productFiles returns the texts of the files that a recipe can name, by path: Go without tests and generated code,
// templates, the contract and two of its guides, and the benchmarks.
func productFiles(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, root := range []string{".", "../cmd", "../scripts", "../openapi"} {
		err := filepath.WalkDir(filepath.Join(internal, root), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() {
				if slices.Contains([]string{"testdata", "e2e", "node_modules", "released", "additive"}, d.Name()) {
					return fs.SkipDir
				}
				return nil
			}
			if !isProduct(path) {
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(internal, path)
			texts[filepath.ToSlash(name)] = string(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return texts
}

// isProduct reports whether a recipe can name a file.
func isProduct(path string) bool {
	switch filepath.Ext(path) {
	case ".go":
		return !strings.HasSuffix(path, "_test.go") && !strings.Contains(path, "test/")
	case ".html", ".templ":
		return true
	case ".md":
		name := filepath.Base(path)
		return name == "operations.md" || name == "configuration.md" || name == "remote-identification.md"
	}
	return filepath.Base(path) == "v1.yaml"
}

package main

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestMeasureFiles(t *testing.T) {
	const head = "package a\n\n"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"clean", head + "// A is a letter. It is that which begins.\nconst A = 1\n", nil},
		{"that of", head + "// A is that " + "of the alphabet.\nconst A = 1\n",
			[]string{`3: "that ` + `of": repeat the noun`}},
		{"those of over two lines", head + "// A and B are those\n// of the alphabet.\nconst A = 1\n",
			[]string{`3: "those of": repeat the noun`}},
		{"what is", head + "// A is returned.\n// It holds what " + "is read.\nconst A = 1\n",
			[]string{`4: "what ` + `is": name the thing`}},
		{"a question", head + "// A answers one: what is it?\nconst A = 1\n", nil},
		{"of which", head + "const A = 1 // one of " + "each\n",
			[]string{`3: "of ` + `each": write two sentences, or name the owner first`}},
		{"error of a function", head + `var e = fmt.Errorf("a.Read: %w", err)` + "\n",
			[]string{`3: "a.Read:": wrap errors as "verb object: %w"`}},
		{"error with a verb", head + `var e = fmt.Errorf("read file a.b: %w", err)` + "\n", nil},
		{"other call", head + `var e = log.Print("a.Read: failed")` + "\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			packages, err := measureFiles(fstest.MapFS{
				"a/a.go":      {Data: []byte(c.text)},
				"a/a_test.go": {Data: []byte(head + "// That " + "of a test does not count.\n")},
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, places(packages["a"])); diff != "" {
				t.Errorf("places (-want +got):\n%s", diff)
			}
		})
	}
}

// places returns the places of all constructions of a package, without its file.
func places(f *figures) []string {
	var texts []string
	for _, findings := range f.places {
		for _, found := range findings {
			text := strings.TrimSuffix(strings.TrimPrefix(found.String(), "a/a.go:"), " (constructions)")
			texts = append(texts, text)
		}
	}
	return texts
}

func TestMeasureTypes(t *testing.T) {
	const text = `package a

func f(changed []string, opened bool) (stored int) {
	found := len(changed)
	known := map[string]bool{}
	for _, made := range changed {
		known[made] = opened
	}
	limited := func() bool { return found > 0 }
	closed := make(chan struct{})
	speed, userFeed := 1, []int{}
	_, listed := known["a"]
	_, _, _, _, _ = limited, closed, speed, userFeed, listed
	return found
}
`
	files := token.NewFileSet()
	source, err := parser.ParseFile(files, "a.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var f figures
	config := types.Config{Importer: importer.Default()}
	if err := measureTypes(&f, files, &config, "a", []*ast.File{source}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, place := range f.places[locals] {
		got = append(got, place.String())
	}
	want := []string{
		`a.go:3: "changed": name the variable by a noun (constructions)`,
		`a.go:4: "found": name the variable by a noun (constructions)`,
		`a.go:6: "made": name the variable by a noun (constructions)`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("locals (-want +got):\n%s", diff)
	}
}

func TestCheckConstructions(t *testing.T) {
	with := func(count, comments int) *figures {
		f := &figures{comments: comments}
		for range count {
			f.add(thatOf, "a.go", 1, "that of")
		}
		return f
	}
	exceptions, err := parseExceptions("# head\na 2 0 0 0 0\nb/... 3 0 0 0 0\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		packages map[string]*figures
		fails    string // the package that fails
	}{
		{"within the limit", map[string]*figures{"c": with(3, 1000)}, ""},
		{"over the limit", map[string]*figures{"c": with(4, 1000)}, "c"},
		{"over the limit in a small package", map[string]*figures{"c": with(1, 100)}, "c"},
		{"exception", map[string]*figures{"a": with(2, 100)}, ""},
		{"exception that got worse", map[string]*figures{"a": with(3, 100)}, "a"},
		{"exception does not cover packages below", map[string]*figures{"a/b": with(1, 100)}, "a/b"},
		{"exception of a tree", map[string]*figures{"b": with(1, 100), "b/c/d": with(2, 100)}, ""},
		{"exception of a tree that got worse", map[string]*figures{"b": with(2, 100), "b/c": with(2, 100)}, "b/..."},
	} {
		t.Run(c.name, func(t *testing.T) {
			findings := checkConstructions(c.packages, exceptions)
			got := ""
			if len(findings) > 0 {
				got = findings[len(findings)-1].path
			}
			if got != c.fails {
				t.Errorf("checkConstructions fails for %q, want %q: %v", got, c.fails, findings)
			}
		})
	}
}

func TestLower(t *testing.T) {
	exceptions, err := parseExceptions("a 2 0 3 0 0\nb 5 0 0 0 0\n")
	if err != nil {
		t.Fatal(err)
	}
	packages := map[string]*figures{
		"a": {comments: 100, counts: [constructionCount]int{thatOf: 1, ofWhich: 4}},
		"b": {comments: 100},
		"c": {comments: 100, counts: [constructionCount]int{thatOf: 1}},
	}
	want := exceptionsHead + "a 1 0 3 0 0\n"
	if diff := cmp.Diff(want, formatExceptions(lower(packages, exceptions))); diff != "" {
		t.Errorf("exceptions (-want +got):\n%s", diff)
	}
}

package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// construction is a way to write that the models of this code avoid. A limit per package holds it back where a ban
// would make authors avoid words and keep the grammar.
type construction struct {
	name    string
	instead string
	limit   int // occurrences in 1,000 lines
	per     string
}

// The constructions, in the order of figures.
const (
	thatOf = iota
	whatIs
	ofWhich
	locals
	errorNames
	constructionCount
)

const (
	commentLines = "comment lines"
	codeLines    = "lines of code"
)

var constructions = [constructionCount]construction{
	thatOf:     {`"that of"`, "repeat the noun", 3, commentLines},
	whatIs:     {`"what is"`, "name the thing", 2, commentLines},
	ofWhich:    {`"of which"`, "write two sentences, or name the owner first", 5, commentLines},
	locals:     {"participle", "name the variable by a noun", 1, codeLines},
	errorNames: {"error named after a function", `wrap errors as "verb object: %w"`, 0, codeLines},
}

// inComments holds the patterns that occur in comments, by construction.
var inComments = map[int]*regexp.Regexp{
	thatOf:  regexp.MustCompile(`(?i)\b(?:that|those|the one)\s+of\b`),
	whatIs:  regexp.MustCompile(`(?i)\bwhat\s+(?:is|was|are)\b`),
	ofWhich: regexp.MustCompile(`(?i)\bof\s+(?:which|them|each)\b`),
}

// functionError matches the text of an error that begins with a function of a package: "cards.List: ".
var functionError = regexp.MustCompile(`^[a-z][a-z0-9]*\.[A-Za-z][A-Za-z.]*(?::| )`)

// figures counts the constructions of a package.
type figures struct {
	comments, code int // lines
	counts         [constructionCount]int
	places         [constructionCount][]finding
}

// add notes an occurrence of a construction.
func (f *figures) add(kind int, name string, line int, text string) {
	c := constructions[kind]
	message := fmt.Sprintf("%q: %s", strings.Join(strings.Fields(text), " "), c.instead)
	f.counts[kind]++
	f.places[kind] = append(f.places[kind], finding{"constructions", name, line, message})
}

// merge adds the figures of another package.
func (f *figures) merge(other *figures) {
	f.comments += other.comments
	f.code += other.code
	for kind := range f.counts {
		f.counts[kind] += other.counts[kind]
		f.places[kind] = append(f.places[kind], other.places[kind]...)
	}
}

// exceeds tells whether a construction is more frequent than its limit.
func (f *figures) exceeds(kind int) bool {
	lines := f.comments
	if constructions[kind].per == codeLines {
		lines = f.code
	}
	return f.counts[kind]*1000 > constructions[kind].limit*lines
}

// measureFiles counts the constructions in the comments and errors of all packages below a folder. Tests are not
// counted.
func measureFiles(root fs.FS) (map[string]*figures, error) {
	packages := map[string]*figures{}
	err := walk(root, func(name string, text []byte) error {
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || generated.Match(text) {
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		if packages[path.Dir(name)] == nil {
			packages[path.Dir(name)] = &figures{}
		}
		measureFile(packages[path.Dir(name)], files, file, text)
		return nil
	})
	return packages, err
}

// measureFile adds the constructions in the comments and errors of a file.
func measureFile(f *figures, files *token.FileSet, file *ast.File, text []byte) {
	blank := 0
	for line := range strings.Lines(string(text)) {
		if strings.TrimSpace(line) == "" {
			blank++
		}
	}
	comments := 0
	for _, group := range file.Comments {
		comments += files.Position(group.End()).Line - files.Position(group.Pos()).Line + 1
		measureComment(f, files, group)
	}
	f.comments += comments
	f.code += files.File(file.FileStart).LineCount() - blank - comments
	for node := range ast.Preorder(file) {
		if call, ok := node.(*ast.CallExpr); ok {
			measureError(f, files, call)
		}
	}
}

// question matches a question, which may begin with a construction of whatIs.
var question = regexp.MustCompile(`[^.?:]*\?`)

// measureComment adds the constructions of a comment. They may go over the end of a line.
func measureComment(f *figures, files *token.FileSet, group *ast.CommentGroup) {
	var lines []string
	for _, comment := range group.List {
		lines = append(lines, strings.TrimPrefix(comment.Text, "//"))
	}
	text := strings.Join(lines, "\n")
	start := files.Position(group.Pos())
	for kind, pattern := range inComments {
		prose := text
		if kind == whatIs {
			prose = question.ReplaceAllStringFunc(text, func(s string) string {
				return strings.Repeat("\n", strings.Count(s, "\n"))
			})
		}
		for _, m := range pattern.FindAllStringIndex(prose, -1) {
			f.add(kind, start.Filename, start.Line+strings.Count(prose[:m[0]], "\n"), prose[m[0]:m[1]])
		}
	}
}

// measureError adds a call that makes an error whose text begins with the name of a function.
func measureError(f *figures, files *token.FileSet, call *ast.CallExpr) {
	function, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) == 0 {
		return
	}
	if owner, ok := function.X.(*ast.Ident); !ok || owner.Name != "fmt" && owner.Name != "errors" ||
		function.Sel.Name != "Errorf" && function.Sel.Name != "New" {
		return
	}
	literal, ok := call.Args[0].(*ast.BasicLit)
	if !ok {
		return
	}
	text, err := strconv.Unquote(literal.Value)
	if err != nil || !functionError.MatchString(text) {
		return
	}
	at := files.Position(literal.Pos())
	f.add(errorNames, at.Filename, at.Line, functionError.FindString(text))
}

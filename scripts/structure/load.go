package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// pkg is a package of product code.
type pkg struct {
	path       string   // in the module
	imports    []string // of packages of product code, as paths in the module
	files      []file
	references graph // between the files
}

// file is a Go file of a package.
type file struct {
	path     string
	lines    int // without empty lines
	comments int
	funcs    []int // lines, by function
}

// listed is the part of `go list -json` that load needs.
type listed struct {
	ImportPath, Dir, Export string
	Imports, GoFiles        []string
	Module                  *struct{ Path string }
}

// load parses and type-checks the packages of product code of a checkout.
func load(dir string) ([]*pkg, error) {
	list, err := goList(dir)
	if err != nil {
		return nil, err
	}
	exports, product := map[string]string{}, map[string]listed{}
	for _, l := range list {
		exports[l.ImportPath] = l.Export
		if path := modulePath(l); isProduct(path) {
			product[l.ImportPath] = l
		}
	}
	var packages []*pkg
	for _, l := range list {
		if _, ok := product[l.ImportPath]; !ok {
			continue
		}
		p := &pkg{path: modulePath(l), references: graph{}}
		for _, path := range l.Imports {
			if _, ok := product[path]; ok {
				p.imports = append(p.imports, modulePath(product[path]))
			}
		}
		if err := p.parse(l, exports); err != nil {
			return nil, fmt.Errorf("check %s: %w", p.path, err)
		}
		packages = append(packages, p)
	}
	return packages, nil
}

// goList lists the packages of a checkout and what they import, with export data.
func goList(dir string) (list []listed, err error) {
	command := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,Imports,GoFiles,Module",
		"./internal/...", "./cmd/...")
	command.Dir, command.Stderr = dir, os.Stderr
	output, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for decoder := json.NewDecoder(strings.NewReader(string(output))); ; {
		var l listed
		if err := decoder.Decode(&l); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("read the output of go list: %w", err)
		}
		list = append(list, l)
	}
}

// modulePath returns the path of a package in this module, or "".
func modulePath(l listed) string {
	if l.Module == nil || !strings.HasSuffix(l.Module.Path, "/cardvault") {
		return ""
	}
	return strings.TrimPrefix(l.ImportPath, l.Module.Path+"/")
}

// isProduct reports whether a package is product code. Packages whose names end in "test" help tests.
func isProduct(path string) bool {
	if !strings.HasPrefix(path, "internal/") && !strings.HasPrefix(path, "cmd/") {
		return false
	}
	forTests := func(part string) bool { return part == "e2e" || strings.HasSuffix(part, "test") }
	return !slices.ContainsFunc(strings.Split(path, "/"), forTests)
}

// parse reads the files of a package and counts the references between them.
func (p *pkg) parse(l listed, exports map[string]string) error {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range l.GoFiles {
		path := filepath.Join(l.Dir, name)
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		tree, err := parser.ParseFile(fset, path, source, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, tree)
		if !ast.IsGenerated(tree) {
			p.files = append(p.files, newFile(fset, path, source, tree))
		}
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(exports[path])
	})}
	pkg, err := config.Check(l.ImportPath, fset, files, &info)
	if err != nil {
		return err
	}
	p.references.fill(fset, pkg, info.Uses)
	return nil
}

// newFile counts the lines of a file.
func newFile(fset *token.FileSet, path string, source []byte, tree *ast.File) file {
	f := file{path: path}
	for line := range strings.Lines(string(source)) {
		text := strings.TrimSpace(line)
		if text == "" {
			continue
		}
		f.lines++
		if strings.HasPrefix(text, "//") {
			f.comments++
		}
	}
	for _, declaration := range tree.Decls {
		if function, ok := declaration.(*ast.FuncDecl); ok {
			f.funcs = append(f.funcs, fset.Position(function.End()).Line-fset.Position(function.Pos()).Line+1)
		}
	}
	return f
}

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
	"regexp"
	"strings"
)

// adjectives are words that say something about a value instead of naming it. Participles in -ed are found by their
// end.
var adjectives = map[string]bool{
	"about": true, "also": true, "asked": true, "found": true, "given": true, "held": true, "kept": true, "known": true,
	"made": true, "met": true, "taken": true, "told": true,
}

// nouns end in -ed and are no participles.
var nouns = map[string]bool{
	"bed": true, "embed": true, "feed": true, "need": true, "red": true, "seed": true, "shed": true, "speed": true,
}

// lastWord matches the last word of a name in camel case.
var lastWord = regexp.MustCompile(`(?:^|[A-Z])[a-z0-9]*$`)

// isParticiple tells whether a local's name is no noun.
func isParticiple(name string) bool {
	last := strings.ToLower(lastWord.FindString(name))
	return adjectives[name] || len(last) > 2 && strings.HasSuffix(last, "ed") && !nouns[last]
}

// isStatement tells whether a variable of this type answers yes or no, so that its name may be a statement: a boolean,
// a set, a predicate, and a channel that is closed when something has happened.
func isStatement(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsBoolean != 0
	case *types.Map:
		return isStatement(u.Elem()) || isEmpty(u.Elem())
	case *types.Chan:
		return isEmpty(u.Elem())
	case *types.Signature:
		return u.Results().Len() == 1 && isStatement(u.Results().At(0).Type())
	case *types.Struct:
		return t.String() == "sync/atomic.Bool"
	case *types.Pointer:
		return isStatement(u.Elem())
	}
	return false
}

// isEmpty tells whether a type is struct{}.
func isEmpty(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	return ok && s.NumFields() == 0
}

// checkedPackage is the part of `go list -json` that type-checking needs.
type checkedPackage struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	Module                  *struct{ Main bool }
}

// measureLocals adds the locals of the module's packages that are named by a participle or an adverb. It needs types,
// because a boolean may be named so. Folder is the module's root.
func measureLocals(packages map[string]*figures, folder string) error {
	list, err := listPackages()
	if err != nil {
		return err
	}
	exports := map[string]string{}
	for _, p := range list {
		exports[p.ImportPath] = p.Export
	}
	files := token.NewFileSet()
	config := types.Config{Importer: importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})}
	for _, p := range list {
		if p.Module == nil || !p.Module.Main {
			continue
		}
		name, err := filepath.Rel(folder, p.Dir)
		if err != nil {
			return err
		}
		if f := packages[filepath.ToSlash(name)]; f != nil {
			if err := measurePackage(f, files, &config, p, filepath.ToSlash(name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// listPackages returns the packages of the module and all that they import, with their compiled types.
func listPackages() ([]checkedPackage, error) {
	command := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,Module", "./...")
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("list packages: %w", err)
	}
	var packages []checkedPackage
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p checkedPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("decode the list of packages: %w", err)
		}
		packages = append(packages, p)
	}
}

// measurePackage adds the locals of a package whose folder has a name.
func measurePackage(f *figures, files *token.FileSet, config *types.Config, p checkedPackage, name string) error {
	var sources []*ast.File
	for _, file := range p.GoFiles {
		text, err := os.ReadFile(filepath.Join(p.Dir, file))
		if err != nil {
			return err
		}
		source, err := parser.ParseFile(files, name+"/"+file, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		sources = append(sources, source)
	}
	return measureTypes(f, files, config, p.ImportPath, sources)
}

// measureTypes adds the locals of the files of a package.
func measureTypes(f *figures, files *token.FileSet, config *types.Config, path string, sources []*ast.File) error {
	info := types.Info{Defs: map[*ast.Ident]types.Object{}}
	if _, err := config.Check(path, files, sources, &info); err != nil {
		return fmt.Errorf("check types: %w", err)
	}
	for _, source := range sources {
		if ast.IsGenerated(source) {
			continue
		}
		for node := range ast.Preorder(source) {
			ident, ok := node.(*ast.Ident)
			if !ok {
				continue
			}
			v, ok := info.Defs[ident].(*types.Var)
			if !ok || v.Kind() != types.LocalVar && v.Kind() != types.ParamVar ||
				!isParticiple(v.Name()) || isStatement(v.Type()) {
				continue
			}
			at := files.Position(ident.Pos())
			f.add(locals, at.Filename, at.Line, v.Name())
		}
	}
	return nil
}

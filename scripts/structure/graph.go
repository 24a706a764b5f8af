package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// graph is the references between the files of a package: the number of names that a file uses of another one.
type graph map[edge]int

type edge struct{ from, to string }

// fill counts how many names of the package a file uses from each other file.
func (g graph) fill(fset *token.FileSet, pkg *types.Package, uses map[*ast.Ident]types.Object) {
	type reference struct {
		from   string
		object types.Object
	}
	counted := map[reference]bool{}
	for ident, object := range uses {
		if object.Pkg() != pkg || !isPackageLevel(object) {
			continue
		}
		e := edge{fset.Position(ident.Pos()).Filename, fset.Position(object.Pos()).Filename}
		r := reference{e.from, object}
		if e.from == e.to || counted[r] {
			continue
		}
		counted[r] = true
		g[e]++
	}
}

// isPackageLevel reports whether an object is declared at package level, or is a method or a field.
func isPackageLevel(object types.Object) bool {
	switch o := object.(type) {
	case *types.Func:
		return true
	case *types.Var:
		return o.IsField() || o.Parent() == o.Pkg().Scope()
	}
	return object.Parent() == object.Pkg().Scope()
}

func (g graph) total() (n int) {
	for _, references := range g {
		n += references
	}
	return n
}

// back returns how many references point backward in the best order of the files that it finds. Without them, no files
// need each other. The smallest number is hard to find, so files are moved to better places until no move helps.
func (g graph) back() int {
	order := g.files()
	for improved := true; improved; {
		improved = false
		for _, name := range slices.Sorted(slices.Values(order)) {
			if next, gain := g.sift(order, name); gain > 0 {
				order, improved = next, true
			}
		}
	}
	place, n := map[string]int{}, 0
	for i, name := range order {
		place[name] = i
	}
	for e, references := range g {
		if place[e.from] > place[e.to] {
			n += references
		}
	}
	return n
}

// files returns the files in an order to start from: files that use more of others than others use of these come first.
func (g graph) files() []string {
	weight := map[string]int{}
	for e, references := range g {
		weight[e.from] -= references
		weight[e.to] += references
	}
	names := slices.Sorted(maps.Keys(weight))
	slices.SortStableFunc(names, func(a, b string) int { return weight[a] - weight[b] })
	return names
}

// sift moves a file to its best place in the order, and returns the new order and how many references less point
// backward.
func (g graph) sift(order []string, name string) (next []string, gain int) {
	from := slices.Index(order, name)
	rest := slices.Delete(slices.Clone(order), from, from+1)
	// change is the difference in references that point backward between the place i and the first place.
	change, best, at, here := 0, 0, 0, 0
	for i := 0; i <= len(rest); i++ {
		if i > 0 {
			before := rest[i-1]
			change += g[edge{name, before}] - g[edge{before, name}]
		}
		if i == from {
			here = change
		}
		if change < best {
			best, at = change, i
		}
	}
	return slices.Insert(rest, at, name), here - best
}

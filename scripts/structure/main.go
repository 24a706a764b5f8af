// Command structure measures the structure of checkouts of this module and prints one column for each: the packages
// and their imports, the references between the files of a package, and the lines of code by area. It compares a
// design with an earlier one.
//
// Product code is the Go code and the templates below internal and cmd. Tests, packages that only tests use, generated
// code and scripts are not counted.
//
// Usage: go run ./scripts/structure DIRECTORY...; scripts/structure.sh REVISION compares the checkout with a revision.
package main

import (
	"fmt"
	"os"
	"strings"
)

// areas are the folders whose files are measured apart.
var areas = []string{"internal/dashboard", "internal/cards", "internal/listings"}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: structure DIRECTORY...")
		os.Exit(2)
	}
	var columns []table
	for _, dir := range os.Args[1:] {
		column, err := measure(dir)
		if err != nil {
			fmt.Fprintf(os.Stderr, "structure: measure %s: %v\n", dir, err)
			os.Exit(1)
		}
		columns = append(columns, column)
	}
	printTable(columns)
}

// table is the figures of one checkout, in the order in which they are printed.
type table []figure

type figure struct{ name, value string }

func (t *table) add(name, format string, args ...any) {
	*t = append(*t, figure{name, fmt.Sprintf(format, args...)})
}

// value returns the figure of a name. Areas differ between checkouts, so a figure may be missing.
func (t table) value(name string) string {
	for _, f := range t {
		if f.name == name {
			return f.value
		}
	}
	return ""
}

// printTable prints a Markdown table with a column for each checkout.
func printTable(columns []table) {
	fmt.Printf("| |%s\n|---|%s\n", strings.Join(os.Args[1:], " | ")+" |", strings.Repeat("---|", len(columns)))
	printed := map[string]bool{}
	for _, column := range columns {
		for _, f := range column {
			if printed[f.name] {
				continue
			}
			printed[f.name] = true
			fmt.Printf("| %s |", f.name)
			for _, other := range columns {
				fmt.Printf(" %s |", other.value(f.name))
			}
			fmt.Println()
		}
	}
}

// measure returns the figures of the checkout in a directory.
func measure(dir string) (table, error) {
	packages, err := load(dir)
	if err != nil {
		return nil, err
	}
	var t table
	addImports(&t, packages)
	for _, area := range areas {
		addArea(&t, area, packages)
	}
	addLines(&t, dir, packages)
	return t, nil
}

func addImports(t *table, packages []*pkg) {
	arrows, importers := 0, map[string]int{}
	for _, p := range packages {
		arrows += len(p.imports)
		for _, path := range p.imports {
			importers[path]++
		}
	}
	widest, name := 0, ""
	for path, n := range importers {
		if n > widest || n == widest && path < name {
			widest, name = n, path
		}
	}
	t.add("packages", "%d", len(packages))
	t.add("imports between them", "%d", arrows)
	t.add("most imports of a package", "%s", mostImports(packages))
	t.add("most importers of a package", "%d (%s)", widest, name)
}

// mostImports returns the largest number of imports of a package, and its name.
func mostImports(packages []*pkg) string {
	widest := packages[0]
	for _, p := range packages {
		if len(p.imports) > len(widest.imports) {
			widest = p
		}
	}
	return fmt.Sprintf("%d (%s)", len(widest.imports), widest.path)
}

func addArea(t *table, area string, packages []*pkg) {
	var inside []*pkg
	files, references, back := 0, 0, 0
	for _, p := range packages {
		if p.path != area && !strings.HasPrefix(p.path, area+"/") {
			continue
		}
		inside = append(inside, p)
		files += len(p.files)
		references += p.references.total()
		back += p.references.back()
	}
	t.add(area+": packages, files", "%d, %d", len(inside), files)
	t.add(area+": most imports of a package", "%s", mostImports(inside))
	t.add(area+": references between files of a package", "%d", references)
	t.add(area+": references to cut so that no files need each other", "%d", back)
}

// Command stylecheck checks the parts of CONTRIBUTING.md's style that a machine can check:
//
//   - length: lines of Go files have at most 120 columns, where a tab counts as 4
//   - names: a test is named TestSubject or TestSubject_Case
//   - words: comments, strings and documents contain none of the phrases in words.go
//   - constructions: a package uses the constructions in constructions.go no more often than their limits or
//     exceptions.txt allow
//   - commits: the subjects of commits since baseCommit read "package: imperative"
//
// Generated code, test data and released contracts are not checked.
//
// Usage, in the module's root: go run ./scripts/stylecheck [-counts] [-update]
//
// With -counts it prints how often each package uses each construction. With -update it writes the lower figures of
// packages that improved to exceptions.txt.
package main

import (
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"
)

// finding is a place that breaks a rule.
type finding struct {
	rule    string
	path    string // from the module's root; the hash of a commit
	line    int    // 0 where there is none
	message string
}

func (f finding) String() string {
	if f.line == 0 {
		return fmt.Sprintf("%s: %s (%s)", f.path, f.message, f.rule)
	}
	return fmt.Sprintf("%s:%d: %s (%s)", f.path, f.line, f.message, f.rule)
}

func main() {
	counts := flag.Bool("counts", false, "print how often each package uses each construction")
	update := flag.Bool("update", false, "lower the figures of exceptions")
	flag.Parse()
	findings, err := run(*counts, *update)
	if err != nil {
		fmt.Fprintln(os.Stderr, "stylecheck:", err)
		os.Exit(1)
	}
	for _, f := range findings {
		fmt.Fprintln(os.Stderr, f)
	}
	if len(findings) > 0 {
		os.Exit(1)
	}
}

// run checks the module in the working directory.
func run(counts, update bool) ([]finding, error) {
	root := os.DirFS(".")
	findings, err := checkFiles(root)
	if err != nil {
		return nil, err
	}
	commits, err := checkCommits()
	if err != nil {
		return nil, err
	}
	packages, err := measure(root)
	if err != nil {
		return nil, err
	}
	exceptions, err := readExceptions()
	if err != nil {
		return nil, err
	}
	if update {
		exceptions = lower(packages, exceptions)
		if err := os.WriteFile(exceptionsFile, []byte(formatExceptions(exceptions)), 0o644); err != nil {
			return nil, err
		}
	}
	if counts {
		printCounts(os.Stdout, packages)
	}
	return slices.Concat(findings, commits, checkConstructions(packages, exceptions)), nil
}

// measure counts the constructions by package of the module in the working directory.
func measure(root fs.FS) (map[string]*figures, error) {
	packages, err := measureFiles(root)
	if err != nil {
		return nil, err
	}
	folder, err := filepath.Abs(".")
	if err != nil {
		return nil, err
	}
	return packages, measureLocals(packages, folder)
}

// printCounts prints a table of packages and their figures.
func printCounts(out io.Writer, packages map[string]*figures) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "comment lines\tlines of code\tthat of\twhat is\tof which\tparticiples\terrors\t  package\n")
	total := &figures{}
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		printFigures(table, packages[name], name)
		total.merge(packages[name])
	}
	printFigures(table, total, "all")
	table.Flush()
}

// printFigures prints a row of the table.
func printFigures(table io.Writer, f *figures, name string) {
	fmt.Fprintf(table, "%d\t%d\t", f.comments, f.code)
	for _, count := range f.counts {
		fmt.Fprintf(table, "%d\t", count)
	}
	fmt.Fprintf(table, "  %s\n", name)
}

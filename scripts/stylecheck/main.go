// Command stylecheck checks what a machine can check of the style that CONTRIBUTING.md describes:
//
//   - length: lines of Go files have at most 120 columns, where a tab counts as 4
//   - names: a test is named TestSubject or TestSubject_Case
//   - words: comments, strings and documents contain none of the phrases in words.go
//   - commits: the subjects of commits since baseCommit read "package: imperative"
//
// Generated code, test data and released contracts are not checked. allow.txt lists files that still break a rule. The
// list only shrinks: an entry for a file that no longer breaks its rule is an error.
//
// Usage, in the module's root: go run ./scripts/stylecheck [-prune]
package main

import (
	"flag"
	"fmt"
	"os"
)

// allowFile lists the exceptions.
const allowFile = "scripts/stylecheck/allow.txt"

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
	prune := flag.Bool("prune", false, "remove the entries of "+allowFile+" that are no longer needed")
	flag.Parse()
	findings, err := run(*prune)
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

// run checks the module in the working directory and returns the findings that are not allowed.
func run(prune bool) ([]finding, error) {
	allowed, err := readAllowed(allowFile)
	if err != nil {
		return nil, err
	}
	findings, err := checkFiles(os.DirFS("."))
	if err != nil {
		return nil, err
	}
	findings, unused := allowed.filter(findings)
	if prune {
		if err := allowed.remove(allowFile, unused); err != nil {
			return nil, err
		}
		unused = nil
	}
	for _, e := range unused {
		findings = append(findings, finding{
			"allow", e.path, 0, fmt.Sprintf("no longer breaks the rule %s: delete its line in %s", e.rule, allowFile),
		})
	}
	commits, err := checkCommits()
	return append(findings, commits...), err
}

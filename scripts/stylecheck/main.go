// Command stylecheck checks what a machine can check of the style that CONTRIBUTING.md describes:
//
//   - length: lines of Go files have at most 120 columns, where a tab counts as 4
//   - names: a test is named TestSubject or TestSubject_Case
//   - words: comments, strings and documents contain none of the phrases in words.go
//   - commits: the subjects of commits since baseCommit read "package: imperative"
//
// Generated code, test data and released contracts are not checked.
//
// Usage, in the module's root: go run ./scripts/stylecheck
package main

import (
	"fmt"
	"os"
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
	findings, err := run()
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
func run() ([]finding, error) {
	findings, err := checkFiles(os.DirFS("."))
	if err != nil {
		return nil, err
	}
	commits, err := checkCommits()
	return append(findings, commits...), err
}

// Command changelog updates the changelog of the contract with the changes that oasdiff prints, from standard input:
//
//	changelog write FILE                      writes the section "Unreleased"
//	changelog check FILE                      fails if that would change it
//	changelog release FILE VERSION DATE       writes it and moves it to a section of the version
//
// Before the first release there is nothing to compare with: with the option -first no input is read.
//
// A list "Fixed" at the end of the section "Unreleased" stays as it is: it is written by hand.
//
// oasdiff's own changelog (--format markdown) is not used, because it lists each change at each operation and status: a
// new field of cards, a new marketplace and a new response header take 200 lines there and 14 here. Its --template
// cannot merge them: a template sees one operation at a time, and not the level of a change. Sections of releases would
// still be ours.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/cardvault/cardvault/openapi"
)

func main() {
	first := flag.Bool("first", false, "nothing has been released yet")
	flag.Parse()
	if err := run(flag.Args(), *first, os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "changelog:", err)
		os.Exit(1)
	}
}

var errUsage = errors.New(
	"usage: changelog [-first] write|check FILE, or release FILE VERSION DATE; reads the JSON of oasdiff")

// run carries out one command; changes is oasdiff's JSON.
func run(args []string, first bool, changes io.Reader) error {
	if len(args) < 2 {
		return errUsage
	}
	path := args[1]
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	f, err := parse(string(old))
	if err != nil {
		return err
	}
	text, err := section(first, changes)
	if err != nil {
		return err
	}
	f.unreleased = withFixes(text, f.unreleased)
	switch {
	case args[0] == "check" && len(args) == 2:
		if f.String() != string(old) {
			return fmt.Errorf("%s is out of date: run scripts/contract/changelog.sh and commit the result", path)
		}
		return nil
	case args[0] == "release" && len(args) == 4:
		if f, err = f.release(args[2], args[3]); err != nil {
			return err
		}
	case args[0] != "write" || len(args) != 2:
		return errUsage
	}
	return os.WriteFile(path, []byte(f.String()), 0o644)
}

// section returns the new content of "Unreleased".
func section(first bool, changes io.Reader) (string, error) {
	if first {
		return "The first release.\n", nil
	}
	list, err := readChanges(changes)
	if err != nil {
		return "", err
	}
	doc, err := openapi3.NewLoader().LoadFromData(openapi.V1)
	if err != nil {
		return "", err
	}
	operations := 0
	for _, item := range doc.Paths.Map() {
		operations += len(item.Operations())
	}
	return render(list, operations), nil
}

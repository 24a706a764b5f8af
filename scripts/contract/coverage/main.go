// Command coverage compares the responses that tests received with the contracts: each operation, status and error
// code. It prints a table and the responses that no test produced, and fails if there are any.
//
//	go run ./scripts/contract/coverage FOLDER
//
// FOLDER holds the records of the test processes: apitest.SeenVariable.
package main

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/cardvault/cardvault/internal/api/apitest"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: coverage FOLDER")
		os.Exit(2)
	}
	complete, err := run(os.Stdout, os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "coverage:", err)
		os.Exit(1)
	}
	if !complete {
		os.Exit(1)
	}
}

// run writes the report and says whether everything that is promised was seen.
func run(out io.Writer, folder string) (bool, error) {
	all, err := apitest.Promised()
	if err != nil {
		return false, err
	}
	seen, err := apitest.ReadSeen(folder)
	if err != nil {
		return false, err
	}
	if len(seen) == 0 {
		return false, fmt.Errorf("%s holds nothing: run the tests with %s set to it", folder, apitest.SeenVariable)
	}
	r := compare(all, seen, apitest.Codes())
	r.write(out)
	return r.complete(), nil
}

// report is what became of the promises.
type report struct {
	operations []operation
	missing    []apitest.Response // promised, never seen
	unseen     []string           // codes that no response had
}

// operation is how many of one operation's promised responses were seen.
type operation struct {
	version, name  string
	seen, promised int
}

func compare(all, seen []apitest.Response, codes []string) report {
	var r report
	for _, p := range all {
		last := len(r.operations) - 1
		if last < 0 || r.operations[last].version != p.Version || r.operations[last].name != p.Operation {
			r.operations = append(r.operations, operation{version: p.Version, name: p.Operation})
			last++
		}
		r.operations[last].promised++
		if slices.Contains(seen, p) {
			r.operations[last].seen++
		} else {
			r.missing = append(r.missing, p)
		}
	}
	for _, code := range codes {
		if !slices.ContainsFunc(seen, func(a apitest.Response) bool { return a.Code == code }) {
			r.unseen = append(r.unseen, code)
		}
	}
	return r
}

func (r report) complete() bool { return len(r.missing)+len(r.unseen) == 0 }

func (r report) write(out io.Writer) {
	seen, total := 0, 0
	for _, op := range r.operations {
		fmt.Fprintf(out, "%-4s%-18s%3d of %3d responses seen\n", op.version, op.name, op.seen, op.promised)
		seen, total = seen+op.seen, total+op.promised
	}
	fmt.Fprintf(out, "%-22s%3d of %3d responses of %d operations seen\n", "all", seen, total, len(r.operations))
	for _, a := range r.missing {
		fmt.Fprintln(out, "no test produces", a)
	}
	for _, code := range r.unseen {
		fmt.Fprintln(out, "no test produces the code", code)
	}
}

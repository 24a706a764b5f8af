package apitest

import (
	"bufio"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// SeenVariable is the environment variable with the folder in which each test process records the responses that it
// validated, for scripts/contract/coverage.
const SeenVariable = "CARDVAULT_TEST_SEEN"

// notes are the responses that were validated in this process, in memory and in the process's file.
var notes = struct {
	sync.Mutex
	seen map[Response]bool
	file *os.File
}{seen: map[Response]bool{}}

// note records a response.
func note(r Response) error {
	notes.Lock()
	defer notes.Unlock()
	if notes.seen[r] {
		return nil
	}
	notes.seen[r] = true
	if notes.file == nil {
		file, err := openNotes()
		if file == nil {
			return err
		}
		notes.file = file
	}
	_, err := fmt.Fprintln(notes.file, r)
	return err
}

// openNotes creates the process's file. A run of only some tests of a package does not write it, because it would
// replace the file of a complete run.
func openNotes() (*os.File, error) {
	folder := os.Getenv(SeenVariable)
	if folder == "" || filtered() {
		return nil, nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	return os.Create(filepath.Join(folder, filepath.Base(os.Args[0])))
}

func filtered() bool {
	for _, name := range []string{"test.run", "test.skip"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" {
			return true
		}
	}
	return false
}

// Seen returns the responses that were validated in this process, sorted.
func Seen() []Response {
	notes.Lock()
	defer notes.Unlock()
	return sorted(notes.seen)
}

// ReadSeen returns the responses that test processes recorded in a folder, sorted.
func ReadSeen(folder string) ([]Response, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		return nil, err
	}
	seen := map[Response]bool{}
	for _, name := range files {
		if err := readNotes(name, seen); err != nil {
			return nil, err
		}
	}
	return sorted(seen), nil
}

func readNotes(name string, seen map[Response]bool) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		r, err := parseResponse(lines.Text())
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		seen[r] = true
	}
	return lines.Err()
}

// Uncalled returns the operations of v1 without a successful response that was validated in this process.
func Uncalled() []string {
	called := map[string]bool{}
	for _, r := range Seen() {
		if r.Version == v1().version && r.Status < http.StatusMultipleChoices {
			called[r.Operation] = true
		}
	}
	var rest []string
	for _, item := range v1().spec.Paths.Map() {
		for _, operation := range item.Operations() {
			if !called[operation.OperationID] {
				rest = append(rest, operation.OperationID)
			}
		}
	}
	slices.Sort(rest)
	return rest
}

func sorted(responses map[Response]bool) []Response {
	all := make([]Response, 0, len(responses))
	for r := range responses {
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b Response) int { return strings.Compare(a.String(), b.String()) })
	return all
}

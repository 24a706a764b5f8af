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

// SeenVariable names the environment variable that holds a folder: every test process notes there which answers it has
// validated, for scripts/contract/coverage.
const SeenVariable = "CARDVAULT_TEST_SEEN"

// notes are the answers that were validated in this process, in memory and in the process's file.
var notes = struct {
	sync.Mutex
	seen map[Answer]bool
	file *os.File
}{seen: map[Answer]bool{}}

// note remembers an answer.
func note(a Answer) error {
	notes.Lock()
	defer notes.Unlock()
	if notes.seen[a] {
		return nil
	}
	notes.seen[a] = true
	if notes.file == nil {
		file, err := openNotes()
		if file == nil {
			return err
		}
		notes.file = file
	}
	_, err := fmt.Fprintln(notes.file, a)
	return err
}

// openNotes makes the process's file anew. A run of some of a package's tests writes none: it would take the place of
// the notes of a whole run.
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

// Seen returns the answers that were validated in this process, sorted.
func Seen() []Answer {
	notes.Lock()
	defer notes.Unlock()
	return sorted(notes.seen)
}

// ReadSeen returns the answers that test processes have noted in a folder, sorted.
func ReadSeen(folder string) ([]Answer, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		return nil, err
	}
	seen := map[Answer]bool{}
	for _, name := range files {
		if err := readNotes(name, seen); err != nil {
			return nil, err
		}
	}
	return sorted(seen), nil
}

func readNotes(name string, seen map[Answer]bool) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		a, err := parseAnswer(lines.Text())
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		seen[a] = true
	}
	return lines.Err()
}

// Uncalled returns the operations of v1 of which no successful answer was validated in this process.
func Uncalled() []string {
	called := map[string]bool{}
	for _, a := range Seen() {
		if a.Version == v1().version && a.Status < http.StatusMultipleChoices {
			called[a.Operation] = true
		}
	}
	var uncalled []string
	for _, item := range v1().spec.Paths.Map() {
		for _, operation := range item.Operations() {
			if !called[operation.OperationID] {
				uncalled = append(uncalled, operation.OperationID)
			}
		}
	}
	slices.Sort(uncalled)
	return uncalled
}

func sorted(answers map[Answer]bool) []Answer {
	all := make([]Answer, 0, len(answers))
	for a := range answers {
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b Answer) int { return strings.Compare(a.String(), b.String()) })
	return all
}

package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// entry allows a file to break a rule.
type entry struct{ rule, path string }

func (e entry) String() string { return e.rule + " " + e.path }

// allowList is the content of the file of exceptions: comments, empty lines, and an entry "rule path" a line.
type allowList struct {
	lines   []string
	entries []entry
}

func readAllowed(name string) (*allowList, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return parseAllowed(string(text))
}

func parseAllowed(text string) (*allowList, error) {
	list := &allowList{lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n")}
	for i, line := range list.lines {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		rule, path, found := strings.Cut(line, " ")
		if !found {
			return nil, fmt.Errorf("line %d of the allow list: want RULE PATH, got %q", i+1, line)
		}
		list.entries = append(list.entries, entry{rule, path})
	}
	return list, nil
}

// filter returns the findings that no entry allows, and the entries that allowed none.
func (l *allowList) filter(findings []finding) (rest []finding, unused []entry) {
	used := map[entry]bool{}
	for _, f := range findings {
		if e := (entry{f.rule, f.path}); slices.Contains(l.entries, e) {
			used[e] = true
			continue
		}
		rest = append(rest, f)
	}
	for _, e := range l.entries {
		if !used[e] {
			unused = append(unused, e)
		}
	}
	return rest, unused
}

// remove writes the list without the given entries.
func (l *allowList) remove(name string, unused []entry) error {
	return os.WriteFile(name, []byte(l.without(unused)), 0o644)
}

func (l *allowList) without(unused []entry) string {
	var text strings.Builder
	for _, line := range l.lines {
		if !slices.ContainsFunc(unused, func(e entry) bool { return e.String() == line }) {
			text.WriteString(line + "\n")
		}
	}
	return text.String()
}

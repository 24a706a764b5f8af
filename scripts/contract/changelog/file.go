package main

import (
	"fmt"
	"regexp"
	"strings"
)

const (
	unreleased = "## Unreleased\n"
	fixes      = "### Fixed\n"
)

// file is a changelog: a head, the section "Unreleased", and the sections of the releases, newest first.
type file struct{ head, unreleased, releases string }

// parse takes a changelog apart.
func parse(text string) (file, error) {
	head, rest, found := strings.Cut(text, unreleased)
	if !found || strings.Contains(rest, unreleased) {
		return file{}, fmt.Errorf("the changelog must have one section %q", strings.TrimSpace(unreleased))
	}
	f := file{head: head, unreleased: rest}
	if at := strings.Index(rest, "\n## "); at >= 0 {
		f.unreleased, f.releases = rest[:at], rest[at+1:]
	}
	f.unreleased = strings.Trim(f.unreleased, "\n") + "\n"
	return f, nil
}

// String puts the changelog together again.
func (f file) String() string {
	text := f.head + unreleased + "\n" + f.unreleased
	if f.releases != "" {
		text += "\n" + f.releases
	}
	return text
}

// withFixes returns a generated section with the list "Fixed" of the section that it replaces.
func withFixes(newText, old string) string {
	at := strings.Index(old, fixes)
	switch {
	case at < 0:
		return newText
	case newText == nothing:
		return old[at:]
	}
	return newText + "\n" + old[at:]
}

var (
	version = regexp.MustCompile(`^1\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$`)
	day     = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
)

// wordsOnly is the text of a release in which oasdiff finds no change.
const wordsOnly = "Descriptions and examples alone.\n"

// release moves the content of "Unreleased" to a new section.
func (f file) release(name, date string) (file, error) {
	switch {
	case !version.MatchString(name):
		return file{}, fmt.Errorf("%q is no version of v1 such as 1.2.0", name)
	case !day.MatchString(date):
		return file{}, fmt.Errorf("%q is no date such as 2026-11-20", date)
	case strings.Contains(f.releases, "## "+name+" "):
		return file{}, fmt.Errorf("%s has been released before", name)
	}
	if f.unreleased == nothing {
		f.unreleased = wordsOnly
	}
	section := fmt.Sprintf("## %s (%s)\n\n%s", name, date, f.unreleased)
	if f.releases != "" {
		section += "\n" + f.releases
	}
	return file{head: f.head, unreleased: nothing, releases: section}, nil
}

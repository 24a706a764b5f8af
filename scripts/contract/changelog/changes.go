package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/cardvault/cardvault/openapi"
)

// change is one line of `oasdiff changelog --format json`: one rule, at one operation and status.
type change struct {
	ID        string `json:"id"`
	Text      string `json:"text"`
	Level     int    `json:"level"`
	Operation string `json:"operation"` // the method; "" for what concerns the whole document
	Path      string `json:"path"`
}

// The levels of oasdiff that are set apart.
const (
	levelWarning = 2
	levelError   = 3
)

func readChanges(r io.Reader) ([]change, error) {
	var changes []change
	if err := json.NewDecoder(r).Decode(&changes); err != nil {
		return nil, fmt.Errorf("what oasdiff says is not understood: %w", err)
	}
	return changes, nil
}

// nothing is the section of a contract that is as it was released.
const nothing = "Nothing yet.\n"

// headings are the groups of a section, in their order.
var headings = []string{"Breaking", "Security fixes", "To look at", "Added", "Changed"}

// heading returns the group that a change belongs to.
func (c change) heading() string {
	switch {
	case c.Level == levelError:
		return "Breaking"
	case c.refusesBlank() != "":
		return "Security fixes"
	case c.Level == levelWarning:
		return "To look at"
	case strings.Contains(c.ID, "added") || strings.HasPrefix(c.ID, "new-"):
		return "Added"
	}
	return "Changed"
}

// patternPhrase is how oasdiff describes another pattern: of what, from which, to which, and the media type.
var patternPhrase = regexp.MustCompile("^changed the pattern of (.+) from `.*` to `(.*)`( \\(media type: [^ ]+\\))?$")

// refusesBlank returns the text of a change to a pattern that refuses blank text or line breaks, or "" for any other
// change.
func (c change) refusesBlank() string {
	match := patternPhrase.FindStringSubmatch(c.Text)
	if match == nil || !strings.HasSuffix(c.ID, "-pattern-changed") || refusals()[match[2]] == "" {
		return ""
	}
	return "refused " + refusals()[match[2]] + ", in " + match[1] + match[3]
}

// refusals returns the values that the patterns of texts refuse now.
var refusals = sync.OnceValue(func() map[string]string {
	doc, err := openapi.ParseV1()
	if err != nil {
		panic(fmt.Errorf("changelog: %w", err))
	}
	values := map[string]string{}
	for schema, text := range map[string]string{
		"Title":    "blank text, such as a space or a zero-width character, and line breaks of Unicode",
		"Location": "line breaks of Unicode, such as a line separator",
	} {
		if doc.Components.Schemas[schema] == nil {
			panic("changelog: the contract has no schema " + schema)
		}
		values[doc.Components.Schemas[schema].Value.Pattern] = text
	}
	return values
})

// statusPhrase is how oasdiff ends a text with the status that it is about.
var statusPhrase = regexp.MustCompile(
	"( for the (?:response )?status| to the response with the| from the response with the) `([0-9]+)`(?: status)?")

// entry is a change wherever it applies.
type entry struct{ operations, statuses map[string]bool }

// nameList is how oasdiff writes several names.
var nameList = regexp.MustCompile("`[^`, ]+(, [^`, ]+)+`")

// sortNames sorts the names in lists, which oasdiff writes in any order.
func sortNames(text string) string {
	return nameList.ReplaceAllStringFunc(text, func(list string) string {
		names := strings.Split(strings.Trim(list, "`"), ", ")
		slices.Sort(names)
		return "`" + strings.Join(names, ", ") + "`"
	})
}

// render returns the changes as the text of a section. A change that applies to several operations and statuses is one
// entry. total is the number of operations in the contract.
func render(changes []change, total int) string {
	groups := map[string]map[string]entry{}
	for _, c := range changes {
		text, status := sortNames(cmp.Or(c.refusesBlank(), c.Text)), ""
		if match := statusPhrase.FindStringSubmatch(text); match != nil {
			text, status = statusPhrase.ReplaceAllString(text, ""), match[2]
		}
		if groups[c.heading()] == nil {
			groups[c.heading()] = map[string]entry{}
		}
		e, known := groups[c.heading()][text]
		if !known {
			e = entry{map[string]bool{}, map[string]bool{}}
			groups[c.heading()][text] = e
		}
		if c.Path != "" {
			e.operations[c.Path+" "+c.Operation] = true
		}
		if status != "" {
			e.statuses[status] = true
		}
	}
	var b strings.Builder
	for _, heading := range headings {
		if entries := groups[heading]; len(entries) > 0 {
			fmt.Fprintf(&b, "### %s\n\n", heading)
			for _, text := range slices.Sorted(maps.Keys(entries)) {
				fmt.Fprintf(&b, "- %s%s\n", text, entries[text].where(total))
			}
			b.WriteByte('\n')
		}
	}
	if b.Len() == 0 {
		return nothing
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// fewStatuses is how many are worth naming; more mean all that matter.
const fewStatuses = 3

// where says which operations and statuses an entry is about.
func (e entry) where(total int) string {
	var where string
	switch {
	case len(e.operations) == 0:
	case len(e.operations) == total && total > 1:
		where = ": every operation"
	default:
		var names []string
		for _, operation := range slices.Sorted(maps.Keys(e.operations)) {
			path, method, _ := strings.Cut(operation, " ")
			names = append(names, "`"+method+" "+path+"`")
		}
		where = ": " + strings.Join(names, ", ")
	}
	if statuses := slices.Sorted(maps.Keys(e.statuses)); len(statuses) > 0 && len(statuses) <= fewStatuses {
		where += " (" + strings.Join(statuses, ", ") + ")"
	}
	return where
}

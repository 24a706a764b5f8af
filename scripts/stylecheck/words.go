package main

import (
	"fmt"
	"regexp"
	"strings"
)

// phrase is one that prose does not use, and what to write instead.
type phrase struct{ pattern, instead string }

// phrases are regular expressions for whole words. Case is ignored.
var phrases = []phrase{
	{`nobody|somebody|whoever`, `name the subject: "no process", "a client that"`},
	{`(is|are|was|were|be|been|being|gets?)\s+told`, `name who says it: "the server returns"`},
	{`ha(s|ve|d|ving)\s+(a|an|it|one|the|them|these|this|those|two)\s+(\w+\s+)?(done|made|sent|set|written)`,
		`name who does it: "create one"`},
	{`anew`, `again, or a verb: "regenerate"`},
	{`appetite`, `claim limit`},
	{`ballast`, `the garbage collector's settings`},
	{`crowded`, `saturated`},
	{`finisher`, `completer`},
	{`fleeting`, `no-store`},
	{`house`, `environment, module`},
	{`hungry`, `needs claim`},
	{`lanes?`, `endpoint queue`},
	{`reseal(s|ed|ing)?`, `re-encrypt`},
	{`saysitself|x-says`, `x-validation-message`},
	{`sendpast`, `backfill`},
	{`settles?|settled`, `finalize, store`},
	{`sidebyside|side\s+by\s+side`, `in parallel, concurrently`},
	{`spoilt`, `partially applied`},
	{`standin`, `sandboxmarket`},
	{`strands?`, `in flight`},
	{`tempo`, `throttle`},
	{`unhurried`, `a timeout or an interval`},
}

// banned matches any of the phrases. Each has a group, so that a match names its phrase.
var banned = func() *regexp.Regexp {
	var groups []string
	for i, p := range phrases {
		groups = append(groups, fmt.Sprintf("(?P<p%d>%s)", i, p.pattern))
	}
	return regexp.MustCompile(`(?i)\b(?:` + strings.Join(groups, "|") + `)\b`)
}()

// checkWords finds banned phrases in a text that begins at a line of a file.
func checkWords(name string, line int, text string) []finding {
	var findings []finding
	for _, m := range banned.FindAllStringSubmatchIndex(text, -1) {
		match := strings.Join(strings.Fields(text[m[0]:m[1]]), " ")
		at := line + strings.Count(text[:m[0]], "\n")
		findings = append(findings, finding{"words", name, at, fmt.Sprintf("%q: %s", match, phraseOf(m).instead)})
	}
	return findings
}

// phraseOf returns the phrase of a match.
func phraseOf(match []int) phrase {
	for i, p := range phrases {
		group := banned.SubexpIndex(fmt.Sprintf("p%d", i))
		if match[2*group] >= 0 {
			return p
		}
	}
	panic("a match without a group")
}

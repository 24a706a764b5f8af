package portal

import (
	"slices"
	"strings"
)

// The kinds of entries.
const (
	kindGuide     = "guide"
	kindOperation = "operation"
	kindField     = "field"
	kindCode      = "error code"
)

// entry is a result of a search: a section of a guide, an operation, a field or an error code.
type entry struct {
	Kind    string
	Title   string
	Context string // the guide of a section, the method and path of an operation, the owner of a field
	Address string
	Text    string
	title   []string // the stems of Title without stop words
}

// named returns how many words of the entry's title the query names.
func (e *entry) named(words []queryWord) int {
	n := 0
	for _, stem := range e.title {
		if slices.ContainsFunc(words, func(q queryWord) bool { return q.stem == stem }) {
			n++
		}
	}
	return n
}

// newIndex indexes the guides, the operations, the fields and the error codes. Equally good results keep this order.
func newIndex(pages []*page, c *contract) (*index, error) {
	x := &index{words: map[string]*indexedWord{}}
	for _, p := range pages {
		x.addGuide(p)
	}
	for _, o := range c.operations {
		text := flow(o.Description)
		if len(o.Parameters) > 0 {
			text += "\nParameters: " + strings.Join(o.Parameters, ", ")
		}
		x.add(entry{Kind: kindOperation, Title: o.Summary, Context: o.call(), Address: o.address(), Text: text},
			weightedText{o.Summary, inTitle}, weightedText{o.call() + " " + o.ID, inHeading},
			weightedText{text, inText})
	}
	for _, f := range c.fields() {
		x.add(entry{Kind: kindField, Title: f.Name, Context: f.owner(), Address: f.Address, Text: f.Description},
			weightedText{f.Name, inName}, weightedText{strings.Join(f.Owners, " "), inText},
			weightedText{f.Description, inText})
	}
	advices, err := c.advices()
	if err != nil {
		return nil, err
	}
	for _, code := range c.codes {
		text := flow(advices[code].Meaning + " " + advices[code].Action)
		x.add(entry{Kind: kindCode, Title: code, Address: errorsPath + "#" + code, Text: text},
			weightedText{code, inName}, weightedText{text, inText})
	}
	return x, nil
}

// addGuide adds a page and its sections. The sections of the changelog are left out: they name every operation and
// field.
func (x *index) addGuide(p *page) {
	text := p.Summary
	if len(p.Sections) > 0 {
		text = p.Sections[0].Text
	}
	x.add(entry{Kind: kindGuide, Title: p.Title, Address: p.Path, Text: text},
		weightedText{p.Title, inTitle}, weightedText{text, inText})
	if len(p.Sections) == 0 || p.Path == changelogPath {
		return
	}
	for _, s := range p.Sections[1:] {
		x.add(entry{Kind: kindGuide, Title: s.Title, Context: p.Title, Address: p.Path + "#" + s.ID, Text: s.Text},
			weightedText{s.Title, inHeading}, weightedText{p.Title, inText}, weightedText{s.Text, inText})
	}
}

package portal

import (
	"cmp"
	"slices"
	"strings"
)

const (
	searchPath = root + "/search"
	maxQuery   = 100 // bytes of a query that are used
	maxResults = 30
	around     = 160 // bytes of a result's excerpt
)

// index holds the searchable entries: the sections of the guides and the operations of the API. A search scans all of
// them, because they are only a few hundred.
type index []entry

type entry struct {
	Page, Title, Address, Text string
	lower                      string // the page, the title and the text in lower case
}

// result is an entry that a search found, with the text around the first word.
type result struct {
	Page, Title, Address string
	Before, Match, After string
	rank                 int
}

func newIndex(pages []*page, c *contract) index {
	var out index
	add := func(e entry) {
		e.lower = strings.ToLower(e.Page + " " + e.Title + " " + e.Text)
		out = append(out, e)
	}
	for _, p := range pages {
		for _, s := range p.Sections {
			address := p.Path
			if s.ID != "" {
				address += "#" + s.ID
			}
			add(entry{Page: p.Title, Title: s.Title, Address: address, Text: s.Text})
		}
	}
	for _, o := range c.operations {
		add(entry{
			Page: "API reference", Title: o.Summary, Address: o.address(),
			Text: strings.Join([]string{
				o.Method, o.Path, o.ID + ":",
				strings.Join(strings.Fields(o.Description), " "), strings.Join(o.Parameters, ", "),
			}, " "),
		})
	}
	return out
}

// find returns the entries that contain every word of the query. An operation that the query names comes first, then
// entries with the words in their title.
func (x index) find(query string) []result {
	words := strings.Fields(strings.ToLower(query[:min(len(query), maxQuery)]))
	if len(words) == 0 {
		return nil
	}
	var found []result
	for _, e := range x {
		if r, ok := e.match(words); ok {
			found = append(found, r)
		}
	}
	slices.SortStableFunc(found, func(a, b result) int { return cmp.Compare(b.rank, a.rank) })
	return found[:min(len(found), maxResults)]
}

func (e entry) match(words []string) (result, bool) {
	r := result{Page: e.Page, Title: e.Title, Address: e.Address}
	title := strings.ToLower(e.Title)
	for _, word := range words {
		if !strings.Contains(e.lower, word) {
			return result{}, false
		}
		if strings.Contains(title, word) {
			r.rank++
		}
	}
	if strings.HasPrefix(strings.ToLower(e.Text), strings.Join(words, " ")) {
		r.rank += len(words) + 1
	}
	r.Before, r.Match, r.After = excerpt(e.Text, words[0])
	return r, true
}

// excerpt returns the part of a text around a word, cut at spaces. It returns the beginning of the text if the text
// does not contain the word, or if its length changes in lower case.
func excerpt(text, word string) (before, match, after string) {
	lower := strings.ToLower(text)
	at := strings.Index(lower, word)
	if at < 0 || len(lower) != len(text) {
		at, word = 0, ""
	}
	begin, end := max(0, at-around/2), min(len(text), at+len(word)+around)
	before, match, after = text[begin:at], text[at:at+len(word)], text[at+len(word):end]
	if _, rest, ok := strings.Cut(before, " "); ok && begin > 0 {
		before = "… " + rest
	}
	if cut := strings.LastIndexByte(after, ' '); cut >= 0 && end < len(text) {
		after = after[:cut] + " …"
	}
	return strings.ToValidUTF8(before, ""), match, strings.ToValidUTF8(after, "")
}

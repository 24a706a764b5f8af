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
)

// The weight of a word depends on where it is: in the title of a guide or of an operation, in a heading or in the
// address of an operation, in the name of a field or an error code, or in the text.
const (
	inTitle   = 400
	inHeading = 200
	inName    = 150
	inText    = 50
	// repeated is added for each further occurrence in the entry, up to maxRepeats.
	repeated   = 5
	maxRepeats = 4
	// complete is added if a query names all words of a title. If it names some, a share of complete is added.
	complete = 40
)

// index finds entries by their words. It is built once from the guides and the contract. A search compares its words
// with every word of the index, a few thousand words.
type index struct {
	entries []entry
	words   map[string]*indexedWord
}

// indexedWord is a word and the entries that have it.
type indexedWord struct {
	stem   string
	places []place
}

// place says where in an entry a word is.
type place struct {
	entry   int
	weight  int // of the best occurrence
	repeats int // occurrences after the first
}

// result is an entry that a search found.
type result struct {
	entry
	Excerpt []fragment // the sentence with the words of the query
}

// weightedText is a text of an entry with the weight of its words.
type weightedText struct {
	text   string
	weight int
}

// add adds an entry with its texts.
func (x *index) add(e entry, texts ...weightedText) {
	for _, word := range wordsOf(e.Title) {
		if stem := stemOf(word); !stopWords[word] && !slices.Contains(e.title, stem) {
			e.title = append(e.title, stem)
		}
	}
	at := len(x.entries)
	x.entries = append(x.entries, e)
	for _, t := range texts {
		for _, word := range wordsOf(t.text) {
			x.addWord(word, at, t.weight)
		}
	}
}

// addWord adds an occurrence of a word in the entry at the end of the list.
func (x *index) addWord(spelling string, at, weight int) {
	word := x.words[spelling]
	if word == nil {
		word = &indexedWord{stem: stemOf(spelling)}
		x.words[spelling] = word
	}
	if last := len(word.places) - 1; last >= 0 && word.places[last].entry == at {
		p := &word.places[last]
		p.weight, p.repeats = max(p.weight, weight), min(p.repeats+1, maxRepeats)
		return
	}
	word.places = append(word.places, place{entry: at, weight: weight})
}

// find returns the entries that have every word of the query, best first.
func (x *index) find(query string) []result {
	query = strings.ToValidUTF8(query[:min(len(query), maxQuery)], "")
	words := x.findWords(parseQuery(query, false))
	if len(words) == 0 && strings.ContainsAny(query, joiners) {
		words = x.findWords(parseQuery(query, true))
	}
	return words
}

// findWords returns the entries that have every word, best first.
func (x *index) findWords(words []queryWord) []result {
	if len(words) == 0 {
		return nil
	}
	matches := make([]forms, len(words))
	total := make([]int, len(x.entries))
	for n, word := range words {
		matches[n] = x.forms(word)
		for i, score := range x.scores(matches[n]) {
			if n == 0 || score > 0 && total[i] > 0 {
				total[i] += score
			} else {
				total[i] = 0
			}
		}
	}
	var results []result
	for _, i := range x.best(total, words) {
		e := x.entries[i]
		results = append(results, result{e, excerpt(e.Text, matches)})
	}
	return results
}

// best returns the entries with the highest scores above 0, those with a better title first.
func (x *index) best(scores []int, words []queryWord) []int {
	var positions []int
	for i := range scores {
		if scores[i] > 0 {
			scores[i] += complete * x.entries[i].named(words) / max(1, len(x.entries[i].title))
			positions = append(positions, i)
		}
	}
	slices.SortStableFunc(positions, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return positions[:min(len(positions), maxResults)]
}

// forms are the words of the index that match a word of a query, with their likeness in percent.
type forms map[string]int

func (x *index) forms(q queryWord) forms {
	all := forms{}
	for spelling, word := range x.words {
		if likeness := q.likeness(spelling, word.stem); likeness > 0 {
			all[spelling] = likeness
		}
	}
	return all
}

// scores returns the scores of all entries for the forms of a word: 0 for an entry without any form.
func (x *index) scores(word forms) []int {
	best := make([]int, len(x.entries))
	for spelling, likeness := range word {
		for _, p := range x.words[spelling].places {
			best[p.entry] = max(best[p.entry], (p.weight+repeated*p.repeats)*likeness/100)
		}
	}
	return best
}

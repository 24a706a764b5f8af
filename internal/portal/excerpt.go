package portal

import (
	"regexp"
	"slices"
	"strings"
)

// maxExcerpt is the length of the longest excerpt in bytes. maxBefore is the longest part before the first match.
const (
	maxExcerpt = 240
	maxBefore  = 80
)

// fragment is a part of an excerpt. Words that match the query are marked.
type fragment struct {
	Text   string
	Marked bool
}

// sentenceEnd matches the end of a sentence or of a line, with the space after it.
var sentenceEnd = regexp.MustCompile(`[.!?]["”)]*\s+|\s*\n\s*`)

// excerpt returns the first sentence of the text that has the most words of the query, with these words marked. It cuts
// a long sentence around the first marked word.
func excerpt(text string, query []forms) []fragment {
	var best string
	most := -1
	for begin := 0; begin < len(text); {
		end := len(text)
		if at := sentenceEnd.FindStringIndex(text[begin:]); at != nil {
			end = begin + at[1]
		}
		if n := matching(text[begin:end], query); n > most {
			best, most = strings.TrimSpace(text[begin:end]), n
		}
		begin = end
	}
	return mark(shorten(best, query), query)
}

// matching returns how many words of the query a text has.
func matching(text string, query []forms) int {
	words := wordsOf(text)
	n := 0
	for _, form := range query {
		if slices.ContainsFunc(words, func(word string) bool { return form[word] > 0 }) {
			n++
		}
	}
	return n
}

// mark cuts a text into fragments.
func mark(text string, query []forms) []fragment {
	var out []fragment
	done := 0
	for _, at := range wordPattern.FindAllStringIndex(text, -1) {
		if matching(text[at[0]:at[1]], query) == 0 {
			continue
		}
		if at[0] > done {
			out = append(out, fragment{Text: text[done:at[0]]})
		}
		out, done = append(out, fragment{text[at[0]:at[1]], true}), at[1]
	}
	if done < len(text) {
		out = append(out, fragment{Text: text[done:]})
	}
	return out
}

// shorten cuts a long sentence at spaces, so that it has the first word that matches.
func shorten(sentence string, query []forms) string {
	if len(sentence) <= maxExcerpt {
		return sentence
	}
	first := 0
	for _, at := range wordPattern.FindAllStringIndex(sentence, -1) {
		if matching(sentence[at[0]:at[1]], query) > 0 {
			first = at[0]
			break
		}
	}
	cut := sentence
	if begin := first - maxBefore; begin > 0 {
		if space := strings.IndexByte(sentence[begin:first], ' '); space >= 0 {
			cut = "… " + sentence[begin+space+1:]
		}
	}
	if len(cut) > maxExcerpt {
		cut = cut[:maxExcerpt]
		if space := strings.LastIndexByte(cut, ' '); space > 0 {
			cut = cut[:space]
		}
		cut += " …"
	}
	return strings.ToValidUTF8(cut, "")
}

package ocr

import (
	"slices"
	"strings"
	"unicode"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify/match"
	"github.com/cardvault/cardvault/internal/identify/tesseract"
)

// text is what was read off a card so far.
type text struct {
	// head and foot are the lines of the strips that hold name and number.
	head, foot []string
	// body are the distinct words of the whole face, folded and sorted.
	body []string
	// legible counts the words recognition was sure of; wholeFace says that the
	// whole card was looked at, so that few mean something.
	legible   int
	wholeFace bool
}

// with joins what two passes read.
func (t text) with(other text) text {
	body := append(slices.Clone(t.body), other.body...)
	slices.Sort(body)
	return text{
		head: append(slices.Clone(t.head), other.head...),
		foot: append(slices.Clone(t.foot), other.foot...),
		body: slices.Compact(body),
	}
}

// lines joins words to their text lines.
func lines(words []tesseract.Word) []string {
	var out []string
	last := -1
	for _, w := range words {
		if w.Line == last {
			out[len(out)-1] += " " + w.Text
			continue
		}
		out, last = append(out, w.Text), w.Line
	}
	return out
}

// headLines are the lines of a card's head without what names another card.
func headLines(words []tesseract.Word) []string {
	head := lines(words)
	for i, line := range head {
		head[i] = match.WithoutOrigin(line)
	}
	return head
}

// bodyWords are the words worth comparing with a catalogue's texts.
func bodyWords(words []tesseract.Word) []string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Text
	}
	return catalog.Words(strings.Join(texts, " "))
}

// legible counts words that are surely real ones: art read as text and text read
// upside down yield short ones, odd ones and doubtful ones.
func legible(words []tesseract.Word) int {
	n := 0
	for _, w := range words {
		letters := strings.TrimFunc(w.Text, func(r rune) bool { return !unicode.IsLetter(r) })
		odd := strings.ContainsFunc(letters, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' && r != '-' })
		if w.Confidence >= 75 && len(letters) >= 4 && !odd {
			n++
		}
	}
	return n
}

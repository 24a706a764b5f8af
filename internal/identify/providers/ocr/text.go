package ocr

import (
	"strings"
	"unicode"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify/cardtext"
	"github.com/cardvault/cardvault/internal/identify/match"
	"github.com/cardvault/cardvault/internal/identify/tesseract"
)

// text is what one pass of Tesseract read.
type text struct {
	cardtext.Text
	legible   int  // number of words with high confidence
	wholeFace bool // whether the whole face was read
}

// lines joins words line by line.
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

// headLines returns the lines of a card's head, without names of other cards.
func headLines(words []tesseract.Word) []string {
	head := lines(words)
	for i, line := range head {
		head[i] = match.WithoutOrigin(line)
	}
	return head
}

// bodyWords returns the words in the form of the catalogue's texts.
func bodyWords(words []tesseract.Word) []string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Text
	}
	return catalog.Words(strings.Join(texts, " "))
}

// legible returns the number of words that are probably real. Art and text that is upside down yield words that are
// short, contain other characters than letters, or have low confidence.
func legible(words []tesseract.Word) int {
	isOdd := func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' && r != '-' }
	n := 0
	for _, w := range words {
		letters := strings.TrimFunc(w.Text, func(r rune) bool { return !unicode.IsLetter(r) })
		if w.Confidence >= 75 && len(letters) >= 4 && !strings.ContainsFunc(letters, isOdd) {
			n++
		}
	}
	return n
}

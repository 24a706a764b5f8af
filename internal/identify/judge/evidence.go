package judge

import (
	"slices"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify/cardtext"
	"github.com/cardvault/cardvault/internal/identify/language"
	"github.com/cardvault/cardvault/internal/identify/match"
)

// Evidence is the evidence for and against one card of the catalogue. The numbers are from 0, nothing, to 1. They are
// absolute: they do not depend on the other cards of the pool.
type Evidence struct {
	// Distance is the distance of the card's picture from the photo, in bits of 512; NoPicture if they were not
	// compared.
	Distance int
	// Name, Number, Body, Illustrator, SetCode and HP are how well these parts of the card agree with the text. Body
	// is the share of the words on the card that were read, less for a card with few words.
	Name, Number, Body, Illustrator, SetCode, HP, Year float64
	// Words is the number of words that the card has in the catalogue, Read the number of these words that were read.
	Words, Read int
	// The text has another collector number, other health points, or another year, read with certainty.
	OtherNumber, OtherHP, OtherYear bool
	// PrintedSet means that the code of the card's set was read with certainty beside the code of a language.
	PrintedSet bool
	// Language compares the language of the text with the printing's language.
	Language Agreement
	// Hints is how many hints of the owner the card agrees with.
	Hints int
}

// NoPicture is the Distance of a card whose picture was not compared.
const NoPicture = 512

// Agreement is the result of a comparison that may be undecided.
type Agreement int

// The results of a comparison.
const (
	Undecided Agreement = iota
	Agrees
	Differs
)

// Candidate is a card of the pool with the distance of its picture.
type Candidate struct {
	Card     catalog.Card
	Distance int // NoPicture if the pictures were not compared
}

// weigher gathers the evidence of the cards of a pool. It remembers its results for each word.
type weigher struct {
	text cardtext.Text
	// head and foot are the lines of the card's head and foot, each with the label of a slab.
	head, foot []string
	facts      facts
	hints      catalog.Hints
	language   language.Guess
	read       map[string]float64
}

func newWeigher(text cardtext.Text, hints catalog.Hints) *weigher {
	return &weigher{
		text: text, head: slices.Concat(text.Head, text.Label), foot: slices.Concat(text.Foot, text.Label),
		facts: factsOf(text), hints: hints, read: map[string]float64{}, language: text.Language(),
	}
}

// evidence returns the evidence of a card.
func (w *weigher) evidence(c Candidate) Evidence {
	card := c.Card
	e := Evidence{
		Distance:    c.Distance,
		Name:        max(match.Name(card.Name, w.head), match.Title(card.Name, w.text.Lines)),
		Number:      max(match.Number(card.Number, card.PrintedTotal, w.foot), onLabel(card.Number, w.text.Label)),
		Illustrator: match.Phrase(card.Illustrator, w.text.Foot),
		OtherNumber: w.facts.otherNumber(card),
		Hints:       w.hints.Agreement(card),
	}
	e.SetCode, e.PrintedSet = w.facts.setCode(card), w.facts.isPrinted(card)
	if agrees, differs := w.facts.besideSet(card); agrees {
		e.Number = 1
	} else if differs {
		e.OtherNumber = true
	}
	e.HP, e.OtherHP = w.facts.hp(card)
	e.Year, e.OtherYear = w.facts.year(card)
	e.Body, e.Words, e.Read = w.body(card)
	e.Language = w.compareLanguage(card)
	return e
}

// functionWord is the weight of a word that most texts of a language have.
const functionWord = 0.2

// body returns the share of the words of the card that were read.
func (w *weigher) body(card catalog.Card) (share float64, words, read int) {
	own := catalog.Words(card.Name + " " + card.Text)
	readAs := func(word string) float64 {
		r, known := w.read[word]
		if !known {
			r = match.Read(word, w.text.Body)
			w.read[word] = r
		}
		return r
	}
	weight := func(word string) float64 {
		if language.IsFunctionWord(word) {
			return functionWord
		}
		return 1
	}
	for _, word := range own {
		if readAs(word) > 0 {
			read++
		}
	}
	return match.Body(own, readAs, weight), len(own), read
}

// compareLanguage compares a printing's language with the language that was read, or else with the hints' language. A
// hint never contradicts a printing. If the catalogue has no language for a printing, the language of its text counts.
func (w *weigher) compareLanguage(card catalog.Card) Agreement {
	tag := card.Language
	if tag == "" {
		tag = language.Detect([]string{card.Name, card.Text}).Tag
	}
	switch {
	case w.language.Contradicts(tag):
		return Differs
	case language.Same(w.language.Tag, tag), w.language.Tag == "" && language.Same(w.hints.Language, tag):
		return Agrees
	}
	return Undecided
}

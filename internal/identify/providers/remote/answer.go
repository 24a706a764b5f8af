package remote

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Answer is the card that a provider sees on a photo. Text that it does not see is "", and a number 0.
type Answer struct {
	Title        string  `json:"title"`
	Set          string  `json:"set"`
	SetCode      string  `json:"set_code"`
	Number       string  `json:"number"`
	PrintedTotal int     `json:"printed_total"`
	Game         string  `json:"game"`     // one of the contract's games
	Language     string  `json:"language"` // a BCP 47 tag
	Variant      string  `json:"variant"`
	Year         int     `json:"year"`
	Grader       string  `json:"grader"` // of a slab
	Grade        string  `json:"grade"`
	Certificate  string  `json:"certificate"`
	Confidence   float64 `json:"confidence"` // 0 to 1
	// Release is the product that the set is a part of. Catalogues may name it instead of the set.
	Release string `json:"-"`
	// Doubtful is true if the answer must not be accepted even if the catalogue confirms it, because the provider has
	// recognized only the set, or sees several cards.
	Doubtful bool `json:"-"`
}

// The limits of an Answer: those that the contract has for cards, and of years.
const (
	maxTitle, maxSet, maxText  = 200, 120, 60
	maxLanguage                = 35
	maxNumber                  = 14 // leaves room for the printed total in the 20 characters of a card's number
	maxTotal, minYear, maxYear = 99_999, 1850, 2100
)

// languageTag is the form of a language. An answer such as "Japanese" is refused rather than ignored, because a card in
// another language must not be taken for the English one.
var languageTag = regexp.MustCompile(`^([A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*)?$`)

// games are the games that an answer may name.
var games = []string{"pokemon", "magic", "yugioh", "sports", "other"}

// Schema is the JSON schema of an Answer, in the part of the language that the APIs of models understand. A model
// cannot answer with anything else.
func Schema() map[string]any {
	text := func(description string) map[string]any {
		return map[string]any{"type": "string", "description": description}
	}
	number := func(description string) map[string]any {
		return map[string]any{"type": "integer", "description": description}
	}
	properties := map[string]any{
		"title":         text("The name of the card as printed, without the number. Empty if the photo shows no card."),
		"set":           text("The English name of the set, or empty."),
		"set_code":      text("The code of the set, such as SVI, or empty."),
		"number":        text("The collector number before the slash, with its letters, such as 025, TG12, LOB-045."),
		"printed_total": number("The number after the slash of the collector number, or 0."),
		"game":          map[string]any{"type": "string", "enum": games},
		"language":      text("The language of the text on the card as a BCP 47 tag, such as en, ja, pt-BR, or empty."),
		"variant":       text("The finish or parallel, such as reverse holo, or empty."),
		"year":          number("The year that is printed on the card, or 0."),
		"grader":        text("The company that graded the card if it is in a slab, such as PSA, or empty."),
		"grade":         text("The grade on the label of the slab, such as 10, or empty."),
		"certificate":   text("The number of the certificate on the label of the slab, or empty."),
		"confidence":    map[string]any{"type": "number", "description": "0 to 1: how sure title and number are."},
	}
	return map[string]any{
		"type": "object", "properties": properties, "required": answerFields, "additionalProperties": false,
	}
}

// answerFields are the properties of the schema. An answer must have all of these.
var answerFields = []string{
	"title", "set", "set_code", "number", "printed_total", "game", "language", "variant", "year", "grader", "grade",
	"certificate", "confidence",
}

// ErrBadAnswer means that a provider did not answer as its contract says.
var ErrBadAnswer = errors.New("the answer does not fit the schema")

// ParseAnswer parses and checks the answer of a model. It returns ErrBadAnswer unless the answer fits the schema.
func ParseAnswer(text []byte) (Answer, error) {
	var fields map[string]json.RawMessage
	if err := decode(text, &fields); err != nil {
		return Answer{}, err
	}
	for _, name := range answerFields {
		if value, ok := fields[name]; !ok || string(value) == "null" {
			return Answer{}, fmt.Errorf("%w: %s is missing", ErrBadAnswer, name)
		}
	}
	var a Answer
	if err := decode(text, &a); err != nil {
		return Answer{}, err
	}
	return a, a.Check()
}

// decode decodes one JSON value. Its error does not quote the value, which a text on a photo may have influenced.
func decode(text []byte, to any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if decoder.Decode(to) != nil {
		return fmt.Errorf("%w: it is not the JSON that was asked for", ErrBadAnswer)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: it has more than one value", ErrBadAnswer)
	}
	return nil
}

// Check trims the texts of an answer and returns ErrBadAnswer unless they are within their limits.
func (a *Answer) Check() error {
	for _, f := range []struct {
		name string
		text *string
		max  int
	}{
		{"title", &a.Title, maxTitle}, {"set", &a.Set, maxSet}, {"set_code", &a.SetCode, maxText},
		{"number", &a.Number, maxNumber}, {"language", &a.Language, maxText}, {"variant", &a.Variant, maxText},
		{"release", &a.Release, maxSet},
		{"grader", &a.Grader, maxText}, {"grade", &a.Grade, maxText}, {"certificate", &a.Certificate, maxText},
	} {
		*f.text = strings.TrimSpace(*f.text)
		if utf8.RuneCountInString(*f.text) > f.max || strings.ContainsFunc(*f.text, unicode.IsControl) {
			return fmt.Errorf("%w: %s is too long or has control characters", ErrBadAnswer, f.name)
		}
	}
	switch {
	case !slices.Contains(games, a.Game):
		return fmt.Errorf("%w: game is unknown", ErrBadAnswer)
	case len(a.Language) > maxLanguage || !languageTag.MatchString(a.Language):
		return fmt.Errorf("%w: language is not a BCP 47 tag", ErrBadAnswer)
	case a.PrintedTotal < 0 || a.PrintedTotal > maxTotal:
		return fmt.Errorf("%w: printed_total is out of range", ErrBadAnswer)
	case a.Year != 0 && (a.Year < minYear || a.Year > maxYear):
		return fmt.Errorf("%w: year is out of range", ErrBadAnswer)
	case !(a.Confidence >= 0 && a.Confidence <= 1):
		return fmt.Errorf("%w: confidence is out of range", ErrBadAnswer)
	}
	return nil
}

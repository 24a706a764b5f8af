// Package format puts values into words for the readers of pages.
package format

import (
	"encoding/json"
	"fmt"
	"github.com/cardvault/cardvault/internal/marketplaces/registry"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/money"
)

// Number formats a count with its thousands grouped: 1,240.
func Number(n int64) string { return group(strconv.FormatInt(n, 10)) }

// group separates the thousands of a whole number.
func group(digits string) string {
	sign, digits := cutSign(digits)
	var parts []string
	for len(digits) > 3 {
		parts = append([]string{digits[len(digits)-3:]}, parts...)
		digits = digits[:len(digits)-3]
	}
	return sign + strings.Join(append([]string{digits}, parts...), ",")
}

func cutSign(digits string) (sign, rest string) {
	if rest, negative := strings.CutPrefix(digits, "-"); negative {
		return "-", rest
	}
	return "", digits
}

// symbols are the currencies that are shown by a symbol that only they have.
var symbols = map[string]string{"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "CAD": "CA$", "AUD": "A$"}

// Money formats an amount: $1,240.50, or CHF 1,240.50 for a currency without a symbol.
func Money(m money.Money) string {
	sign, digits := cutSign(m.Major())
	whole, fraction, _ := strings.Cut(digits, ".")
	text := group(whole)
	if fraction != "" {
		text += "." + fraction
	}
	if symbol, ok := symbols[m.Currency]; ok {
		return sign + symbol + text
	}
	return fmt.Sprintf("%s%s\u00a0%s", sign, m.Currency, text)
}

// Percent formats a change in percent: +72 %.
func Percent(n *int64) string { return fmt.Sprintf("%+d\u00a0%%", *n) }

// Status returns the words of a status such as needs_review.
func Status(status cards.Status) string { return Words(string(status)) }

// properNames are the proper names among the values of enumerations.
var properNames = map[string]string{
	"pokemon": "Pokémon", "magic": "Magic", "yugioh": "Yu-Gi-Oh!",
}

// marketLabels are the labels of the marketplaces by their names. The pages, which all dashboards of a process share,
// use them.
var marketLabels sync.Map

// NameMarkets makes Words return the labels of marketplaces.
func NameMarkets(markets registry.Markets) {
	for _, m := range markets {
		marketLabels.Store(m.Name, m.Label)
	}
}

// Words returns the words of a value such as in_person, or its proper name.
func Words(value string) string {
	if name, ok := properNames[value]; ok {
		return name
	}
	if label, ok := marketLabels.Load(value); ok {
		return label.(string)
	}
	return strings.ReplaceAll(value, "_", " ")
}

// Field returns the words of a field of a history, such as asking price for pricing.asking_price.
func Field(field string) string {
	name := field[strings.LastIndexByte(field, '.')+1:]
	if field == "identification.status" || field == "identification.source" {
		name = field // because alone they say too little
	}
	return strings.NewReplacer("_", " ", ".", " ").Replace(name)
}

// Recorded returns a value of a history for the template "moment" if it is a time.
func Recorded(value json.RawMessage) *Moment {
	var at time.Time
	if json.Unmarshal(value, &at) != nil || at.IsZero() {
		return nil
	}
	return &Moment{at.UTC()}
}

// Value formats a value of a history, which is JSON.
func Value(value json.RawMessage) string {
	var amount money.Money
	var text string
	var fraction float64
	var photo struct{ Status string }
	switch {
	case len(value) == 0 || string(value) == "null":
		return "–"
	case json.Unmarshal(value, &text) == nil:
		if slices.Contains(cards.Statuses, cards.Status(text)) {
			return Status(cards.Status(text))
		}
		return text
	case json.Unmarshal(value, &amount) == nil && amount.Currency != "":
		return Money(amount)
	case json.Unmarshal(value, &photo) == nil && photo.Status != "":
		return photo.Status
	case strings.Contains(string(value), ".") && json.Unmarshal(value, &fraction) == nil:
		return strconv.FormatFloat(fraction, 'g', 4, 64) // a confidence
	}
	return string(value)
}

// Moment is a time for the template "moment", which a script shows in the reader's zone.
type Moment struct{ at time.Time }

// Machine returns the time for the attribute datetime.
func (m Moment) Machine() string { return m.at.Format(time.RFC3339) }

// Text returns the time for readers without scripts.
func (m Moment) Text() string { return m.at.Format("2 Jan 2006 15:04 UTC") }

// Options returns options for names such as in_person, which are shown as words.
func Options[T ~string](values []T) []form.Option { return form.Options(values, Words) }

// Bytes formats a number of bytes: 12.3 MB.
func Bytes(n int64) string {
	const step = 1000
	if n < step {
		return strconv.FormatInt(n, 10) + "\u00a0B"
	}
	size, unit := float64(n)/step, 0
	for size >= 999.95 && unit < len(byteUnits)-1 {
		size, unit = size/step, unit+1
	}
	return strconv.FormatFloat(size, 'f', 1, 64) + "\u00a0" + byteUnits[unit]
}

var byteUnits = []string{"kB", "MB", "GB", "TB"}

// Cards returns a number of cards in words: "1 card", "1,240 cards".
func Cards(n int64) string {
	if n == 1 {
		return "1 card"
	}
	return Number(n) + " cards"
}

// Amounts returns the amounts of a list that may be empty.
func Amounts(m *money.Money) []money.Money {
	if m == nil {
		return nil
	}
	return []money.Money{*m}
}

// Text returns a text, or "" for nil.
func Text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// At returns a time for the template "moment".
func At(at time.Time) Moment { return Moment{at.UTC()} }

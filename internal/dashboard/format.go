package dashboard

import (
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/money"
)

// functions are the functions of the templates.
func (p *pages) functions() template.FuncMap {
	return template.FuncMap{
		"asset":        func(name string) string { return p.paths[name] },
		"number":       number,
		"count":        func(n int) string { return number(int64(n)) },
		"cards":        func(n int) string { return cardCount(int64(n)) },
		"money":        formatMoney,
		"amounts":      orNone,
		"percent":      percent,
		"bytes":        byteCount,
		"words":        words,
		"spaced":       spaced,
		"shown":        shown,
		"fieldWords":   fieldWords,
		"recordedTime": recordedTime,
		"constant":     func(name string) template.HTML { return p.constant[name] },
		"bulkActions":  func() []bulkAction { return bulkActions },
		"keyGroups":    keyGroups,
		"newKey":       newKey,
		"deliveryWord": deliveryWord,
		"failureText":  failureText,
		"attemptText":  attemptText,
		"failureWords": failureWords,
		"moment":       func(at time.Time) moment { return moment{at.UTC()} },
	}
}

// number formats a count with its thousands grouped: 1,240.
func number(n int64) string { return group(strconv.FormatInt(n, 10)) }

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

// formatMoney formats an amount: $1,240.50, or CHF 1,240.50 for a currency without a symbol.
func formatMoney(m money.Money) string {
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

// percent formats a change in percent: +72 %.
func percent(n *int64) string { return fmt.Sprintf("%+d\u00a0%%", *n) }

// words returns the words of a status such as needs_review.
func words(status cards.Status) string { return spaced(string(status)) }

// properNames are the proper names among the values of enumerations.
var properNames = map[string]string{
	"ebay": "eBay", "pokemon": "Pokémon", "magic": "Magic", "yugioh": "Yu-Gi-Oh!",
}

// spaced returns the words of a value such as in_person, or its proper name.
func spaced(value string) string {
	if name, ok := properNames[value]; ok {
		return name
	}
	return strings.ReplaceAll(value, "_", " ")
}

// fieldWords returns the words of a field of a history, such as asking price for pricing.asking_price.
func fieldWords(field string) string {
	name := field[strings.LastIndexByte(field, '.')+1:]
	if field == "identification.status" || field == "identification.source" {
		name = field // because alone they say too little
	}
	return strings.NewReplacer("_", " ", ".", " ").Replace(name)
}

// recordedTime returns a value of a history for the template "moment" if it is a time.
func recordedTime(value json.RawMessage) *moment {
	var at time.Time
	if json.Unmarshal(value, &at) != nil || at.IsZero() {
		return nil
	}
	return &moment{at.UTC()}
}

// shown formats a value of a history, which is JSON.
func shown(value json.RawMessage) string {
	var amount money.Money
	var text string
	var fraction float64
	var photo struct{ Status string }
	switch {
	case len(value) == 0 || string(value) == "null":
		return "–"
	case json.Unmarshal(value, &text) == nil:
		if slices.Contains(cards.Statuses, cards.Status(text)) {
			return words(cards.Status(text))
		}
		return text
	case json.Unmarshal(value, &amount) == nil && amount.Currency != "":
		return formatMoney(amount)
	case json.Unmarshal(value, &photo) == nil && photo.Status != "":
		return photo.Status
	case strings.Contains(string(value), ".") && json.Unmarshal(value, &fraction) == nil:
		return strconv.FormatFloat(fraction, 'g', 4, 64) // a confidence
	}
	return string(value)
}

// moment is a time for the template "moment", which a script shows in the reader's zone.
type moment struct{ at time.Time }

// Machine returns the time for the attribute datetime.
func (m moment) Machine() string { return m.at.Format(time.RFC3339) }

// Text returns the time for readers without scripts.
func (m moment) Text() string { return m.at.Format("2 Jan 2006 15:04 UTC") }

// wordOptions returns options for names such as in_person, which are shown as words.
func wordOptions[T ~string](values []T) []form.Option { return form.Options(values, spaced) }

package form

import (
	"slices"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/money"
)

// Kind says what a field takes.
type Kind int

// The kinds of fields.
const (
	Text   Kind = iota // a line of text
	Lines              // a text of several lines
	Amount             // an amount of money in major units
	Number             // another number
	Moment             // a date and a time
	Date               // a date, or a moment
	Choice             // one of Options
	Tags               // any of Options
)

// Field is a field of a form.
type Field struct {
	Name     string // in the form
	Path     string // of the value in the contract, which faults name; "" for Name
	Label    string
	Kind     Kind
	Max      int // characters
	Options  []Option
	Required bool
	Hint     string // is shown while the field is empty
	Verbatim bool   // the spaces around a value belong to the value

	Currency      string // of an amount
	CurrencyField string // the name of the field with the currency of an amount; "" for Currency

	Group  string // the heading of the field
	Double bool   // as wide as two fields, for texts that are long as a rule

	Value string   // as it was typed
	Tags  []string // the chosen values of a field of the kind Tags
	Error string   // why the value was refused
}

// MaxAmount is the maximum number of characters of an amount: 999,999,999.99 and a symbol.
const MaxAmount = 16

func (f Field) path() string {
	if f.Path != "" {
		return f.Path
	}
	return f.Name
}

// Long reports whether the field takes several lines.
func (f Field) Long() bool { return f.Kind == Lines }

// Decimal reports whether phones show digits for the field.
func (f Field) Decimal() bool { return f.Kind == Amount || f.Kind == Number }

// Type returns the type of the HTML input, or "" for text.
func (f Field) Type() string {
	switch f.Kind {
	case Moment:
		return "datetime-local"
	case Date: // unless the value is one that a browser's calendar cannot show
		if _, err := time.Parse(time.DateOnly, f.Value); err == nil || f.Value == "" {
			return "date"
		}
	}
	return ""
}

// Tagged reports whether a value is chosen in a field of the kind Tags.
func (f Field) Tagged(value string) bool { return slices.Contains(f.Tags, value) }

// Of returns the field with an amount and its currency, which is otherwise if there is no amount.
func (f Field) Of(amount *money.Money, otherwise string) Field {
	f.Value, f.Currency = Major(amount, otherwise)
	return f
}

// Major returns an amount as people type it, and its currency, which is otherwise if there is no amount.
func Major(amount *money.Money, otherwise string) (value, currency string) {
	if amount == nil {
		return "", otherwise
	}
	return amount.Major(), amount.Currency
}

// Group is a heading with its fields.
type Group struct {
	Name   string
	Fields []Field
}

// Groups returns the fields by their headings, in the order of the fields.
func (f *Form) Groups() (groups []Group) {
	for _, field := range f.Fields {
		if n := len(groups); n == 0 || groups[n-1].Name != field.Group {
			groups = append(groups, Group{Name: field.Group})
		}
		last := &groups[len(groups)-1]
		last.Fields = append(last.Fields, field)
	}
	return groups
}

// Hidden is a field of a form that is not shown.
type Hidden struct{ Name, Value string }

// Option is a value that can be chosen, and the text that stands for it.
type Option struct{ Value, Label string }

// Pairs returns options from pairs of a value and its label.
func Pairs(pairs ...string) (options []Option) {
	for i := 0; i+1 < len(pairs); i += 2 {
		options = append(options, Option{pairs[i], pairs[i+1]})
	}
	return options
}

// Same returns options that are shown as they are.
func Same[T ~string](values []T) []Option {
	return Options(values, func(value string) string { return value })
}

// Options returns options with labels.
func Options[T ~string](values []T, label func(string) string) []Option {
	options := make([]Option, len(values))
	for i, value := range values {
		options[i] = Option{string(value), label(string(value))}
	}
	return options
}

// Values returns the values of all options, with commas between them.
func Values(options []Option) string {
	values := make([]string, len(options))
	for i, o := range options {
		values[i] = o.Value
	}
	return strings.Join(values, ", ")
}

// LabelOf returns the labels of a value, or of several that are separated by commas. A value that cannot be chosen
// stays as it is.
func LabelOf(options []Option, value string) string {
	if len(options) == 0 {
		return value
	}
	labels := strings.Split(value, ",")
	for i, one := range labels {
		if at := slices.IndexFunc(options, func(o Option) bool { return o.Value == one }); at >= 0 {
			labels[i] = options[at].Label
		}
	}
	return strings.Join(labels, ", ")
}

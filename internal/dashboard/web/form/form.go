// Package form reads the forms of pages.
//
// A page declares the fields of a form once: name, label, kind, limits, and the path that the API's contract has for
// the value. A Form takes what a browser sends. It keeps each value as it was typed, parses the values by their kinds,
// and puts every error beside its field: the errors of parsing, and the details of a fault of the domain, which name
// the path of the value. The wordings of parsing errors are the same in all forms. The package knows no page and writes
// no HTML.
package form

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/calendar"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
)

// The errors of values that cannot be parsed. They complete a sentence that begins with the name of the field.
const (
	NoAmount   = "must be an amount such as 12.50"
	NoCurrency = "must be an upper-case ISO 4217 code such as USD"
	NoTime     = "must be a date and a time such as 2026-05-12T09:00"
)

// Marked is the message above a form whose errors stand beside its fields.
const Marked = "Correct the marked fields."

// ErrIncomplete refuses a form that lacks a field that its page does not show. No page of the dashboard sends one.
var ErrIncomplete = fault.New(fault.InvalidRequest,
	"The form is incomplete. Open the page again and repeat the change.")

// Form is the fields of a form, with what was typed and why it was refused.
type Form struct {
	Fields []Field
	Failed string     // why the form was refused, for a reason that is about no field
	sent   url.Values // nil until Read
}

// New returns a form with the fields, which have the values to begin with.
func New(fields ...Field) *Form { return &Form{Fields: slices.Clone(fields)} }

// Read replaces the values of the fields by those that a browser sent. A field that it did not send keeps its value.
func (f *Form) Read(sent url.Values) *Form {
	f.sent = sent
	for i := range f.Fields {
		field := &f.Fields[i]
		if field.Kind == Tags {
			field.Tags = sent[field.Name]
		}
		if sent.Has(field.Name) {
			field.Value = sent.Get(field.Name)
		}
	}
	return f
}

// Has reports whether the browser sent a field.
func (f *Form) Has(name string) bool { return f.sent.Has(name) }

// Declares reports whether the form has a field with a name.
func (f *Form) Declares(name string) bool {
	return slices.ContainsFunc(f.Fields, func(field Field) bool { return field.Name == name })
}

// Of returns the field with a name. It panics if the form does not declare it.
func (f *Form) Of(name string) *Field {
	i := slices.IndexFunc(f.Fields, func(field Field) bool { return field.Name == name })
	if i < 0 {
		panic("form: no field " + name)
	}
	return &f.Fields[i]
}

// Value returns the value of a field as it was typed.
func (f *Form) Value(name string) string { return f.Of(name).Value }

// Error returns why the value of a field was refused, or "".
func (f *Form) Error(name string) string { return f.Of(name).Error }

// Text returns the value of a field without the white space around it.
func (f *Form) Text(name string) string { return Clean(f.Of(name).Value) }

// Clean returns a value as the domain takes it: without the white space around it, and with the line breaks that Unix
// has. Browsers send CR LF.
func Clean(value string) string { return strings.ReplaceAll(blank.Trim(value), "\r\n", "\n") }

// Sent returns the text of a field, or "" if the browser did not send the field.
func (f *Form) Sent(name string) string {
	if !f.Has(name) {
		return ""
	}
	return f.Text(name)
}

// Optional returns the text of a field, or nil if it is empty.
func (f *Form) Optional(name string) *string {
	text := f.Text(name)
	if text == "" {
		return nil
	}
	return &text
}

// Amount returns the amount in a field, or nil if the field is empty or has no amount.
func (f *Form) Amount(name string) *money.Money {
	field := f.Of(name)
	text, currency := f.Text(name), field.Currency
	if text == "" && !field.Required {
		return nil
	}
	if field.CurrencyField != "" {
		currency = strings.ToUpper(f.Text(field.CurrencyField))
		if !money.Known(currency) {
			f.Refuse(fault.Invalid(field.CurrencyField, NoCurrency))
			return nil
		}
	}
	amount, err := money.Parse(text, currency)
	if err != nil {
		f.Refuse(fault.Invalid(name, NoAmount))
		return nil
	}
	return &amount
}

// Int returns the whole number in a field, or nil if the field is empty or has no number. Its error is otherwise.
func (f *Form) Int(name, otherwise string) *int32 {
	text := f.Text(name)
	if text == "" {
		return nil
	}
	parsed, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		f.Refuse(fault.Invalid(name, "%s", otherwise))
		return nil
	}
	return new(int32(parsed))
}

// Time returns the moment in a field, or nil if the field is empty or has none. The zone is for a text that names none.
func (f *Form) Time(name string, zone *time.Location) *time.Time {
	text := f.Text(name)
	if text == "" && !f.Of(name).Required {
		return nil
	}
	at, err := calendar.Parse(text, zone)
	if err != nil {
		f.Refuse(fault.Invalid(name, NoTime))
		return nil
	}
	return &at
}

// Version returns the match of the version that the page of a form showed.
func Version(sent url.Values) (func(version int64) bool, error) {
	version, err := strconv.ParseInt(sent.Get("version"), 10, 64)
	if err != nil {
		return nil, ErrIncomplete
	}
	return func(v int64) bool { return v == version }, nil
}

// Err returns an invalid_request fault with each field that was refused, or nil if there is none.
func (f *Form) Err() error {
	var details []fault.Detail
	for _, field := range f.Fields {
		if field.Error != "" {
			details = append(details, fault.Detail{Field: field.Name, Message: field.Error})
		}
	}
	if details == nil {
		return nil
	}
	return fault.New(fault.InvalidRequest, Marked).WithDetails(details...)
}

// Refuse puts the details of a fault beside the fields that they are about. If there is no such field, the message of
// the fault is for the whole form.
func (f *Form) Refuse(refused *fault.Error) {
	f.Failed = refused.Message
	for _, detail := range refused.Details {
		if field := f.about(detail.Field); field != nil {
			field.Error, f.Failed = detail.Message, Marked
		}
	}
}

// about returns the field with the longest path that leads to a detail: a field with the path price gets the detail
// price.amount, unless another field has that path. It returns nil if there is no such field.
func (f *Form) about(path string) *Field {
	for prefix := path; prefix != ""; prefix = prefix[:max(strings.LastIndexByte(prefix, '.'), 0)] {
		for i := range f.Fields {
			if field := &f.Fields[i]; field.path() == prefix || field.Name == prefix {
				return field
			}
		}
	}
	return nil
}

// Refused returns the fault of an error that the user can mend. Other errors are the server's.
func Refused(err error) (*fault.Error, bool) {
	f, ok := fault.As(err)
	return f, ok && f.Status() < http.StatusInternalServerError
}

// Status returns the status of the page that shows a refused form. Browsers and scripts show a page with 422.
func Status(refused *fault.Error) int {
	if refused.Code == fault.InvalidRequest {
		return http.StatusUnprocessableEntity
	}
	return refused.Status()
}

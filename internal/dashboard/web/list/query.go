// Package list reads the addresses of pages with lists, and links to other pages of them.
//
// A page declares its filters as fields of a form, whose names are the API's query parameters. A Query takes their
// values from the query of the page's address, parses them, and knows the addresses of the list without a filter, of
// its next page, and of its first page. The package knows no list and writes no HTML.
package list

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/calendar"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/paging"
)

// MaxFilter is the maximum length of a filter's value, in characters. It is the length of the longest field of a card
// that can be searched.
const MaxFilter = 200

// Marked is the message above a list if the reason stands beside the field of a filter.
const Marked = "Correct the marked filter."

// Query reads the filters of a list from the query of its page's address. Empty values set nothing, because forms send
// all of their fields. It keeps the first error.
type Query struct {
	Values url.Values
	path   string
	zone   *time.Location // of dates
	fields []form.Field
	err    error
}

// NewQuery returns the query of a request with the values of the fields. Dates are in the zone.
func NewQuery(r *http.Request, zone string, fields []form.Field) *Query {
	q := &Query{
		path: r.URL.Path, Values: r.URL.Query(), zone: calendar.Zone(zone), fields: slices.Clone(fields),
	}
	for i := range q.fields {
		q.fields[i].Value = Value(q.Values, q.fields[i])
	}
	return q
}

// Value returns the value of a filter without the spaces around it. It returns a blank value as it is, so that Check
// refuses it: it is no value left empty. The value of a verbatim field stays as it is too.
func Value(query url.Values, field form.Field) string {
	value := query.Get(field.Name)
	if blank.Is(value) || field.Verbatim {
		return value
	}
	return blank.Trim(value)
}

// Check returns an error for a value that no filter takes. A blank value is refused, because without its filter the
// page would show everything.
func Check(name, value string) error {
	switch {
	case blank.Is(value):
		return fault.Invalid(name, "must not be blank; leave it empty to show all")
	case utf8.RuneCountInString(value) > MaxFilter || !utf8.ValidString(value) || strings.Contains(value, "\x00"):
		return fault.Invalid(name, "must be at most %d characters of text", MaxFilter)
	}
	return nil
}

func (q *Query) refuse(err error) {
	if q.err == nil {
		q.err = err
	}
}

// Err returns the first error of the filters that were read, or nil.
func (q *Query) Err() error { return q.err }

func (q *Query) field(name string) *form.Field {
	return &q.fields[slices.IndexFunc(q.fields, func(f form.Field) bool { return f.Name == name })]
}

// Text returns the value of a filter, or nil.
func (q *Query) Text(name string) *string {
	value := q.field(name).Value
	if value == "" {
		return nil
	}
	if err := Check(name, value); err != nil {
		q.refuse(err)
	}
	return &value
}

// Choice returns the value of a filter that must be one of its field's options, or nil.
func (q *Query) Choice(name string) *string {
	value := q.Text(name)
	if value != nil {
		q.checkChoice(name, *value)
	}
	return value
}

// Choices returns the values of a filter that are separated by commas.
func (q *Query) Choices(name string) []string {
	value := q.Text(name)
	if value == nil {
		return nil
	}
	list := strings.Split(*value, ",")
	for _, one := range list {
		q.checkChoice(name, one)
	}
	return list
}

func (q *Query) checkChoice(name, value string) {
	options := q.field(name).Options
	if !slices.ContainsFunc(options, func(o form.Option) bool { return o.Value == value }) {
		q.refuse(fault.Invalid(name, "must be one of %s", form.Values(options)))
	}
}

// Time returns a time as the API takes it, or the first moment of a date.
func (q *Query) Time(name string) *time.Time {
	value := q.Text(name)
	if value == nil {
		return nil
	}
	at, err := calendar.Parse(*value, q.zone)
	if err != nil {
		q.refuse(fault.Invalid(name, "must be a date such as 2026-05-01, or a time such as 2026-05-01T09:00:00Z"))
	}
	return &at
}

// active returns the filters that are set.
func (q *Query) active() []Active {
	var active []Active
	for _, field := range q.fields {
		if field.Value != "" {
			label := form.LabelOf(field.Options, field.Value)
			active = append(active, Active{field.Label, label, q.Address(field.Name, "")})
		}
	}
	return active
}

// Address returns the address of the list's first page with one value changed, or removed if it is "".
func (q *Query) Address(name, value string) string { return Address(q.path, q.Values, name, value) }

// Active is a filter that the address of the page sets.
type Active struct {
	Label, Value string
	Without      string // the address of the page without this filter
}

// Shown is the data of a page with a list, besides its rows.
type Shown struct {
	Path   string
	Fields []form.Field
	Active []Active
	Here   string // the address of the page, to which the actions of its rows return
	Failed string // why the filters cannot be applied; "" if they can
	Pager
}

// Value returns the value of a filter.
func (s Shown) Value(name string) string { return s.field(name).Value }

// Error returns why the value of a filter was refused, or "".
func (s Shown) Error(name string) string { return s.field(name).Error }

func (s Shown) field(name string) form.Field {
	return s.Fields[slices.IndexFunc(s.Fields, func(f form.Field) bool { return f.Name == name })]
}

// Shown returns the list with the cursor of the next page, or nil.
func (q *Query) Shown(next *string) Shown {
	address := func(cursor string) string { return q.Address("cursor", cursor) }
	return Shown{
		Path: q.path, Fields: q.fields, Active: q.active(), Here: address(q.Cursor()),
		Pager: NewPager(q.Cursor(), next, address),
	}
}

// Cursor returns the cursor of the page, or "".
func (q *Query) Cursor() string { return q.Values.Get("cursor") }

// Load reads a page of the list with at most so many rows, unless a filter is refused. Then it returns no rows, and the
// data of the page says why. It returns errors that the address of the page did not cause.
func Load[T any](
	q *Query, most int, read func(paging.Request) (paging.Page[T], error),
) (rows []T, shown Shown, status int, err error) {
	err = q.err
	if err == nil {
		var found paging.Page[T]
		if found, err = read(paging.Request{Limit: most, Cursor: q.Cursor()}); err == nil {
			return found.Data, q.Shown(found.NextCursor), http.StatusOK, nil
		}
	}
	refused, ok := Invalid(err)
	if !ok {
		return nil, Shown{}, 0, err
	}
	return nil, q.refused(refused), refused.Status(), nil
}

// refused returns the list without rows, and why.
func (q *Query) refused(refused *fault.Error) Shown {
	filters := form.New(q.fields...)
	filters.Refuse(refused)
	shown := q.Shown(nil)
	shown.Fields, shown.Failed = filters.Fields, filters.Failed
	if shown.Failed == form.Marked {
		shown.Failed = Marked
	}
	return shown
}

// Invalid returns the fault of an error that the address of the page caused.
func Invalid(err error) (*fault.Error, bool) {
	f, ok := fault.As(err)
	return f, ok && (f.Code == fault.InvalidRequest || f.Code == fault.InvalidCursor)
}

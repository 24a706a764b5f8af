package dashboard

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/calendar"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// listField is a filter of the listings or the sales as the page shows it. Its name is that of the API's query
// parameter.
type listField struct {
	Name, Label string
	Options     []option // that can be chosen; nil for free text
	Time        bool     // a time, which can be given as a date
	Value       string   // in the page's address
	Refused     string   // why the value cannot be applied; "" if it can
}

// Date reports whether a browser's calendar can show the value.
func (f listField) Date() bool {
	_, err := time.Parse(time.DateOnly, f.Value)
	return f.Time && (f.Value == "" || err == nil)
}

// listQuery reads the filters of a list from the query of its page's address. Empty values set nothing, because forms
// send all of their fields. It keeps the first error.
type listQuery struct {
	path   string
	values url.Values
	zone   string
	fields []listField
	err    error
}

// newListQuery returns the query with the values of the fields. Dates are in the zone.
func newListQuery(r *http.Request, zone string, fields []listField) *listQuery {
	q := &listQuery{path: r.URL.Path, values: r.URL.Query(), zone: zone, fields: slices.Clone(fields)}
	for i := range q.fields {
		q.fields[i].Value = filterValue(q.values, q.fields[i].Name)
	}
	return q
}

func (q *listQuery) refuse(err error) {
	if q.err == nil {
		q.err = err
	}
}

// text returns the value of a filter, or nil.
func (q *listQuery) text(name string) *string {
	value := filterValue(q.values, name)
	if value == "" {
		return nil
	}
	if blank.Is(value) {
		q.refuse(errBlank(name))
	}
	if utf8.RuneCountInString(value) > maxFilter || !utf8.ValidString(value) || strings.Contains(value, "\x00") {
		q.refuse(fault.Invalid(name, "must be at most %d characters of text", maxFilter))
	}
	return &value
}

// choice returns the value of a filter that must be one of its field's values, or nil.
func (q *listQuery) choice(name string) *string {
	value := q.text(name)
	if value != nil {
		q.checkChoice(name, *value)
	}
	return value
}

// choices returns the values of a filter that are separated by commas.
func (q *listQuery) choices(name string) []string {
	value := q.text(name)
	if value == nil {
		return nil
	}
	list := strings.Split(*value, ",")
	for _, one := range list {
		q.checkChoice(name, one)
	}
	return list
}

func (q *listQuery) checkChoice(name, value string) {
	at := slices.IndexFunc(q.fields, func(f listField) bool { return f.Name == name })
	options := q.fields[at].Options
	if !slices.ContainsFunc(options, func(o option) bool { return o.Value == value }) {
		q.refuse(fault.Invalid(name, "must be one of %s", valuesOf(options)))
	}
}

// time returns a time in RFC 3339 as the API takes it, or the beginning of a date.
func (q *listQuery) time(name string) *time.Time {
	value := q.text(name)
	if value == nil {
		return nil
	}
	if at, err := timestamp.Parse(*value); err == nil {
		return &at
	}
	date, err := time.Parse(time.DateOnly, *value)
	if err != nil {
		q.refuse(fault.Invalid(name, "must be a date such as 2026-05-01, or a time such as 2026-05-01T09:00:00Z"))
	}
	at := calendar.Start(date, calendar.Zone(q.zone))
	return &at
}

// active returns the filters that are set.
func (q *listQuery) active() []activeFilter {
	var list []activeFilter
	for _, field := range q.fields {
		if field.Value != "" {
			label := labelOf(field.Options, field.Value)
			list = append(list, activeFilter{field.Label, label, q.address(field.Name, "")})
		}
	}
	return list
}

// address returns the address of the list's first page with one value changed, or removed if it is "".
func (q *listQuery) address(name, value string) string {
	return addressWith(q.path, q.values, name, value)
}

// here returns the address of the page, to which the actions of its rows return.
func (q *listQuery) here() string { return q.address("cursor", q.values.Get("cursor")) }

// shownList is what the pages of listings and sales have in common.
type shownList struct {
	Path   string
	Fields []listField
	Active []activeFilter
	Here   string // the address of the page
	Next   string // the address of the next page; "" if there is none
	First  string // the address of the first page; "" if this is it
	Failed string // why the filters cannot be applied; "" if they can
}

// shown returns the list with the cursor of the next page, or nil.
func (q *listQuery) shown(next *string) shownList {
	list := shownList{Path: q.path, Fields: q.fields, Active: q.active(), Here: q.here()}
	if next != nil {
		list.Next = q.address("cursor", *next)
	}
	if q.values.Get("cursor") != "" {
		list.First = q.address("cursor", "")
	}
	return list
}

// markedFilter is the message above a list if the reason stands beside the field of a filter.
const markedFilter = "Correct the marked filter."

// refused returns the list without rows and why, or the error if the filters did not cause it.
func (q *listQuery) refused(err error) (shownList, *fault.Error, error) {
	f, ok := asInvalid(err)
	if !ok {
		return shownList{}, nil, err
	}
	list := q.shown(nil)
	list.Failed = f.Message
	for i := range list.Fields {
		field := &list.Fields[i]
		if field.Refused = about(f, field.Name); field.Refused != "" {
			list.Failed = markedFilter
		}
	}
	return list, f, nil
}

// addressWith returns the address of the first page of a list with a query in which one value is changed, or removed if
// it is "".
func addressWith(path string, query url.Values, name, value string) string {
	changed := url.Values{}
	for key, values := range query {
		if values[0] != "" && key != "cursor" {
			changed[key] = values[:1]
		}
	}
	if value == "" {
		changed.Del(name)
	} else {
		changed.Set(name, value)
	}
	if len(changed) == 0 {
		return path
	}
	return path + "?" + changed.Encode()
}

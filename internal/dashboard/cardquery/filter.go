// Package cardquery reads the queries of addresses that select cards: filters, and selections of cards for an action.
package cardquery

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
)

// Field is a filter of the page of cards.
type Field struct {
	form.Field
	set setFilter
	// API is the same filter as the API takes it, in another unit. Addresses can have it; the form shows it in this
	// field. It is nil if the field itself has the name and the values of the API's query parameter.
	API *Field
	// show returns a value as people type it. It is nil if that is the value itself, or its label.
	show func(value, currency string) string
}

// Shown returns a value as people type it or choose it. Prices without a currency of their own are in the currency.
func (f *Field) Shown(value, currency string) string {
	if f.show == nil {
		return form.LabelOf(f.Options, value)
	}
	return f.show(value, currency)
}

// setFilter sets a filter. Prices without a currency of their own are in the currency.
type setFilter func(f *cards.Filter, value, currency string) error

// Fields are the filters of the form, in the order in which they are shown. People type prices in major units.
var Fields = withOthers([]Field{
	textFilter("q", "Search"),
	{Field: choice("status", "Status", format.Options(cards.Statuses)), set: setStatus},
	verbatim("set", "Set"),
	verbatim("number", "Number"),
	{Field: choice("game", "Game", format.Options(cards.Games)), set: text("game")},
	textFilter("language", "Language"),
	{Field: choice("condition", "Condition", form.Same(cards.Conditions)), set: text("condition")},
	textFilter("grade", "Grade"),
	verbatim("location", "Location"),
	textFilter("batch", "Batch"),
	{
		Field: choice("identification", "Identification", form.Same(cards.FilterNamed("identification").Choices)),
		set:   text("identification"),
	},
	verbatim("sku", "SKU"),
	verbatim("external_id", "External id"),
	verbatim("catalog_id", "Catalogue id"),
	{Field: choice("has_photo", "Photo", form.Pairs("true", "yes", "false", "no")), set: setHasPhoto},
	textFilter("currency", "Currency"),
	priceFilter("price_from", "min_price", "Price from", func(f *cards.Filter) **int64 { return &f.MinPrice }),
	priceFilter("price_to", "max_price", "Price to", func(f *cards.Filter) **int64 { return &f.MaxPrice }),
})

// withOthers adds the filters by texts that the list lacks. They are labeled by their names.
func withOthers(fields []Field) []Field {
	for _, f := range cards.FilterFields {
		listed := slices.ContainsFunc(fields, func(field Field) bool { return field.Name == f.Name })
		if !listed && f.Text(&cards.Filter{}) != nil {
			fields = append(fields, textFilter(f.Name, format.Words(f.Name)))
		}
	}
	return fields
}

// choice returns a field with options.
func choice(name, label string, options []form.Option) form.Field {
	return form.Field{Name: name, Label: label, Kind: form.Choice, Options: options}
}

// textFilter returns a filter by a text.
func textFilter(name, label string) Field {
	return Field{Field: form.Field{Name: name, Label: label}, set: text(name)}
}

// verbatim returns a filter by a text that cards can have with spaces around it, so that the links of a card find it.
func verbatim(name, label string) Field {
	filter := textFilter(name, label)
	filter.Verbatim = true
	return filter
}

// priceFilter returns a filter by a price, in major units as people type it, and under another name in minor units as
// the API takes it.
func priceFilter(name, inAPI, label string, field func(*cards.Filter) **int64) Field {
	return Field{
		Field: form.Field{Name: name, Label: label}, set: price(name, field),
		API: &Field{
			Field: form.Field{Name: inAPI, Label: label}, set: amount(inAPI, field), show: majorUnits,
		},
	}
}

// AddressFields are the filters that an address can have: those of the form, and those that the API takes otherwise.
var AddressFields = withAPI(Fields)

func withAPI(fields []Field) []Field {
	all := slices.Clone(fields)
	for _, field := range fields {
		if field.API != nil {
			all = append(all, *field.API)
		}
	}
	return all
}

// names returns the values of a list of names.
func names[T ~string](list []T) []string {
	all := make([]string, len(list))
	for i, name := range list {
		all[i] = string(name)
	}
	return all
}

// text sets the filter with a name to a text.
func text(name string) setFilter {
	filter := cards.FilterNamed(name)
	return func(f *cards.Filter, value, _ string) error {
		*filter.Text(f) = &value
		return nil
	}
}

func setStatus(f *cards.Filter, value, _ string) error {
	for name := range strings.SplitSeq(value, ",") {
		status := cards.Status(name)
		if !slices.Contains(cards.Statuses, status) {
			return fault.Invalid("status", "must be one of %s", strings.Join(names(cards.Statuses), ", "))
		}
		f.Statuses = append(f.Statuses, status)
	}
	return nil
}

func setHasPhoto(f *cards.Filter, value, _ string) error {
	has, err := strconv.ParseBool(value)
	if err != nil {
		return fault.Invalid("has_photo", "must be true or false")
	}
	f.HasPhoto = &has
	return nil
}

// amount sets a price in minor units, as the API takes it.
func amount(name string, field func(*cards.Filter) **int64) setFilter {
	return func(f *cards.Filter, value, _ string) error {
		parsed, err := strconv.ParseInt(value, 10, 64)
		if err != nil || parsed < 0 {
			return fault.Invalid(name, form.NoAmount)
		}
		*field(f) = &parsed
		return nil
	}
}

// price sets a price in major units, as people type it.
func price(name string, field func(*cards.Filter) **int64) setFilter {
	return func(f *cards.Filter, value, currency string) error {
		parsed, err := money.Parse(value, priceCurrency(f, currency))
		if err != nil {
			return fault.Invalid(name, form.NoAmount)
		}
		*field(f) = &parsed.Amount
		return nil
	}
}

// priceCurrency returns the currency of the prices of a filter.
func priceCurrency(f *cards.Filter, currency string) string {
	if f.Currency != nil {
		currency = *f.Currency
	}
	return strings.ToUpper(currency)
}

// Parse returns the filter that the query of a page's address sets. Empty values set nothing, because forms send
// all of their fields. A blank value is refused: without its filter, the page would show all cards. Prices are in the
// currency unless the query names another one.
func Parse(query url.Values, currency string) (f cards.Filter, active []list.Active, err error) {
	for _, field := range AddressFields {
		value := list.Value(query, field.Field)
		if value == "" {
			continue
		}
		if err := list.Check(field.Name, value); err != nil {
			return f, nil, err
		}
		if err := field.set(&f, value, currency); err != nil {
			return f, nil, err
		}
		f.Typed = f.Typed || blank.Trim(value) != value
		shown := field.Shown(value, priceCurrency(&f, currency))
		active = append(active, list.Active{
			Label: field.Label, Value: shown, Without: Address(query, field.Name, ""),
		})
	}
	f.Sort = query.Get("sort")
	return f, active, nil
}

// Address returns the address of the first page of cards with a query in which one value is changed, or removed if
// it is "".
func Address(query url.Values, name, value string) string {
	return list.Address("/cards", query, name, value)
}

// majorUnits returns a price of an address as people type it. A value that is not a price stays as it is.
func majorUnits(value, currency string) string {
	minor, err := strconv.ParseInt(value, 10, 64)
	if err != nil || minor < 0 {
		return value
	}
	return money.Money{Amount: minor, Currency: currency}.Major()
}

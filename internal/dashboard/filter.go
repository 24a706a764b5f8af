package dashboard

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
)

// filterField is a filter of the page of cards.
type filterField struct {
	Name, Label string
	Options     []option // that can be chosen; nil for free text
	set         setFilter
	// api is the same filter as the API takes it, in another unit. Addresses can have it; the form shows it in this
	// field. It is nil if the field itself has the name and the values of the API's query parameter.
	api *filterField
	// show returns a value as people type it. It is nil if that is the value itself, or its label.
	show func(value, currency string) string
}

// shown returns a value as people type it or choose it. Prices without a currency of their own are in the currency.
func (f *filterField) shown(value, currency string) string {
	if f.show == nil {
		return labelOf(f.Options, value)
	}
	return f.show(value, currency)
}

// setFilter sets a filter. Prices without a currency of their own are in the currency.
type setFilter func(f *cards.Filter, value, currency string) error

// filterFields are the filters of the form, in the order in which they are shown. People type prices in major units.
var filterFields = []filterField{
	{Name: "q", Label: "Search", set: text(func(f *cards.Filter) **string { return &f.Query })},
	{Name: "status", Label: "Status", Options: wordOptions(cards.Statuses), set: setStatus},
	{Name: "set", Label: "Set", set: text(func(f *cards.Filter) **string { return &f.Set })},
	{Name: "number", Label: "Number", set: text(func(f *cards.Filter) **string { return &f.Number })},
	{
		Name: "game", Label: "Game", Options: wordOptions(cards.Games),
		set: text(func(f *cards.Filter) **string { return &f.Game }),
	},
	{Name: "language", Label: "Language", set: text(func(f *cards.Filter) **string { return &f.Language })},
	{
		Name: "condition", Label: "Condition", Options: sameOptions(cards.Conditions),
		set: text(func(f *cards.Filter) **string { return &f.Condition }),
	},
	{Name: "grade", Label: "Grade", set: text(func(f *cards.Filter) **string { return &f.Grade })},
	{Name: "location", Label: "Location", set: text(func(f *cards.Filter) **string { return &f.Location })},
	{Name: "batch", Label: "Batch", set: text(func(f *cards.Filter) **string { return &f.Batch })},
	{
		Name: "identification", Label: "Identification",
		Options: sameOptions([]string{"none", "pending", "identified", "failed"}),
		set:     text(func(f *cards.Filter) **string { return &f.Identification }),
	},
	{Name: "sku", Label: "SKU", set: text(func(f *cards.Filter) **string { return &f.SKU })},
	{Name: "external_id", Label: "External id", set: text(func(f *cards.Filter) **string { return &f.ExternalID })},
	{Name: "catalog_id", Label: "Catalogue id", set: text(func(f *cards.Filter) **string { return &f.CatalogID })},
	{Name: "has_photo", Label: "Photo", Options: []option{{"true", "yes"}, {"false", "no"}}, set: setHasPhoto},
	{Name: "currency", Label: "Currency", set: text(func(f *cards.Filter) **string { return &f.Currency })},
	priceFilter("price_from", "min_price", "Price from", func(f *cards.Filter) **int64 { return &f.MinPrice }),
	priceFilter("price_to", "max_price", "Price to", func(f *cards.Filter) **int64 { return &f.MaxPrice }),
}

// priceFilter returns a filter by a price, in major units as people type it, and under another name in minor units as
// the API takes it.
func priceFilter(name, inAPI, label string, field func(*cards.Filter) **int64) filterField {
	return filterField{
		Name: name, Label: label, set: price(name, field),
		api: &filterField{Name: inAPI, Label: label, set: amount(inAPI, field), show: majorUnits},
	}
}

// addressFields are the filters that an address can have: those of the form, and those that the API takes otherwise.
var addressFields = withAPI(filterFields)

func withAPI(fields []filterField) []filterField {
	all := slices.Clone(fields)
	for _, field := range fields {
		if field.api != nil {
			all = append(all, *field.api)
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

// maxFilter is the maximum length of a filter's value, in characters. It is that of the longest field of a card that
// can be searched.
const maxFilter = 200

func text(field func(*cards.Filter) **string) setFilter {
	return func(f *cards.Filter, value, _ string) error {
		*field(f) = &value
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
			return fault.Invalid(name, "is not an amount: enter one such as 12.50")
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
			return fault.Invalid(name, "must be an amount such as 12.50")
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

// activeFilter is a filter that the address of the page sets.
type activeFilter struct {
	Label, Value string
	Without      string // the address of the page without this filter
}

// parseFilter returns the filter that the query of a page's address sets. Empty values set nothing, because forms send
// all of their fields. A blank value is refused: without its filter, the page would show all cards. Prices are in the
// currency unless the query names another one.
func parseFilter(query url.Values, currency string) (f cards.Filter, active []activeFilter, err error) {
	for _, field := range addressFields {
		value := filterValue(query, field.Name)
		switch {
		case value == "":
			continue
		case blank.Is(value):
			return f, nil, errBlank(field.Name)
		}
		if utf8.RuneCountInString(value) > maxFilter || !utf8.ValidString(value) || strings.Contains(value, "\x00") {
			return f, nil, fault.Invalid(field.Name, "must be at most %d characters of text", maxFilter)
		}
		if err := field.set(&f, value, currency); err != nil {
			return f, nil, err
		}
		f.Typed = f.Typed || blank.Trim(value) != value
		shown := field.shown(value, priceCurrency(&f, currency))
		active = append(active, activeFilter{field.Label, shown, cardsAddress(query, field.Name, "")})
	}
	f.Sort = query.Get("sort")
	return f, active, nil
}

// filterValue returns a value of a query without the spaces around it. It returns a blank value as it is, so that
// errBlank refuses it: it is no value left empty. A text that cards can have with spaces around it stays as it is too,
// so that the links of a card find it.
func filterValue(query url.Values, name string) string {
	value := query.Get(name)
	if blank.Is(value) || slices.Contains(freeTexts, name) {
		return value
	}
	return blank.Trim(value)
}

// freeTexts are the filters by texts of which cards can have any.
var freeTexts = []string{"set", "number", "location", "sku", "external_id", "catalog_id"}

// errBlank refuses the value of a filter that shows nothing.
func errBlank(name string) error {
	return fault.Invalid(name, "must not be blank; leave it empty to show all")
}

// cardsAddress returns the address of the first page of cards with a query in which one value is changed, or removed if
// it is "".
func cardsAddress(query url.Values, name, value string) string {
	return addressWith("/cards", query, name, value)
}

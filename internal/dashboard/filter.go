package dashboard

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
)

// filterField is a filter of the page of cards. Its name is that of the API's query parameter.
type filterField struct {
	Name, Label string
	Values      []string // that can be chosen; nil for free text
	set         setFilter
}

// setFilter sets a filter. Prices without a currency of their own are in the currency.
type setFilter func(f *cards.Filter, value, currency string) error

// filterFields are the filters of the form, in the order in which they are shown. People type prices in major units.
var filterFields = []filterField{
	{"q", "Search", nil, text(func(f *cards.Filter) **string { return &f.Query })},
	{"status", "Status", names(cards.Statuses), setStatus},
	{"set", "Set", nil, text(func(f *cards.Filter) **string { return &f.Set })},
	{"number", "Number", nil, text(func(f *cards.Filter) **string { return &f.Number })},
	{"game", "Game", cards.Games, text(func(f *cards.Filter) **string { return &f.Game })},
	{"language", "Language", nil, text(func(f *cards.Filter) **string { return &f.Language })},
	{"condition", "Condition", cards.Conditions, text(func(f *cards.Filter) **string { return &f.Condition })},
	{"grade", "Grade", nil, text(func(f *cards.Filter) **string { return &f.Grade })},
	{"location", "Location", nil, text(func(f *cards.Filter) **string { return &f.Location })},
	{"batch", "Batch", nil, text(func(f *cards.Filter) **string { return &f.Batch })},
	{"identification", "Identification", []string{"none", "pending", "identified", "failed"},
		text(func(f *cards.Filter) **string { return &f.Identification })},
	{"sku", "SKU", nil, text(func(f *cards.Filter) **string { return &f.SKU })},
	{"external_id", "External id", nil, text(func(f *cards.Filter) **string { return &f.ExternalID })},
	{"catalog_id", "Catalogue id", nil, text(func(f *cards.Filter) **string { return &f.CatalogID })},
	{"has_photo", "Photo", []string{"true", "false"}, setHasPhoto},
	{"currency", "Currency", nil, text(func(f *cards.Filter) **string { return &f.Currency })},
	{"price_from", "Price from", nil, price("price_from", minPrice)},
	{"price_to", "Price to", nil, price("price_to", maxPrice)},
}

// addressFields are the filters that an address can have: those of the form, and prices in minor units, as in the API.
var addressFields = append(slices.Clone(filterFields),
	filterField{"min_price", "Price from", nil, amount("min_price", minPrice)},
	filterField{"max_price", "Price to", nil, amount("max_price", maxPrice)},
)

// minorUnits are the names of the prices in minor units by those in major ones.
var minorUnits = map[string]string{"price_from": "min_price", "price_to": "max_price"}

func minPrice(f *cards.Filter) **int64 { return &f.MinPrice }

func maxPrice(f *cards.Filter) **int64 { return &f.MaxPrice }

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
			return fault.Invalid(name, "must be a price in minor units, such as 1250 for $12.50")
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
// all of their fields. Prices are in the currency unless the query names another one.
func parseFilter(query url.Values, currency string) (f cards.Filter, active []activeFilter, err error) {
	for _, field := range addressFields {
		value := strings.TrimSpace(query.Get(field.Name))
		if value == "" {
			continue
		}
		if utf8.RuneCountInString(value) > maxFilter || !utf8.ValidString(value) || strings.Contains(value, "\x00") {
			return f, nil, fault.Invalid(field.Name, "must be at most %d characters of text", maxFilter)
		}
		if err := field.set(&f, value, currency); err != nil {
			return f, nil, err
		}
		if field.Name == "min_price" || field.Name == "max_price" {
			value = majorUnits(value, priceCurrency(&f, currency))
		}
		active = append(active, activeFilter{field.Label, value, cardsAddress(query, field.Name, "")})
	}
	f.Sort = query.Get("sort")
	return f, active, nil
}

// cardsAddress returns the address of the first page of cards with a query in which one value is changed, or removed if
// it is "".
func cardsAddress(query url.Values, name, value string) string {
	return addressWith("/cards", query, name, value)
}

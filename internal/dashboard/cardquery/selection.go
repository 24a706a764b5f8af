package cardquery

import (
	"net/http"
	"net/url"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/paging"
)

// Selection is the cards that a bulk action changes: those that were checked, or all that match a filter. It is part of
// the address of the page that confirms the action.
type Selection struct {
	IDs    []string // nil for all that match the filter
	Filter cards.Filter
	Back   string     // the address of the cards that the selection was made from
	values url.Values // what describes the selection in an address
}

// ParseSelection returns the selection of an address or of a form. Prices are in the currency unless the values name
// another one.
func ParseSelection(values url.Values, currency string) (Selection, error) {
	filters := url.Values{}
	for _, filter := range Hidden(values) {
		filters.Set(filter.Name, filter.Value)
	}
	s := Selection{Back: Address(filters, "", ""), values: url.Values{}}
	if values.Get("all") != "true" {
		s.IDs = values["ids"]
		if len(s.IDs) == 0 || len(s.IDs) > paging.MaxLimit {
			return s, fault.New(fault.InvalidRequest,
				"Choose 1 to %d cards by their boxes, or all that match.", paging.MaxLimit)
		}
		if i := cards.Repeated(s.IDs); i >= 0 {
			return s, fault.Invalid("ids", "must differ; choose the cards again")
		}
		s.Filter.IDs, s.values["ids"] = s.IDs, s.IDs
		return s, nil
	}
	filter, _, err := Parse(values, currency)
	if err != nil {
		return s, err
	}
	filter.Sort = ""
	s.Filter = filter
	s.values = filters
	s.values.Set("all", "true")
	return s, nil
}

// SelectionToRead returns the selection of a page that changes nothing, whose address may have the filters alone.
func SelectionToRead(r *http.Request) (Selection, error) {
	query := r.URL.Query()
	if !query.Has("ids") {
		query.Set("all", "true")
	}
	return ParseSelection(query, web.VisitOf(r).Account.Currency)
}

// Hidden returns the filters that a query sets, for hidden fields of a form.
func Hidden(query url.Values) (set []form.Hidden) {
	for _, field := range AddressFields {
		if value := list.Value(query, field.Field); value != "" {
			set = append(set, form.Hidden{Name: field.Name, Value: value})
		}
	}
	return set
}

// Hidden returns the fields that describe the selection in a form.
func (s Selection) Hidden() (fields []form.Hidden) {
	for _, cardID := range s.values["ids"] {
		fields = append(fields, form.Hidden{Name: "ids", Value: cardID})
	}
	if s.IDs == nil {
		fields = append([]form.Hidden{{Name: "all", Value: "true"}}, Hidden(s.values)...)
	}
	return fields
}

// Address returns the address of a page for the selection.
func (s Selection) Address(path string) string { return path + "?" + s.values.Encode() }

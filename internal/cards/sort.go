package cards

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
)

// Filter.Sort is the name of an order, in descending order with a "-" before it. Cards without a value come first in
// ascending order.
const (
	byCreation = "created_at"
	byChange   = "updated_at"
	byPrice    = "price" // by currency, then by amount
	byTitle    = "title"
	byLocation = "location"
)

// NewestFirst is the default order.
const NewestFirst = "-" + byCreation

// order is an order of cards: the table with an index of account_id, key and id.
type order struct {
	table string
	key   paging.SortColumn
	id    string
}

var orders = map[string]order{
	byCreation: {"cards", paging.ByTime("created_at"), "id"},
	byChange:   {"card_changes", paging.ByTime("updated_at"), "card_id"},
	byPrice:    {"card_prices", paging.ByText("price_key"), "card_id"},
	byTitle:    {"card_search", paging.ByBytes(`coalesce(title_order, '')`), "card_id"},
	byLocation: {"cards", paging.ByBytes(`coalesce(location_order, '')`), "id"},
}

// keyTables have the keys of the orders that need them. plainOrders are these orders while keys are missing.
var (
	keyTables   = map[string]keyTable{byTitle: searchKeys, byLocation: locationKeys}
	plainOrders = map[string]order{
		byTitle:    {"card_search", paging.ByText("title_key"), "card_id"},
		byLocation: {"cards", paging.ByText(locationKey), "id"},
	}
)

// maxSortKey is the number of characters of a text that an index has. A cursor contains the text.
const maxSortKey = 80

// locationKey is the expression of cards by which cards are found by location, with the same limit.
const locationKey = `left(coalesce(location, ''), 80)`

// sortKey returns the part of a text of at most maxSortKey characters.
func sortKey(text string) string {
	if utf8.RuneCountInString(text) <= maxSortKey {
		return text
	}
	return string([]rune(text)[:maxSortKey])
}

// order returns the order of the list, and whether it is ascending.
func (f Filter) order() (by order, ascending bool) {
	name, descending := strings.CutPrefix(f.Sort, "-")
	switch {
	case f.UpdatedSince != nil:
		return orders[byChange], true
	case name == "":
		return orders[byCreation], false
	}
	if by, ok := plainOrders[name]; ok && f.plain {
		return by, !descending
	}
	return orders[name], !descending
}

// ordered returns the filter with its order of texts, for one page: by keys, unless those of many cards are missing.
func (s *Service) ordered(ctx context.Context, accountID string, f Filter) (Filter, error) {
	t, ok := keyTables[strings.TrimPrefix(f.Sort, "-")]
	if !ok {
		return f, nil
	}
	keyed, err := s.keyed(ctx, t, accountID)
	f.plain = !keyed
	return f, err
}

// checkList returns an error if a condition is blank, or if the list cannot be sorted as Sort says.
func (f Filter) checkList() error {
	if err := f.Check(); err != nil {
		return err
	}
	if _, known := orders[strings.TrimPrefix(f.Sort, "-")]; !known && f.Sort != "" {
		return fault.Invalid("sort",
			"must be created_at, updated_at, price, title or location, with - before it to reverse the order")
	}
	if f.UpdatedSince != nil && f.Sort != "" && f.Sort != byChange {
		return fault.Invalid("sort", "must be updated_at with updated_since, which returns cards by time of change")
	}
	return nil
}

// position returns the position of a card in the list's order.
func (s *search) position(c Card) paging.Position {
	switch {
	case s.order.key.HasKey():
		return paging.Position{ID: c.ID, Key: s.keys[c.ID]}
	case s.order == orders[byChange]:
		return paging.Position{At: c.UpdatedAt, ID: c.ID}
	}
	return paging.Position{At: c.CreatedAt, ID: c.ID}
}

// priceRange returns the conditions on card_prices that follow from the filter. They limit the rows that a list by
// price reads to those of one currency.
func (f Filter) priceRange(accountID string) (where []paging.Condition) {
	if f.Currency == nil && f.MinPrice == nil && f.MaxPrice == nil {
		return nil
	}
	currency, value := "(SELECT accounts.currency FROM accounts WHERE accounts.id = ?)", any(accountID)
	if f.Currency != nil {
		currency, value = "?::text", *f.Currency
	}
	add := func(comparison string, amount string) {
		where = append(where, paging.Where(fmt.Sprintf("price_key %s %s || '%s'", comparison, currency, amount), value))
	}
	low, high := "", "~" // ~ follows all digits
	if f.MinPrice != nil {
		low = fmt.Sprintf("%0*d", amountDigits, min(max(*f.MinPrice, 0), money.Max))
	}
	if f.MaxPrice != nil {
		high = fmt.Sprintf("%0*d", amountDigits, min(max(*f.MaxPrice, 0), money.Max))
	}
	add(">=", low)
	add("<=", high)
	return where
}

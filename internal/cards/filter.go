package cards

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lib/pq"
	"golang.org/x/text/unicode/norm"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/paging"
)

// Filter selects the cards that meet all of its conditions. The zero Filter selects all. The tag filter names the query
// parameter of a condition; FilterFields lists the conditions.
type Filter struct {
	Statuses       []Status   `json:",omitempty" filter:"status"`
	Batch          *string    `json:",omitempty" filter:"batch"`
	Location       *string    `json:",omitempty" filter:"location"` // this path and everything below it
	Set            *string    `json:",omitempty" filter:"set"`
	Game           *string    `json:",omitempty" filter:"game"`
	Number         *string    `json:",omitempty" filter:"number"`
	Condition      *string    `json:",omitempty" filter:"condition"`
	Identification *string    `json:",omitempty" filter:"identification"`
	SKU            *string    `json:",omitempty" filter:"sku"`
	ExternalID     *string    `json:",omitempty" filter:"external_id"`
	IDs            []string   `json:",omitempty" filter:"ids"`
	CatalogID      *string    `json:",omitempty" filter:"catalog_id"`
	Language       *string    `json:",omitempty" filter:"language"`
	Grade          *string    `json:",omitempty" filter:"grade"` // a company, a company and a value, or "none"
	HasPhoto       *bool      `json:",omitempty" filter:"has_photo"`
	Currency       *string    `json:",omitempty" filter:"currency"`      // of prices
	MinPrice       *int64     `json:",omitempty" filter:"min_price"`     // minor units of Currency
	MaxPrice       *int64     `json:",omitempty" filter:"max_price"`     // minor units of Currency
	Query          *string    `json:",omitempty" filter:"q"`             // words or parts of words in the searched text
	UpdatedSince   *time.Time `json:",omitempty" filter:"updated_since"` // inclusive; also orders the list by UpdatedAt

	Typed bool   `json:",omitempty"` // texts can have spaces around them that cards lack
	Sort  string `json:",omitempty"` // the order of a list; "" is NewestFirst

	// plain is the order of texts in lists while the keys of some of the account's cards are missing.
	plain bool
}

// Check returns an invalid_request error if the filter has a condition that is empty or blank. Such a condition never
// means "all cards": a client that passes the text of a search box would change the whole inventory.
func (f Filter) Check() error {
	for _, field := range FilterFields {
		text := field.Text(&f)
		if text != nil && *text != nil && blank.Is(**text) && field.Name != "location" {
			return fault.Invalid(field.Name, "must not be blank")
		}
	}
	switch {
	case f.Location != nil && blank.Is(strings.ReplaceAll(*f.Location, "/", "")):
		return fault.Invalid("location", "must not be blank")
	case f.Statuses != nil && len(f.Statuses) == 0:
		return fault.Invalid("status", "must name at least one status")
	}
	return nil
}

// scope identifies the list, so that its cursors are valid for this list only. It leaves out the filters that are not
// set, so that cursors stay valid when a release adds a filter.
func (f Filter) scope(accountID string) string {
	text, err := json.Marshal(f)
	if err != nil { // a struct of strings, numbers and times can always be marshalled
		panic(err)
	}
	scope := "cards " + accountID + " " + string(text)
	switch _, keyed := keyTables[strings.TrimPrefix(f.Sort, "-")]; {
	case keyed && f.plain:
		scope += " plain"
	case keyed:
		scope += fmt.Sprintf(" keys %d", keysVersion)
	}
	return scope
}

// predicate is an SQL condition that every card of the list must meet.
type predicate struct {
	paging.Condition
	// lookup finds the cards that may meet the condition by an index; nil if there is no such index.
	lookup *lookup
}

// lookup finds cards by an index: by inclusive ranges of a column's values, or by words of the searched text. Or it has
// their identifiers.
type lookup struct {
	column string
	ranges [][2]string
	texts  []text // the cards contain at least one
	ids    []string
	few    bool // it finds at most a few cards, so that a scan is not needed
}

// text is words that a card contains.
type text struct {
	parts    []string // of the words, by which the index finds cards
	patterns []string // of the words, which the cards match
}

// predicates returns the predicates of the filter except UpdatedSince, which is part of the order. The most selective
// ones come first: search tries their lookups in this order. Most filters need no index of their own, because the cost
// of a page is bounded without it; see search.
func (f Filter) predicates(accountID string) (all []predicate) {
	add := func(by *lookup, sql string, values ...any) {
		all = append(all, predicate{paging.Where(sql, values...), by})
	}
	equals := func(column string, value *string, indexed bool) {
		if value == nil {
			return
		}
		var by *lookup
		forms := f.forms(*value)
		if indexed {
			by = &lookup{column: column}
			for _, form := range forms {
				by.ranges = append(by.ranges, [2]string{form, form})
			}
		}
		if len(forms) == 1 {
			add(by, column+" = ?", *value)
		} else {
			add(by, column+" = ANY(?)", pq.Array(forms))
		}
	}
	if f.IDs != nil {
		ids := []string{}
		for _, text := range f.IDs {
			if cardID, ok := id.Parse(id.Card, text); ok && !slices.Contains(ids, cardID) {
				ids = append(ids, cardID)
			}
		}
		add(&lookup{ids: ids, few: true}, "id = ANY(?)", pq.Array(ids))
	}
	if f.ExternalID != nil {
		by := &lookup{column: "external_id", few: true}
		for _, form := range f.forms(*f.ExternalID) {
			by.ranges = append(by.ranges, [2]string{form, form})
		}
		add(by, "external_id = ANY(?)", pq.Array(f.forms(*f.ExternalID)))
	}
	equals("sku", f.SKU, true)
	if f.Batch != nil {
		batch, _ := id.Parse(id.Batch, *f.Batch) // a malformed identifier matches nothing
		equals("batch_id", &batch, true)
	}
	if f.Location != nil { // "0" follows "/" in byte order: everything that begins with location/
		by := &lookup{column: locationKey}
		var conditions []string
		var values []any
		for _, form := range f.forms(*f.Location) {
			by.ranges = append(by.ranges, [2]string{sortKey(form), sortKey(form + "0")})
			conditions = append(conditions, "location = ? OR location >= ? AND location < ?")
			values = append(values, form, form+"/", form+"0")
		}
		add(by, "("+strings.Join(conditions, " OR ")+")", values...)
	}
	if f.Query != nil {
		if words := wordsOf(*f.Query); len(words.typed) > 0 {
			all = append(all, words.predicate(accountID))
		} else { // Check refuses it; a job of an earlier version may have stored it
			add(&lookup{ids: []string{}, few: true}, "false")
		}
	}
	equals("catalog_id", f.CatalogID, true)
	equals("set", f.Set, true)
	f.statuses(add)
	equals("game", f.Game, false)
	equals("number", f.Number, false)
	equals("condition", f.Condition, false)
	equals("identification_status", f.Identification, false)
	equals("language", f.Language, false)
	f.graded(add)
	if f.HasPhoto != nil {
		add(nil, `(photos @> '[{"status": "ready"}]') = ?`, *f.HasPhoto)
	}
	f.prices(accountID, add)
	return all
}

// forms returns a text as it is and in the normal forms of Unicode, which look the same: some systems write é as one
// character, others as two. If the text was typed, the forms without the spaces around it follow.
func (f Filter) forms(text string) (all []string) {
	list := []string{text, norm.NFC.String(text), norm.NFD.String(text)}
	if f.Typed {
		text = blank.Trim(text)
		list = append(list, text, norm.NFC.String(text), norm.NFD.String(text))
	}
	for _, form := range list {
		if !slices.Contains(all, form) {
			all = append(all, form)
		}
	}
	return all
}

// prices adds the predicates of the asking price.
func (f Filter) prices(accountID string, add func(*lookup, string, ...any)) {
	switch {
	case f.Currency != nil:
		add(nil, "asking_currency = ?", *f.Currency)
	case f.MinPrice != nil || f.MaxPrice != nil:
		add(nil, "asking_currency = (SELECT accounts.currency FROM accounts WHERE accounts.id = ?)", accountID)
	}
	if f.MinPrice != nil {
		add(nil, "asking_amount >= ?", *f.MinPrice)
	}
	if f.MaxPrice != nil {
		add(nil, "asking_amount <= ?", *f.MaxPrice)
	}
}

// graded adds the predicate of the grade.
func (f Filter) graded(add func(*lookup, string, ...any)) {
	switch {
	case f.Grade == nil:
	case *f.Grade == "none":
		add(nil, "grade_company IS NULL")
	default:
		add(nil, "(grade_company = ? OR grade_company || ' ' || grade_value = ?)", *f.Grade, *f.Grade)
	}
}

func (f Filter) statuses(add func(*lookup, string, ...any)) {
	if len(f.Statuses) == 0 {
		return
	}
	by := &lookup{column: "workflow_status"}
	for _, status := range f.Statuses {
		by.ranges = append(by.ranges, [2]string{string(status), string(status)})
	}
	add(by, "workflow_status = ANY(?)", pq.Array(f.Statuses))
}

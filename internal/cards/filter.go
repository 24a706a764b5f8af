package cards

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/page"
)

// Filter chooses cards; the zero Filter chooses all. Every condition given must hold.
type Filter struct {
	Statuses       []Status
	Batch          *string
	Location       *string // that path and everything below it
	Set            *string
	Game           *string
	Number         *string
	Condition      *string
	Identification *string
	SKU            *string
	MinPrice       *int64     // minor units of the asking price
	MaxPrice       *int64     // minor units of the asking price
	Query          *string    // words or a part of the title
	UpdatedSince   *time.Time // inclusive; also turns the order into that of change
}

// scope names the list for its cursors.
func (f Filter) scope(accountID string) string {
	text, err := json.Marshal(f)
	if err != nil { // a struct of strings, numbers and times always has a text
		panic(err)
	}
	return "cards " + accountID + " " + string(text)
}

// position returns where a card stands in the list's order.
func (f Filter) position(c Card) page.Position {
	if f.UpdatedSince != nil {
		return page.Position{At: c.UpdatedAt, ID: c.ID}
	}
	return page.Position{At: c.CreatedAt, ID: c.ID}
}

// condition is one that every card of the list must meet.
type condition struct {
	page.Condition
	// lookup is how an index of cards lookups the cards that may meet it; nil if there is no such index.
	lookup *lookup
}

// lookup is one of the ways to find cards by an index: by ranges of a column's values, both ends included, or by parts of
// the searched text.
type lookup struct {
	column string
	ranges [][2]string
	parts  []string
}

// conditions are those of the filter but UpdatedSince, which goes with the order. Those that choose fewest come first.
func (f Filter) conditions() (all []condition) {
	add := func(by *lookup, sql string, values ...any) {
		all = append(all, condition{page.If(sql, values...), by})
	}
	equals := func(column string, value *string, indexed bool) {
		switch {
		case value == nil:
		case indexed:
			add(&lookup{column: column, ranges: [][2]string{{*value, *value}}}, column+" = ?", *value)
		default:
			add(nil, column+" = ?", *value)
		}
	}
	equals("sku", f.SKU, true)
	if f.Batch != nil {
		batch, _ := id.Parse(id.Batch, *f.Batch) // one that is malformed matches nothing
		equals("batch_id", &batch, true)
	}
	if f.Location != nil { // "0" follows "/" in byte order: everything that begins with location/
		add(&lookup{column: "location", ranges: [][2]string{{*f.Location, *f.Location + "0"}}},
			"(location = ? OR location >= ? AND location < ?)", *f.Location, *f.Location+"/", *f.Location+"0")
	}
	if f.Query != nil {
		words := strings.Fields(strings.ToLower(*f.Query))
		by := lookupParts(words)
		for _, word := range words {
			add(by, "lower(title) LIKE ?", contains(word))
			by = nil // once is enough
		}
	}
	equals("set", f.Set, true)
	f.statuses(add)
	equals("game", f.Game, false)
	equals("number", f.Number, false)
	equals("condition", f.Condition, false)
	equals("identification_status", f.Identification, false)
	if f.MinPrice != nil {
		add(nil, "asking_amount >= ?", *f.MinPrice)
	}
	if f.MaxPrice != nil {
		add(nil, "asking_amount <= ?", *f.MaxPrice)
	}
	return all
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

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

// where returns the conditions of the filter for one account, but UpdatedSince, which goes with the order.
func (f Filter) where(accountID string) *page.Query {
	w := page.Where("account_id = ?", accountID)
	switch len(f.Statuses) {
	case 0:
	case 1: // an equality lets the index by status give the order too
		w.And("workflow_status = ?", string(f.Statuses[0]))
	default:
		w.And("workflow_status = ANY(?)", pq.Array(f.Statuses))
	}
	if f.Batch != nil {
		batch, _ := id.Parse(id.Batch, *f.Batch) // one that is malformed matches nothing
		w.And("batch_id = ?", batch)
	}
	if f.Location != nil { // "0" follows "/" in byte order: everything that begins with location/
		w.And("(location = ? OR location >= ? AND location < ?)", *f.Location, *f.Location+"/", *f.Location+"0")
	}
	w.Equals("set", f.Set)
	w.Equals("game", f.Game)
	w.Equals("number", f.Number)
	w.Equals("condition", f.Condition)
	w.Equals("identification_status", f.Identification)
	w.Equals("sku", f.SKU)
	if f.MinPrice != nil {
		w.And("asking_amount >= ?", *f.MinPrice)
	}
	if f.MaxPrice != nil {
		w.And("asking_amount <= ?", *f.MaxPrice)
	}
	if f.Query != nil {
		for _, word := range strings.Fields(strings.ToLower(*f.Query)) {
			w.And("lower(title) LIKE ?", "%"+likeEscaper.Replace(word)+"%")
		}
	}
	return w
}

var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

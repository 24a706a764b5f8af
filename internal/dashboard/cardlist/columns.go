package cardlist

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/cardquery"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
)

// column is a column of the table of cards.
type column struct {
	list.Column
	cell func(listedCard) cardCell
}

// listedCard is a card of the table.
type listedCard struct {
	*cards.Card
	batches map[string]string // the names of batches by identifier; nil if the page does not show them
}

// cardCell is what a column shows of a card. It is a text that can be a status or a time, or lead to an address.
type cardCell struct {
	Column  string // its name
	Text    string
	Figure  bool
	Amount  bool
	Status  cards.Status // "" if it is none
	Time    string       // in RFC 3339; "" if it is none
	Address string       // "" if it leads nowhere
}

// cardColumns are all columns besides the card, in the order in which they are shown.
var cardColumns = []column{
	{list.Column{Name: "set", Label: "Set"}, textCell(func(c listedCard) *string { return c.Identification.Set })},
	{list.Column{Name: "number", Label: "Number"}, textCell(func(c listedCard) *string {
		return c.Identification.Number
	})},
	{list.Column{Name: "game", Label: "Game"}, gameCell},
	{list.Column{Name: "language", Label: "Language"}, textCell(func(c listedCard) *string {
		return c.Identification.Language
	})},
	{list.Column{Name: "status", Label: "Status"}, statusCell},
	{list.Column{Name: "condition", Label: "Condition"}, conditionCell},
	{list.Column{Name: "grade", Label: "Grade"}, gradeCell},
	{list.Column{Name: "price", Label: "Asking price", Figure: true, Sort: "price", Descending: true}, priceCell},
	{list.Column{Name: "floor", Label: "Floor price", Figure: true}, floorCell},
	{list.Column{Name: "cost", Label: "Cost", Figure: true}, costCell},
	{list.Column{Name: "margin", Label: "Margin", Figure: true}, marginCell},
	{list.Column{Name: "location", Label: "Location", Sort: "location"}, textCell(func(c listedCard) *string {
		return c.Location
	})},
	{list.Column{Name: "batch", Label: "Batch"}, batchCell},
	{list.Column{Name: "sku", Label: "SKU"}, textCell(func(c listedCard) *string { return c.SKU })},
	{list.Column{Name: "external_id", Label: "External id"}, textCell(func(c listedCard) *string {
		return c.ExternalID
	})},
	{list.Column{Name: "listing", Label: "Listing"}, listingCell},
	{list.Column{Name: "created", Label: "Created", Sort: "created_at", Descending: true}, func(c listedCard) cardCell {
		return timeCell(c.CreatedAt)
	}},
	{list.Column{Name: "updated", Label: "Changed", Sort: "updated_at", Descending: true}, func(c listedCard) cardCell {
		return timeCell(c.UpdatedAt)
	}},
}

func textCell(field func(listedCard) *string) func(listedCard) cardCell {
	return func(c listedCard) cardCell { return cardCell{Text: format.Text(field(c))} }
}

func gameCell(c listedCard) cardCell {
	return cardCell{Text: format.Words(format.Text(c.Identification.Game))}
}

func statusCell(c listedCard) cardCell {
	return cardCell{Text: format.Status(c.Status), Status: c.Status}
}

// conditionCell shows the condition, or the grade of a graded card.
func conditionCell(c listedCard) cardCell {
	if c.Identification.Grade != nil {
		return gradeCell(c)
	}
	return cardCell{Text: format.Text(c.Identification.Condition)}
}

func gradeCell(c listedCard) cardCell {
	if c.Identification.Grade == nil {
		return cardCell{}
	}
	return cardCell{Text: c.Identification.Grade.Company + " " + c.Identification.Grade.Value}
}

func priceCell(c listedCard) cardCell { return amountCell(c.Pricing.AskingPrice) }

func floorCell(c listedCard) cardCell { return amountCell(c.Pricing.FloorPrice) }

func costCell(c listedCard) cardCell { return amountCell(c.Pricing.Cost) }

// noAmount is shown for an amount that a card does not have.
const noAmount = "–"

func amountCell(m *money.Money) cardCell {
	if m == nil {
		return cardCell{Text: noAmount, Amount: true}
	}
	return cardCell{Text: format.Money(*m), Amount: true}
}

func marginCell(c listedCard) cardCell {
	if n := margin(c.Pricing); n != nil {
		return cardCell{Text: format.Percent(n)}
	}
	return cardCell{}
}

func batchCell(c listedCard) cardCell {
	if c.BatchID == nil {
		return cardCell{}
	}
	return cardCell{Text: c.batches[*c.BatchID], Address: "/batches/" + *c.BatchID}
}

// listingCell shows the status of the newest listing.
func listingCell(c listedCard) cardCell {
	if c.Listing == nil {
		return cardCell{}
	}
	return cardCell{Text: c.Listing.Status, Address: "/listings/" + c.Listing.ID}
}

func timeCell(at time.Time) cardCell {
	m := format.At(at)
	return cardCell{Text: m.Text(), Time: m.Machine()}
}

// defaultColumns are shown unless the address chooses others.
var defaultColumns = []string{"status", "condition", "price", "cost", "margin", "location", "updated"}

// withOneValue returns the query with the values of a name as one, with commas. Forms send a value for each box.
func withOneValue(query url.Values, name string) url.Values {
	if len(query[name]) > 1 {
		query.Set(name, strings.Join(query[name], ","))
	}
	return query
}

// parseColumns returns the columns that a query chooses.
func parseColumns(query url.Values) ([]column, error) {
	chosen := defaultColumns
	if text := query.Get("columns"); text != "" {
		chosen = strings.Split(text, ",")
	}
	var columns []column
	for _, c := range cardColumns {
		if slices.Contains(chosen, c.Name) {
			columns = append(columns, c)
		}
	}
	for _, name := range chosen {
		if !slices.ContainsFunc(columns, func(c column) bool { return c.Name == name }) {
			return nil, fault.Invalid("columns", "must be some of %s, with commas between them", columnNames())
		}
	}
	return columns, nil
}

// columnNames returns the names of all columns.
func columnNames() string {
	all := make([]string, len(cardColumns))
	for i, c := range cardColumns {
		all[i] = c.Name
	}
	return strings.Join(all, ", ")
}

// Shows reports whether a column is shown.
func (p *cardsPage) Shows(name string) bool {
	return slices.ContainsFunc(p.Columns, func(c column) bool { return c.Name == name })
}

// DefaultColumns returns the address of the page with the columns that are shown by default.
func (p *cardsPage) DefaultColumns() string { return cardquery.Address(p.Query, "columns", "") }

// Clear returns the address of all cards in the chosen columns.
func (p *cardsPage) Clear() string { return cardquery.Address(columnsOf(p.Query), "", "") }

// columnsOf returns the part of a query that chooses columns.
func columnsOf(query url.Values) url.Values {
	if !query.Has("columns") {
		return nil
	}
	return url.Values{"columns": query["columns"]}
}

// Heads returns the heads of the columns, the card's first.
func (p *cardsPage) Heads() []list.Head {
	heads := []list.Head{list.Column{Label: "Card", Sort: "title"}.Head("/cards", p.Query)}
	for _, c := range p.Columns {
		heads = append(heads, c.Head("/cards", p.Query))
	}
	return heads
}

// tableRow is a row of the table of cards. It has texts only: a template takes longer to read them from a card.
type tableRow struct {
	ID      string
	Title   string // "" if it is unknown
	Below   string // what stands below the title
	Address string // of the card's page
	Photo   string // the URL of a photo; "" if there is none
	Cells   []cardCell
}

// origin returns the query with which a card's page finds the neighbors of the card. The card's place follows it.
func (p *cardsPage) origin() string { return "?from=" + url.QueryEscape(p.Query.Encode()) + "&row=" }

// row returns the row of a card. origin is the query of the address of the card's page.
func (p *cardsPage) row(c listedCard, origin, photo string) tableRow {
	row := tableRow{
		ID: c.ID, Title: format.Text(c.Identification.Title), Below: p.below(c), Photo: photo,
		Address: "/cards/" + c.ID + origin,
		Cells:   make([]cardCell, len(p.Columns)),
	}
	for i, column := range p.Columns {
		row.Cells[i] = column.cell(c)
		row.Cells[i].Column, row.Cells[i].Figure = column.Name, column.Figure
	}
	return row
}

// below returns what stands below the title of a card: its set and its number, unless columns show them.
func (p *cardsPage) below(c listedCard) string {
	var parts []string
	for _, part := range []struct {
		column string
		text   *string
	}{{"set", c.Identification.Set}, {"number", c.Identification.Number}} {
		if part.text != nil && !p.Shows(part.column) {
			parts = append(parts, *part.text)
		}
	}
	return strings.Join(parts, " ")
}

// batchNames returns the names of the cards' batches by identifier, or nil if the page does not show them.
func (h *Handlers) batchNames(
	ctx context.Context, p *cardsPage, accountID string, shown []cards.Card,
) (map[string]string, error) {
	if !p.Shows("batch") {
		return nil, nil
	}
	var ids []string
	for i := range shown {
		if batchID := shown[i].BatchID; batchID != nil {
			ids = append(ids, *batchID)
		}
	}
	return h.Batches.Names(ctx, accountID, ids)
}

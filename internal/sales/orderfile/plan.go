package orderfile

import (
	"context"
	"slices"
	"strings"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/cards/csvfile"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/sales"
)

// planner finds the cards of a report's lines. It only reads.
type planner struct {
	*Service
	account  string
	read     report
	problems *csvfile.Problems
	report   Report

	recorded map[string][]string // the cards of recorded sales, by order
	byID     map[string]cards.Card
	stock    *stock
}

// plan returns the orders to record, without the lines that are recorded already.
func (p *planner) plan(ctx context.Context) ([]sales.Order, error) {
	if err := p.load(ctx); err != nil {
		return nil, err
	}
	var orders []sales.Order
	for _, o := range p.read.orders {
		next, err := p.order(ctx, o)
		if err != nil {
			return nil, err
		}
		if len(next.Lines) == 0 {
			continue
		}
		if f, ok := fault.As(p.sales.CheckOrder(next)); ok {
			p.problems.Add(o.line, "", "%s", describe(f))
			continue
		}
		orders = append(orders, next)
	}
	return orders, nil
}

// load reads the recorded sales of the orders, and the cards that the labels and the sales name.
func (p *planner) load(ctx context.Context) (err error) {
	var references, ids []string
	for _, o := range p.read.orders {
		references = append(references, o.reference)
		for _, l := range o.lines {
			if cardID, ok := id.Parse(id.Card, l.label); ok {
				ids = append(ids, cardID)
			}
		}
	}
	if p.recorded, err = p.sales.Recorded(ctx, p.account, p.read.channel, references); err != nil {
		return err
	}
	for _, of := range p.recorded {
		ids = append(ids, of...)
	}
	slices.Sort(ids)
	p.byID = map[string]cards.Card{}
	for some := range slices.Chunk(slices.Compact(ids), 500) {
		list, err := p.cards.FindMany(ctx, p.db, p.account, some)
		if err != nil {
			return err
		}
		for cardID, card := range list {
			p.byID[cardID] = card
		}
	}
	p.stock = newStock(p.cards, p.account)
	return nil
}

// order returns the order that is to be recorded.
func (p *planner) order(ctx context.Context, o *order) (sales.Order, error) {
	labels := slices.Clone(p.recorded[o.reference])
	next := sales.Order{
		Channel: p.read.channel, Reference: o.reference, SoldAt: o.soldAt, Recorded: len(labels),
	}
	if o.total != nil && len(labels) > 0 {
		if p.report.Known += len(labels); len(labels) < len(o.lines) {
			p.problems.Add(o.line, "", "order %s is recorded in part: record the sales of its other cards by hand",
				o.reference)
		}
		return next, nil
	}
	failed := false
	var chosen []cards.Card
	for _, l := range o.lines {
		if at := p.knownAt(labels, l.label); at >= 0 {
			labels = slices.Delete(labels, at, at+1)
			p.report.Known++
			continue
		}
		if isListing(l.label) {
			p.report.Connected++
			continue
		}
		card, problem, err := p.choose(ctx, l.label)
		if err != nil {
			return next, err
		}
		if problem != "" {
			p.problems.Add(l.number, "", "%s", problem)
			failed = true
			continue
		}
		p.stock.taken[card.ID] = true
		chosen = append(chosen, card)
		next.Lines = append(next.Lines, l.sale(card.ID))
	}
	if o.total != nil {
		if failed {
			p.stock.release(chosen)
			return sales.Order{}, nil
		}
		divide(o, next.Lines, chosen)
	}
	return next, nil
}

// sale returns the line with its card, without a price if the report has none.
func (l line) sale(cardID string) sales.OrderLine {
	sold := sales.OrderLine{CardID: cardID, ShippingCharged: l.shipping, Tax: l.tax, Fees: l.fees}
	if l.price != nil {
		sold.Price = *l.price
	}
	return sold
}

// knownAt returns the place of a recorded sale of the label, or -1.
func (p *planner) knownAt(labels []string, label string) int {
	cardID, _ := id.Parse(id.Card, label)
	return slices.IndexFunc(labels, func(text string) bool {
		if text == cardID {
			return true // even if the card was deleted
		}
		card, ok := p.byID[text]
		return ok && card.SKU != nil && *card.SKU == label
	})
}

// isListing reports whether a label is the SKU that the connection to eBay gives a listing.
func isListing(label string) bool {
	unique, ok := strings.CutPrefix(label, id.Listing)
	if !ok {
		return false
	}
	_, ok = id.Parse(id.Listing, id.Listing+"_"+unique)
	return ok
}

// choose returns the card that was sold, or a problem.
func (p *planner) choose(ctx context.Context, label string) (card cards.Card, problem string, err error) {
	cardID, ok := id.Parse(id.Card, label)
	if !ok {
		return p.chooseBySKU(ctx, label)
	}
	card, ok = p.byID[cardID]
	if !ok {
		return card, "there is no card " + label, nil
	}
	if p.stock.taken[cardID] {
		return card, "the card " + label + " is in the file twice", nil
	}
	if f, ok := fault.As(card.CheckSellable()); ok {
		return card, label + ": " + f.Message, nil
	}
	return card, "", nil
}

func (p *planner) chooseBySKU(ctx context.Context, sku string) (card cards.Card, problem string, err error) {
	left, err := p.stock.first(ctx, sku, 2)
	switch {
	case err != nil:
		return card, "", err
	case len(left) == 0:
		return card, "there is no card with the SKU " + sku + " that is not sold", nil
	case len(left) > 1 && !p.read.interchangeable:
		return card, "several cards have the SKU " + sku +
			", so the sold one is not known: record the sale by hand", nil
	}
	return left[0], "", nil
}

// describe returns a fault as one line.
func describe(f *fault.Error) string {
	if len(f.Details) == 0 {
		return f.Message
	}
	return f.Details[0].Field + " " + f.Details[0].Message
}

// divide gives each card of an order its part of the total, in proportion to the asking prices: TCGplayer reports no
// other price of a card. The parts add up to the total. The first line has the shipping of the order.
func divide(o *order, lines []sales.OrderLine, chosen []cards.Card) {
	if len(lines) == 0 {
		return
	}
	weights := make([]int64, len(chosen))
	for i := range chosen {
		if price := chosen[i].Pricing.AskingPrice; price != nil && price.Currency == o.total.Currency {
			weights[i] = price.Amount
		}
	}
	for i, part := range split(o.total.Amount, weights) {
		lines[i].Price = money.Money{Amount: part, Currency: o.total.Currency}
	}
	lines[0].ShippingCharged = o.shipping
}

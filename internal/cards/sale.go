package cards

import "github.com/cardvault/cardvault/internal/fault"

// CheckSellable returns an error unless the card can be sold elsewhere than through its listing: card_sold,
// card_archived or card_not_identified.
func (c *Card) CheckSellable() error {
	switch {
	case c.Sold():
		return fault.New(fault.CardSold, "This card was sold.")
	case c.Archived:
		return fault.New(fault.CardArchived, "This card is archived; bring it back before selling it.")
	case c.Identification.Title == nil:
		return fault.New(fault.CardNotIdentified, "Identify this card, or give it a title, before selling it.")
	}
	return nil
}

// Sell marks the card as sold by a sale. A card that is sold already keeps its sale.
func (c *Card) Sell(saleID string) {
	if c.SaleID == nil {
		c.SaleID = &saleID
	}
}

// Return ends the sale by which the card is sold. other is another sale of the card that is not returned, or nil: then
// the card is no longer sold. A sale that is not the card's changes nothing.
func (c *Card) Return(saleID string, other *string) {
	if c.SaleID == nil || *c.SaleID != saleID {
		return
	}
	c.SaleID = other
	if other == nil && c.Listing != nil && c.Listing.Status == ListingSold {
		c.Listing = nil
	}
}

package sandboxmarket

import (
	"time"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// countRevision counts a revision of a live listing on the day of at.
func (o *offer) countRevision(at time.Time) error {
	today := at.UTC().Format(time.DateOnly)
	if o.RevisedOn != today {
		o.RevisedOn, o.Revisions = today, 0
	}
	if o.Revisions >= wire.MaxRevisions {
		return badRequest(wire.UserError, "A user error has occurred. This listing was revised 250 times today. "+
			"It can be revised again on the next calendar day.")
	}
	o.Revisions++
	return nil
}

// reprice changes the price and the quantity of a live offer.
func (o *offer) reprice(change wire.OfferPrice) error {
	if o.State != live {
		return badRequest(wire.UserError, "A user error has occurred. The offer is not published.")
	}
	if change.Price == nil && change.AvailableQuantity == nil {
		return invalidValue("price")
	}
	_, terms, err := o.content()
	if err != nil {
		return err
	}
	if change.Price != nil {
		terms.PricingSummary.Price = change.Price
	}
	if change.AvailableQuantity != nil {
		terms.AvailableQuantity = *change.AvailableQuantity
	}
	return o.replaceTerms(terms)
}

// restock changes the quantity of the inventory item.
func (o *offer) restock(quantity int) error {
	item, _, err := o.content()
	if err != nil {
		return err
	}
	item.Availability.ShipToLocationAvailability.Quantity = quantity
	return o.replaceItem(item)
}

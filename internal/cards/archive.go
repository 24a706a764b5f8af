package cards

import "github.com/cardvault/cardvault/internal/fault"

// Archive archives the card. The caller ends a live listing in the same transaction: until it has ended, the card stays
// listed, or is sold. Archive fails with card_sold, and with card_listed while the card is being published.
func (c *Card) Archive() error {
	switch {
	case c.Sold():
		return fault.New(fault.CardSold, "This card was sold; it can no longer be archived.")
	case c.Listing != nil && c.Listing.Status == ListingPublishing:
		return fault.New(fault.CardListed, "This card is being published; archive it when it is live.")
	}
	c.Archived = true
	return nil
}

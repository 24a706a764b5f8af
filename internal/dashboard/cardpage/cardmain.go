package cardpage

import (
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
)

// mainAction is the action at the head of a card's page. It is a link to Address, or sends the form of the page that
// has the identifier Form.
type mainAction struct{ Label, Address, Form string }

// Main returns the next step of the card's workflow.
func (p cardPage) Main() mainAction {
	card := &p.Card
	switch {
	case card.SaleID != nil:
		return mainAction{Label: "See the sale", Address: "/sales/" + *card.SaleID}
	case card.Listing != nil:
		return mainAction{Label: "See the listing", Address: "/listings/" + card.Listing.ID}
	case card.Archived:
		return mainAction{Label: "Bring back", Form: "archive"}
	case card.Status == cards.NeedsReview:
		return mainAction{Label: "Review it", Address: "/review?card=" + card.ID}
	case card.Identification.Title == nil && p.Unidentifiable() == "":
		return mainAction{Label: "Identify by the photo", Form: "identify"}
	case card.Identification.Title == nil:
		return p.addPhoto()
	case card.Pricing.AskingPrice == nil && p.Estimate != nil:
		return mainAction{Label: "Ask " + format.Money(p.Estimate.Price), Form: "ask"}
	case card.Pricing.AskingPrice == nil && !p.Priced:
		return mainAction{Label: "Look the price up", Address: p.Address("", "prices", "true") + "#prices"}
	case len(card.ReadyPhotos()) == 0:
		return p.addPhoto()
	case p.Listing.Failed():
		return mainAction{Label: "Publish again", Form: "publish"}
	}
	return mainAction{Label: "Publish", Form: "publish"}
}

func (p cardPage) addPhoto() mainAction {
	return mainAction{Label: "Add a photo", Address: p.Address("") + "#photos"}
}

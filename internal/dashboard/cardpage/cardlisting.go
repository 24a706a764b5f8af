package cardpage

import (
	"context"
	"net/http"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/paging"
)

// Failed reports whether the last listing did not go live, and the card is not sold or listed since.
func (l listingPart) Failed() bool { return l.Last != nil && l.Last.Failure != nil }

// loadListing reads the newest listing of the card.
func (h *Handlers) loadListing(ctx context.Context, p *cardPage) (err error) {
	p.Listing.Missing = missing(&p.Card)
	p.Listing.Marketplaces, err = h.Listings.Marketplaces(ctx, p.account.ID, p.account.Sandbox)
	if err != nil {
		return err
	}
	found, err := h.Listings.List(ctx, p.account.ID, listings.Filter{Card: &p.Card.ID}, paging.Request{Limit: 1})
	if err != nil || len(found.Data) == 0 {
		return err
	}
	p.Listing.Last = &found.Data[0]
	if failure := p.Listing.Last.Failure; failure != nil {
		p.Listing.Remedy = remedy(failure.Code)
	}
	return nil
}

// missing returns what the card lacks to be published. The price is part of the form.
func missing(card *cards.Card) string {
	switch {
	case card.Archived:
		return "The card is archived. Bring it back before you publish it."
	case card.Identification.Title == nil:
		return "Identify the card, or give it a title, before you publish it."
	case len(card.ReadyPhotos()) == 0:
		return "Add a photo before you publish the card."
	}
	return ""
}

// remedies say what to do about a listing that failed, by the code of its failure.
var remedies = map[string]string{
	"invalid_title":        "Shorten or correct the title under “What it is”, then publish the card again.",
	"invalid_price":        "Set an asking price above zero, then publish the card again.",
	"no_photo":             "Add a photo, then publish the card again.",
	"invalid_condition":    "Set the condition, then publish the card again.",
	"invalid_grade":        "Complete the grade and its company, then publish the card again.",
	"listing_ended":        "The listing ended at the marketplace. Publish the card again.",
	"wrong_currency":       "Set an asking price in the currency that the message names, then publish the card again.",
	"no_location":          "Choose where you ship from at Settings, Marketplaces, then publish the card again.",
	"no_policies":          "Choose the policies at Settings, Marketplaces, then publish the card again.",
	listings.Unreachable:   "The marketplace did not answer for a day. Publish the card again.",
	listings.SoldElsewhere: "The card was sold before the listing went live. There is nothing to do.",
}

// remedy returns what to do about a failure.
func remedy(code string) string {
	if text, ok := remedies[code]; ok {
		return text
	}
	return "Correct what the marketplace names, then publish the card again."
}

// publishForm returns the form that publishes a card at its asking price or another one.
func publishForm(card *cards.Card, currency string) *form.Form {
	return form.New(append(priceFields(card, currency), form.Field{Name: "marketplace", Kind: form.Choice})...)
}

// priceFields returns the fields of a price in any currency, to begin with a card's asking price.
func priceFields(card *cards.Card, currency string) []form.Field {
	price, currency := form.Major(card.Pricing.AskingPrice, currency)
	return []form.Field{
		{
			Name: "price", Label: "Price", Kind: form.Amount, Max: form.MaxAmount, Value: price, Required: true,
			CurrencyField: "currency",
		},
		{Name: "currency", Path: "price.currency", Label: "Currency", Max: 3, Value: currency, Required: true},
	}
}

// PublishCard publishes the card. A price that is typed becomes its asking price.
func (h *Handlers) PublishCard(r *http.Request, card *cards.Card) (string, error) {
	account := web.VisitOf(r).Account
	f := publishForm(card, account.Currency).Read(r.PostForm)
	input := listings.PublishInput{Marketplace: new(f.Value("marketplace"))}
	if f.Sent("price") != "" {
		input.Price = f.Amount("price")
	}
	if err := f.Err(); err != nil {
		return "", err
	}
	_, err := h.Listings.Publish(r.Context(), account.ID, card.ID, input, account.Sandbox, nil)
	return "published", err
}

// EndListingOfCard ends the listing that the page showed.
func (h *Handlers) EndListingOfCard(r *http.Request, card *cards.Card) (string, error) {
	shown := r.PostForm.Get("listing")
	if shown == "" {
		return "", fault.New(fault.InvalidRequest, "The form is incomplete. Open the card again and repeat it.")
	}
	listing, err := h.Listings.Get(r.Context(), card.AccountID, shown)
	if err == nil && listing.CardID != card.ID {
		err = listings.NotFound()
	}
	if err == nil {
		_, err = h.Listings.End(r.Context(), card.AccountID, listing.ID, nil)
	}
	return "ending", err
}

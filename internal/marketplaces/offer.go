package marketplaces

import (
	"unicode/utf8"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/money"
)

// Offer is one copy of one card for sale at a fixed price.
type Offer struct {
	// ListingID is the listing's identifier in CardVault ("lst_…"). Adapters make the marketplace's SKU from it,
	// which makes Publish idempotent. The card's SKU is its owner's and is not sent.
	ListingID string
	Title     string // 1 to MaxTitle characters
	// Description is plain text; the default describes the card. Adapters add the markup that their marketplace needs.
	Description string
	Price       money.Money
	// ImageURLs are the addresses of the pictures, at least one, the main one first. Revise keeps the listing's
	// pictures.
	ImageURLs []string
	// CatalogID is the identifier of the card in the reference catalogue, or "". Marketplaces that sell products
	// of a catalogue of their own find the product by it, or by the description below.
	CatalogID string
	Name      string // of the card
	Game      string // "pokemon", "magic", "yugioh", "sports", "other" or ""
	Set       string
	Number    string
	Year      string
	Variant   string // in the seller's words: "1st Edition Reverse Holo"
	Finish    string // one of the finishes below, or "" if the variant names none
	Language  string // BCP 47: "ja"
	Condition string // "NM", "LP", "MP", "HP", "DMG" or ""
	Grade     *Grade // nil for a card that is not graded
}

// The finishes of cards.
const (
	FinishFoil        = "foil"
	FinishHolo        = "holo"
	FinishReverseHolo = "reverse_holo"
	FinishEtched      = "etched"
)

// Grade is a grading company's grade of a card.
type Grade struct {
	Company    string // "PSA"
	Value      string // "9.5"
	CertNumber string // at most MaxCertNumber characters; may be empty
}

// The limits of all marketplaces. They are eBay's.
const (
	MaxTitle      = 80
	MaxCertNumber = 30
)

// The codes of refusals that do not come from a marketplace.
const (
	CodeTitle     = "invalid_title"
	CodePrice     = "invalid_price"
	CodePhoto     = "no_photo"
	CodePicture   = "invalid_photo"
	CodeCondition = "invalid_condition"
	CodeGrade     = "invalid_grade"
	CodeEnded     = "listing_ended"
	CodeCurrency  = "wrong_currency"
	CodePolicies  = "no_policies"
	CodeLocation  = "no_location"
)

// Check returns a *Refusal that tells the seller what to correct, or nil. Adapters call it before they
// call the marketplace, so that the seller gets our messages instead of the marketplace's.
func (o Offer) Check() error {
	length := utf8.RuneCountInString(blank.Trim(o.Title))
	switch {
	case length == 0:
		return &Refusal{CodeTitle, "the listing needs a title: give the card one, or send a title with the request"}
	case length > MaxTitle:
		return &Refusal{CodeTitle,
			"the listing's title is longer than 80 characters: send a shorter title with the request"}
	case o.Price.Amount <= 0:
		return &Refusal{CodePrice, "the asking price must be more than zero"}
	case o.Price.Check("price") != nil:
		return &Refusal{CodePrice, "the asking price must be an amount in an ISO 4217 currency"}
	case len(o.ImageURLs) == 0:
		return &Refusal{CodePhoto, "the card needs at least one photo before it can be listed"}
	case o.Grade == nil:
		return nil
	}
	return o.Grade.check()
}

func (g Grade) check() error {
	switch {
	case g.Company == "" || g.Value == "":
		return &Refusal{CodeGrade, "a graded card needs both the grading company and the grade"}
	case utf8.RuneCountInString(g.CertNumber) > MaxCertNumber:
		return &Refusal{CodeGrade, "the certification number is longer than 30 characters"}
	}
	return nil
}

package listingfile

import (
	"strconv"
	"strings"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/marketplaces"
)

// The file belongs to the Pricing tab of TCGplayer's Seller Portal ("Export Filtered CSV" and "Import"). Package
// cards/csvfile reads the same 16 columns. TCGplayer finds the product, with its condition, printing and language, by
// "TCGplayer Id" alone, and takes "Add to Quantity" and "TCG Marketplace Price" from the file. The other columns are
// for people.

// tcgplayerColumns are the columns of the file.
var tcgplayerColumns = []string{
	"TCGplayer Id", "Product Line", "Set Name", "Product Name", "Title", "Number", "Rarity", "Condition",
	"TCG Market Price", "TCG Direct Low", "TCG Low Price With Shipping", "TCG Low Price", "Total Quantity",
	"Add to Quantity", "TCG Marketplace Price", "Photo URL",
}

// The places of the cells that a row of several copies needs.
const tcgplayerAdded = 13

// productLines are TCGplayer's names of games.
var productLines = map[string]string{"pokemon": "Pokemon", "magic": "Magic", "yugioh": "YuGiOh"}

// tcgplayerConditions are TCGplayer's names of conditions.
var tcgplayerConditions = map[string]string{
	"NM": "Near Mint", "LP": "Lightly Played", "MP": "Moderately Played", "HP": "Heavily Played", "DMG": "Damaged",
}

// The codes of refusals of TCGplayer's file.
const (
	codeNoTCGplayerID = "no_tcgplayer_id"
	codeGraded        = "graded"
)

// tcgplayerFormat writes TCGplayer's file. Copies that follow one another and have the same price are one row.
type tcgplayerFormat struct {
	last   []string // not written yet
	copies int
}

func (f *tcgplayerFormat) columns() []string { return tcgplayerColumns }

func (f *tcgplayerFormat) add(
	card *cards.Card, offer marketplaces.Offer, _ string, write func([]string) error,
) error {
	cells, err := tcgplayerCells(card, offer)
	if err != nil {
		return err
	}
	if f.last != nil && f.last[0] == cells[0] && f.last[14] == cells[14] {
		f.copies++
		return nil
	}
	if err := f.end(write); err != nil {
		return err
	}
	f.last, f.copies = cells, 1
	return nil
}

// end writes the last row.
func (f *tcgplayerFormat) end(write func([]string) error) error {
	if f.last == nil {
		return nil
	}
	f.last[tcgplayerAdded] = strconv.Itoa(f.copies)
	return write(f.last)
}

// tcgplayerCells returns the row of one card, or a refusal.
func tcgplayerCells(card *cards.Card, offer marketplaces.Offer) ([]string, error) {
	switch {
	case card.SKU == nil || !isTCGplayerID(*card.SKU):
		return nil, &marketplaces.Refusal{Code: codeNoTCGplayerID,
			Message: "the card's SKU is not a TCGplayer Id, which is a number"}
	case offer.Grade != nil:
		return nil, &marketplaces.Refusal{Code: codeGraded,
			Message: "TCGplayer takes graded cards as listings with photos only, which no file creates"}
	case offer.Price.Currency != "USD":
		return nil, &marketplaces.Refusal{Code: marketplaces.CodeCurrency,
			Message: "TCGplayer takes prices in USD only, and the asking price is in " + offer.Price.Currency}
	case offer.Price.Amount <= 0:
		return nil, &marketplaces.Refusal{Code: marketplaces.CodePrice,
			Message: "the asking price must be more than zero"}
	}
	var name string
	if title := card.Identification.Title; title != nil {
		name = *title
	}
	return []string{
		*card.SKU, productLines[offer.Game], offer.Set, name, "", offer.Number, "",
		tcgplayerConditions[offer.Condition], "", "", "", "", "", "", offer.Price.Major(), "",
	}, nil
}

// isTCGplayerID reports whether a SKU can be a TCGplayer Id.
func isTCGplayerID(sku string) bool {
	return sku != "" && len(sku) <= 12 && strings.Trim(sku, "0123456789") == ""
}

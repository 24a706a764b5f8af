// Package listingfile writes cards as the CSV files that marketplaces take for new listings: eBay's Seller Hub Reports
// and TCGplayer's pricing file. Package sales/orderfile reads the marketplaces' reports of orders back.
//
// A file is not a marketplaces.Marketplace: no call tells when its listings are live, under which identifiers, and when
// they end. So a card that was exported has no Listing and keeps its workflow status until its sale is imported.
//
// Export reads the cards page by page and never holds more than one page. It changes nothing.
package listingfile

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/cards/csvfile"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
)

// The formats of files.
const (
	Ebay      = "ebay"
	TCGplayer = "tcgplayer"
)

// Formats are the formats of files.
var Formats = []string{Ebay, TCGplayer}

// MaxSkipped is the number of cards left out that a report names. Further ones are only counted.
const MaxSkipped = 100

// Options say what to export.
type Options struct {
	Format string
	Filter cards.Filter // its order is replaced by the order of creation
	Ebay   EbayOptions
}

// EbayOptions are the values of eBay's file that are the same for all cards.
type EbayOptions struct {
	Site wire.Site // the default is the first of wire.Sites
	// Location is where the cards are: a town, or a postal code. eBay requires it.
	Location string
	// The names of the seller's business policies. eBay requires each unless the seller uses no policies.
	ShippingPolicy, ReturnPolicy, PaymentPolicy string
}

// Report is the result of an export.
type Report struct {
	Cards int `json:"cards"` // in the file
	// Skipped is the number of cards that are not in the file because the marketplace would refuse them.
	Skipped int `json:"skipped"`
	// Reasons are the reasons for the first MaxSkipped cards.
	Reasons []Skip `json:"reasons"`
}

// Skip is a card that is not in the file, and why.
type Skip struct {
	CardID string `json:"card_id"`
	Reason string `json:"reason"`
}

// Service exports the cards of accounts.
type Service struct {
	db     *postgres.DB
	cards  *cards.Service
	photos func(card cards.Card, now time.Time) []string
	now    func() time.Time
}

// New returns a Service. photos returns the URLs of a card's photos, the main one first.
func New(
	db *postgres.DB, inventory *cards.Service, photos func(card cards.Card, now time.Time) []string,
	now func() time.Time,
) *Service {
	return &Service{db, inventory, photos, now}
}

// format writes one kind of file.
type format interface {
	columns() []string
	// add adds the cells of a card, or returns a *marketplaces.Refusal. label identifies the card in orders.
	add(card *cards.Card, offer marketplaces.Offer, label string, write func(cells []string) error) error
	// end writes what add has kept.
	end(write func(cells []string) error) error
}

func (o Options) format() (format, error) {
	switch o.Format {
	case Ebay:
		return newEbayFormat(o.Ebay)
	case TCGplayer:
		return &tcgplayerFormat{}, nil
	}
	return nil, fault.Invalid("format", "must be ebay or tcgplayer")
}

// Export writes the account's cards that match the filter, oldest first. Cards that the marketplace would refuse are
// left out and reported. Cards that are created in the meantime may be included.
func (s *Service) Export(ctx context.Context, w io.Writer, accountID string, o Options) (Report, error) {
	to, err := o.format()
	if err != nil {
		return Report{}, err
	}
	e := &export{Service: s, account: accountID, to: to, out: csv.NewWriter(w), report: Report{Reasons: []Skip{}}}
	o.Filter.UpdatedSince, o.Filter.Sort = nil, "created_at"
	if err := e.write(ctx, o.Filter); err != nil {
		return e.report, err
	}
	e.out.Flush()
	if err := e.out.Error(); err != nil {
		return e.report, fmt.Errorf("export listings: %w", err)
	}
	return e.report, nil
}

// export is one run of Export.
type export struct {
	*Service
	account string
	to      format
	out     *csv.Writer
	report  Report
}

// row writes a row. Cells that a spreadsheet would evaluate as formulas get an apostrophe.
func (e *export) row(cells []string) error {
	for i, cell := range cells {
		cells[i] = csvfile.Guard(cell)
	}
	return e.out.Write(cells)
}

func (e *export) write(ctx context.Context, filter cards.Filter) error {
	if err := e.out.Write(e.to.columns()); err != nil {
		return fmt.Errorf("export listings: %w", err)
	}
	for next := (paging.Request{Limit: paging.MaxLimit}); ; {
		found, err := e.cards.List(ctx, e.account, filter, next)
		if err != nil {
			return err
		}
		if err := e.page(ctx, found.Data); err != nil {
			return err
		}
		if found.NextCursor == nil {
			return e.to.end(e.row)
		}
		next.Cursor = *found.NextCursor
	}
}

// page writes the cards of a page.
func (e *export) page(ctx context.Context, found []cards.Card) error {
	shared, err := e.sharedSKUs(ctx, found)
	if err != nil {
		return err
	}
	for i := range found {
		card := &found[i]
		err := refused(card)
		if err == nil {
			offer := listings.Describe(card.Identification.Description)
			offer.Price, offer.ImageURLs = *card.Pricing.AskingPrice, e.photos(*card, e.now())
			err = e.to.add(card, offer, Label(card, shared), e.row)
		}
		if refusal, ok := marketplaces.AsRefusal(err); ok {
			e.skip(card.ID, refusal.Message)
			continue
		}
		if err != nil {
			return fmt.Errorf("export listings: %w", err)
		}
		e.report.Cards++
	}
	return nil
}

func (e *export) skip(cardID, reason string) {
	if e.report.Skipped++; len(e.report.Reasons) < MaxSkipped {
		e.report.Reasons = append(e.report.Reasons, Skip{cardID, reason})
	}
}

// refused returns a refusal for a card that no marketplace may list.
func refused(card *cards.Card) error {
	switch {
	case card.Sold():
		return &marketplaces.Refusal{Code: "card_sold", Message: "the card was sold"}
	case card.Archived:
		return &marketplaces.Refusal{Code: "card_archived", Message: "the card is archived"}
	case card.Pricing.AskingPrice == nil:
		return &marketplaces.Refusal{Code: marketplaces.CodePrice, Message: "the card needs an asking price"}
	}
	return nil
}

// sharedSKUs returns the SKUs of the cards that other cards of the account have too.
func (e *export) sharedSKUs(ctx context.Context, found []cards.Card) (map[string]bool, error) {
	var skus []string
	for i := range found {
		if sku := found[i].SKU; sku != nil {
			skus = append(skus, *sku)
		}
	}
	slices.Sort(skus)
	bySKU, err := e.cards.FindBySKU(ctx, e.db, e.account, slices.Compact(skus))
	if err != nil {
		return nil, err
	}
	shared := map[string]bool{}
	for sku, have := range bySKU {
		shared[sku] = len(have) > 1
	}
	return shared, nil
}

// siteOrDefault returns the site, or the default one.
func (o EbayOptions) siteOrDefault() wire.Site { return cmp.Or(o.Site, wire.Sites()[0]) }

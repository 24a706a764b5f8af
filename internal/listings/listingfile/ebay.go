package listingfile

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/ebayapi"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// The file is the one that Seller Hub Reports takes for new listings in the categories of single cards (Reports,
// Uploads, Get template, Create new listings). The columns without a colon, their values and their limits are
// documented in eBay's "File Exchange Advanced Template Instructions", whose form Seller Hub Reports kept; an asterisk
// marks a column that eBay requires. "C:" is an item specific. "CD:" and "CDA:" are the descriptors of a card's
// condition. Their numeric names and values are the same as in eBay's API ("Condition descriptor IDs for trading cards"
// of the Merchant Integration Platform's guide).
//
// The business policies of the last columns replace the template's columns of shipping, returns and payment. The other
// columns that are missing here are optional.

// MaxLabel is the greatest length of eBay's custom label, in characters.
const MaxLabel = 50

// maxEbayPhotos is the greatest number of photos of a listing.
const maxEbayPhotos = 24

// actions are the values in the heading of the first column, by site.
var actions = map[string]string{
	"EBAY_US": "SiteID=US|Country=US|Currency=USD", "EBAY_GB": "SiteID=UK|Country=GB|Currency=GBP",
	"EBAY_DE": "SiteID=Germany|Country=DE|Currency=EUR", "EBAY_AU": "SiteID=Australia|Country=AU|Currency=AUD",
	"EBAY_CA": "SiteID=Canada|Country=CA|Currency=CAD",
}

// conditionIDs are the numeric conditions of the API's conditions.
var conditionIDs = map[string]string{wire.Graded: "2750", wire.Ungraded: "4000"}

// The columns between the first and the item specifics, and after these.
var (
	ebayColumns = []string{
		"CustomLabel", "*Category", "*Title", "*ConditionID",
		"CD:Professional Grader - (ID: 27501)", "CD:Grade - (ID: 27502)", "CDA:Certification Number - (ID: 27503)",
		"CD:Card Condition - (ID: 40001)",
	}
	ebayLastColumns = []string{
		"PicURL", "*Description", "*Format", "*Duration", "*StartPrice", "*Quantity",
		"*Location", "ShippingProfileName", "ReturnProfileName", "PaymentProfileName",
	}
)

// ebayFormat writes eBay's file: a row for each card.
type ebayFormat struct {
	options EbayOptions
	site    wire.Site
	action  string
}

func newEbayFormat(o EbayOptions) (*ebayFormat, error) {
	f := &ebayFormat{options: o, site: o.siteOrDefault()}
	values, ok := actions[f.site.ID]
	if !ok {
		return nil, fault.Invalid("site", "%q has no files", f.site.ID)
	}
	f.action = "*Action(" + values + "|Version=1193|CC=UTF-8)"
	return f, nil
}

func (f *ebayFormat) columns() []string {
	columns := append([]string{f.action}, ebayColumns...)
	for _, name := range ebayapi.AspectNames(f.site.Language) {
		columns = append(columns, "C:"+name)
	}
	return append(columns, ebayLastColumns...)
}

func (f *ebayFormat) end(func([]string) error) error { return nil }

func (f *ebayFormat) add(
	_ *cards.Card, offer marketplaces.Offer, label string, write func([]string) error,
) error {
	if err := offer.Check(); err != nil {
		return err
	}
	if offer.Price.Currency != f.site.Currency {
		message := fmt.Sprintf("%s takes prices in %s only, and the asking price is in %s",
			f.site.Name, f.site.Currency, offer.Price.Currency)
		return &marketplaces.Refusal{Code: marketplaces.CodeCurrency, Message: message}
	}
	condition, descriptors, err := ebayapi.Condition(offer)
	if err != nil {
		return err
	}
	values := map[string]string{}
	for _, d := range descriptors {
		values[d.Name] = strings.Join(d.Values, "|") + d.AdditionalInfo
	}
	cells := []string{
		"Add", label, ebayapi.Category(offer), blank.Trim(offer.Title), conditionIDs[condition],
		values[wire.DescriptorGrader], values[wire.DescriptorGrade], values[wire.DescriptorCertificate],
		values[wire.DescriptorCardCondition],
	}
	aspects := ebayapi.Aspects(offer, f.site.Language)
	for _, name := range ebayapi.AspectNames(f.site.Language) {
		cells = append(cells, strings.Join(aspects[name], "|"))
	}
	return write(append(cells,
		strings.Join(offer.ImageURLs[:min(len(offer.ImageURLs), maxEbayPhotos)], "|"),
		ebayapi.Description(offer, f.site.Language), "FixedPrice", wire.GoodTillCancelled,
		offer.Price.Major(), "1", f.options.Location, f.options.ShippingPolicy, f.options.ReturnPolicy,
		f.options.PaymentPolicy,
	))
}

// Label returns the custom label of a card, by which its sale finds it: its SKU, or its identifier if it has no SKU
// that is its own and fits. shared are the SKUs of several cards.
func Label(card *cards.Card, shared map[string]bool) string {
	if card.SKU == nil || shared[*card.SKU] || utf8.RuneCountInString(*card.SKU) > MaxLabel {
		return card.ID
	}
	for _, prefix := range []string{id.Card, id.Listing} {
		if _, taken := id.Parse(prefix, *card.SKU); taken {
			return card.ID
		}
	}
	return *card.SKU
}

package sandboxmarket

import (
	"net/http"
	"net/url"
	"slices"
	"unicode/utf8"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/money"
)

// Limits of the Inventory contract.
const (
	maxTitle       = 80
	maxImages      = 24
	maxCertificate = 30
)

var categories = []string{wire.CategoryCCG, wire.CategoryNonSport, wire.CategorySports}

// checkPublishable returns an apiError with every reason why the offer cannot be published. Two of eBay's
// rules do not apply, to simplify development: images may be served over plain HTTP, and prices on EBAY_US may be in
// any currency.
func (o *offer) checkPublishable() error {
	item, terms, err := o.content()
	if err != nil {
		return err
	}
	reasons := slices.Concat(checkProduct(item.Product, terms), checkCondition(item, terms.CategoryID),
		checkTerms(terms, o.Marketplace))
	if item.Availability.ShipToLocationAvailability.Quantity < 1 || terms.AvailableQuantity < 1 {
		reasons = append(reasons, inventoryError(25004,
			"The offer has an invalid quantity. At least one item must be available."))
	}
	if len(reasons) > 0 {
		return &apiError{http.StatusBadRequest, reasons}
	}
	return nil
}

func checkProduct(p wire.Product, terms wire.OfferTerms) (reasons []wire.Error) {
	if length := utf8.RuneCountInString(p.Title); length == 0 || length > maxTitle {
		reasons = append(reasons, inventoryError(25016,
			"The title value is invalid. A title of 1 to 80 characters is required.",
			wire.Parameter{Name: "fieldName", Value: "title"}))
	}
	if p.Description == "" && terms.ListingDescription == "" {
		reasons = append(reasons, inventoryError(25016, "The description value is invalid. A description is required.",
			wire.Parameter{Name: "fieldName", Value: "description"}))
	}
	if len(p.ImageURLs) == 0 || len(p.ImageURLs) > maxImages {
		reasons = append(reasons, inventoryError(25014, "The offer has invalid pictures. Add 1 to 24 photos."))
	}
	for _, image := range p.ImageURLs {
		if u, err := url.Parse(image); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
			reasons = append(reasons, inventoryError(25015, "The offer has an invalid picture URL.",
				wire.Parameter{Name: "additionalInfo", Value: image}))
		}
	}
	return reasons
}

// checkCondition requires the descriptors of single cards: grader and grade, or the card condition. Their values depend
// on the category.
func checkCondition(item wire.InventoryItem, category string) []wire.Error {
	for _, d := range item.ConditionDescriptors {
		if utf8.RuneCountInString(d.AdditionalInfo) > maxCertificate {
			return []wire.Error{inventoryError(25021,
				"The offer has invalid item condition information. The certification number is too long.")}
		}
	}
	if hasDescriptors(item, category) {
		return nil
	}
	return []wire.Error{inventoryError(25021, "The offer has invalid item condition information. "+
		"Graded cards need a grader and a grade, other cards a card condition.")}
}

func checkTerms(t wire.OfferTerms, marketplace string) (reasons []wire.Error) {
	reject := func(invalid bool, id int, message string) {
		if invalid {
			reasons = append(reasons, inventoryError(id, message))
		}
	}
	amount, err := price(t)
	reject(err != nil, 25003, "The offer has an invalid price. It must be more than zero.")
	reject(err == nil && marketplace != defaultSite && amount.Currency != sites[marketplace].currency, 25003,
		"The offer has an invalid price. Its currency must be that of the marketplace.")
	reject(!slices.Contains(categories, t.CategoryID), 25005,
		"The offer has an invalid category ID. It must be one for single cards.")
	reject(t.ListingDuration != wire.GoodTillCancelled, 25006,
		"The offer has an invalid listing option. The duration must be GTC.")
	reject(!isPolicy(fulfillmentPolicies, t.ListingPolicies.FulfillmentPolicyID), 25007,
		"The offer has invalid data in the associated Fulfillment policy.")
	reject(!isPolicy(paymentPolicies, t.ListingPolicies.PaymentPolicyID), 25008,
		"The offer has invalid data in the associated Payment policy.")
	reject(!isPolicy(returnPolicies, t.ListingPolicies.ReturnPolicyID), 25009,
		"The offer has invalid data in the associated Return policy.")
	reject(t.MerchantLocationKey != locationKey, 25012,
		"Invalid inventory location. The merchantLocationKey must be that of a location of the seller.")
	return reasons
}

// price returns the asking price, or an error if it is missing, zero or invalid.
func price(t wire.OfferTerms) (money.Money, error) {
	if t.PricingSummary.Price == nil {
		return money.Money{}, money.ErrSyntax
	}
	amount, err := money.Parse(t.PricingSummary.Price.Value, t.PricingSummary.Price.Currency)
	if err != nil {
		return money.Money{}, err
	}
	if amount.Amount == 0 {
		return money.Money{}, money.ErrSyntax
	}
	return amount, amount.Check("price")
}

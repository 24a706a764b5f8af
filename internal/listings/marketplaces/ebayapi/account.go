package ebayapi

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/cardvault/cardvault/internal/ebay"
)

// Choice is a policy or a location of the seller.
type Choice struct {
	ID, Name string
	Default  bool // whether the seller made it the default at the marketplace
}

// Choices are what the seller can choose from for listings on the site.
type Choices struct {
	Locations   []Choice
	Fulfillment []Choice
	Payment     []Choice
	Return      []Choice
}

// Choices returns the seller's policies for the site and the locations that are in use.
func (s *Seller) Choices(ctx context.Context) (Choices, error) {
	var found Choices
	err := s.locations(ctx, &found)
	if err == nil {
		err = s.policies(ctx, &found)
	}
	if err != nil {
		return Choices{}, fmt.Errorf("ebayapi.Choices: %w", asRefusal(err))
	}
	return found, nil
}

const (
	// locationsPage is the largest page of getInventoryLocations.
	locationsPage = 100
	// maxLocations limits the locations that are read.
	maxLocations = 1000
)

func (s *Seller) locations(ctx context.Context, found *Choices) error {
	for offset := 0; offset < maxLocations; offset += locationsPage {
		query := url.Values{"limit": {strconv.Itoa(locationsPage)}, "offset": {strconv.Itoa(offset)}}
		var page ebay.Locations
		err := s.call(ctx, http.MethodGet, ebay.InventoryPath+"/location?"+query.Encode(), nil, &page)
		if err != nil {
			return err
		}
		for _, location := range page.Locations {
			if location.MerchantLocationStatus == ebay.LocationEnabled {
				key := location.MerchantLocationKey
				found.Locations = append(found.Locations, Choice{ID: key, Name: cmp.Or(location.Name, key)})
			}
		}
		if len(page.Locations) == 0 || offset+len(page.Locations) >= page.Total {
			return nil
		}
	}
	return nil
}

func (s *Seller) policies(ctx context.Context, found *Choices) error {
	for _, kind := range []struct {
		path string
		list *[]Choice
		read func(ebay.Policies) []ebay.Policy
		id   func(ebay.Policy) string
	}{
		{"/fulfillment_policy", &found.Fulfillment,
			func(p ebay.Policies) []ebay.Policy { return p.FulfillmentPolicies },
			func(p ebay.Policy) string { return p.FulfillmentPolicyID }},
		{"/payment_policy", &found.Payment,
			func(p ebay.Policies) []ebay.Policy { return p.PaymentPolicies },
			func(p ebay.Policy) string { return p.PaymentPolicyID }},
		{"/return_policy", &found.Return,
			func(p ebay.Policies) []ebay.Policy { return p.ReturnPolicies },
			func(p ebay.Policy) string { return p.ReturnPolicyID }},
	} {
		query := url.Values{"marketplace_id": {s.cfg.MarketplaceID}}
		var page ebay.Policies
		if err := s.call(ctx, http.MethodGet, ebay.AccountPath+kind.path+"?"+query.Encode(), nil, &page); err != nil {
			return err
		}
		for _, p := range kind.read(page) {
			if i := slices.IndexFunc(p.CategoryTypes, forCards); i >= 0 {
				*kind.list = append(*kind.list, Choice{kind.id(p), p.Name, p.CategoryTypes[i].Default})
			}
		}
	}
	return nil
}

// forCards reports whether policies of the type are for cards, not for vehicles.
func forCards(t ebay.CategoryType) bool { return t.Name == ebay.CategoryTypeCards }

// CreateLocation creates a location from which the seller ships. Repeating it with the same key changes nothing.
func (s *Seller) CreateLocation(ctx context.Context, key, name string, address ebay.Address) error {
	body := ebay.NewLocation{
		Name: name, Status: ebay.LocationEnabled, Types: []string{ebay.Warehouse},
		Location: ebay.LocationAddress{Address: address},
	}
	err := s.call(ctx, http.MethodPost, ebay.InventoryPath+"/location/"+url.PathEscape(key), body, nil)
	if answer, ok := asAPIError(err); ok && answer.has(ebay.LocationExists) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("ebayapi.CreateLocation: %w", asRefusal(err))
	}
	return nil
}

// has reports whether the response contains an error.
func (e *apiError) has(id int) bool {
	return slices.ContainsFunc(e.Errors, func(reason ebay.Error) bool { return reason.ErrorID == id })
}

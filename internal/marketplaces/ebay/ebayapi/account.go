package ebayapi

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
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
		return Choices{}, fmt.Errorf("list settings: %w", asRefusal(err))
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
		var page wire.Locations
		err := s.call(ctx, http.MethodGet, wire.InventoryPath+"/location?"+query.Encode(), nil, &page)
		if err != nil {
			return err
		}
		for _, location := range page.Locations {
			if location.MerchantLocationStatus == wire.LocationEnabled {
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
		read func(wire.Policies) []wire.Policy
		id   func(wire.Policy) string
	}{
		{"/fulfillment_policy", &found.Fulfillment,
			func(p wire.Policies) []wire.Policy { return p.FulfillmentPolicies },
			func(p wire.Policy) string { return p.FulfillmentPolicyID }},
		{"/payment_policy", &found.Payment,
			func(p wire.Policies) []wire.Policy { return p.PaymentPolicies },
			func(p wire.Policy) string { return p.PaymentPolicyID }},
		{"/return_policy", &found.Return,
			func(p wire.Policies) []wire.Policy { return p.ReturnPolicies },
			func(p wire.Policy) string { return p.ReturnPolicyID }},
	} {
		query := url.Values{"marketplace_id": {s.cfg.MarketplaceID}}
		var page wire.Policies
		if err := s.call(ctx, http.MethodGet, wire.AccountPath+kind.path+"?"+query.Encode(), nil, &page); err != nil {
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
func forCards(t wire.CategoryType) bool { return t.Name == wire.CategoryTypeCards }

// CreateLocation creates a location from which the seller ships. Repeating it with the same key changes nothing.
func (s *Seller) CreateLocation(ctx context.Context, key, name string, address wire.Address) error {
	body := wire.NewLocation{
		Name: name, Status: wire.LocationEnabled, Types: []string{wire.Warehouse},
		Location: wire.LocationAddress{Address: address},
	}
	err := s.call(ctx, http.MethodPost, wire.InventoryPath+"/location/"+url.PathEscape(key), body, nil)
	if answer, ok := asAPIError(err); ok && answer.has(wire.LocationExists) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("create location: %w", asRefusal(err))
	}
	return nil
}

// has reports whether the response contains an error.
func (e *apiError) has(id int) bool {
	return slices.ContainsFunc(e.Errors, func(reason wire.Error) bool { return reason.ErrorID == id })
}

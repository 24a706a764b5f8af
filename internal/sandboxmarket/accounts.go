package sandboxmarket

import (
	"net/http"
	"slices"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// site is one of eBay's marketplaces.
type site struct{ currency, country, categoryTree string }

// sites are the marketplaces that the sandbox marketplace supports.
var sites = map[string]site{
	"EBAY_US": {"USD", "US", "0"},
	"EBAY_GB": {"GBP", "GB", "3"},
	"EBAY_DE": {"EUR", "DE", "77"},
	"EBAY_AU": {"AUD", "AU", "15"},
	"EBAY_CA": {"CAD", "CA", "2"},
}

// defaultSite is the marketplace where prices may be in any currency, to simplify development.
const defaultSite = "EBAY_US"

// locationKey is the key of the only location of every seller.
const locationKey = "sandbox"

// businessPolicy is a business policy that every seller has on every site.
type businessPolicy struct {
	id, name  string
	isDefault bool
}

var (
	fulfillmentPolicies = []businessPolicy{{"1", "Standard envelope", true}, {"2", "Tracked parcel", false}}
	paymentPolicies     = []businessPolicy{{"1", "Payment by the marketplace", true}}
	returnPolicies      = []businessPolicy{{"1", "Returns within 30 days", true}, {"2", "No returns", false}}
)

// isPolicy reports whether id is one of the policies.
func isPolicy(policies []businessPolicy, id string) bool {
	return slices.ContainsFunc(policies, func(p businessPolicy) bool { return p.id == id })
}

func accountError(id int, message, field string) *apiError {
	return &apiError{http.StatusBadRequest, []wire.Error{{ErrorID: id, Domain: "API_ACCOUNT", Category: "REQUEST",
		Message: message, LongMessage: message, Parameters: []wire.Parameter{{Name: "fieldName", Value: field}}}}}
}

// listPolicies returns the handler of a list of policies. add puts a policy's identifier and the policy in its place.
func listPolicies(
	policies []businessPolicy, add func(to *wire.Policies, p wire.Policy, id string),
) func(*server, http.ResponseWriter, *http.Request, caller) error {
	return func(_ *server, w http.ResponseWriter, r *http.Request, _ caller) error {
		const field = "marketplace_id"
		marketplace := r.URL.Query().Get(field)
		if marketplace == "" {
			return accountError(20401, "Missing field "+field+".", field)
		}
		if _, ok := sites[marketplace]; !ok {
			return accountError(20403, "Invalid "+field+".", field)
		}
		list := wire.Policies{Total: len(policies)}
		for _, p := range policies {
			types := []wire.CategoryType{{Name: wire.CategoryTypeCards, Default: p.isDefault}}
			add(&list, wire.Policy{Name: p.name, MarketplaceID: marketplace, CategoryTypes: types}, p.id)
		}
		writeJSON(w, http.StatusOK, list)
		return nil
	}
}

var (
	getFulfillmentPolicies = listPolicies(fulfillmentPolicies, func(to *wire.Policies, p wire.Policy, id string) {
		p.FulfillmentPolicyID = id
		to.FulfillmentPolicies = append(to.FulfillmentPolicies, p)
	})
	getPaymentPolicies = listPolicies(paymentPolicies, func(to *wire.Policies, p wire.Policy, id string) {
		p.PaymentPolicyID = id
		to.PaymentPolicies = append(to.PaymentPolicies, p)
	})
	getReturnPolicies = listPolicies(returnPolicies, func(to *wire.Policies, p wire.Policy, id string) {
		p.ReturnPolicyID = id
		to.ReturnPolicies = append(to.ReturnPolicies, p)
	})
)

func (s *server) getLocations(w http.ResponseWriter, r *http.Request, _ caller) error {
	writeJSON(w, http.StatusOK, wire.Locations{
		Href: r.URL.RequestURI(), Limit: 100, Total: 1, Locations: []wire.Location{{
			MerchantLocationKey: locationKey, MerchantLocationStatus: "ENABLED", Name: "The sandbox",
			LocationTypes: []string{"WAREHOUSE"},
			Location: wire.LocationAddress{Address: wire.Address{
				City: "San Jose", StateOrProvince: "CA", PostalCode: "95125", Country: "US",
			}},
		}},
	})
	return nil
}

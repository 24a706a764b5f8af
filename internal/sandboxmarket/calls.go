package sandboxmarket

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/ebay"
)

// callTimeout limits one call.
const callTimeout = 30 * time.Second

// caller is the sender of a call.
type caller struct {
	client string
	seller string // "" if the application acts for itself
	// scopes are those of the access token. A seller's name as the token has all.
	scopes []string
}

// call is an operation of eBay's API.
type call struct {
	name         string // eBay's operationId
	method, path string
	scopes       []string // the token needs one of them
	handle       func(*server, http.ResponseWriter, *http.Request, caller) error
}

// reading returns the scopes of which a call that reads needs one; one that writes needs the first.
func reading(scope string) []string { return []string{scope, scope + ebay.ReadOnly} }

// calls are the operations that the marketplace implements.
var calls = []call{
	{"createOrReplaceInventoryItem", "PUT", ebay.InventoryPath + "/inventory_item/{sku}",
		[]string{ebay.ScopeInventory}, (*server).putItem},
	{"getInventoryItem", "GET", ebay.InventoryPath + "/inventory_item/{sku}",
		reading(ebay.ScopeInventory), (*server).getItem},
	{"createOffer", "POST", ebay.InventoryPath + "/offer", []string{ebay.ScopeInventory}, (*server).createOffer},
	{"getOffers", "GET", ebay.InventoryPath + "/offer", reading(ebay.ScopeInventory), (*server).getOffers},
	{"getOffer", "GET", ebay.InventoryPath + "/offer/{offerId}", reading(ebay.ScopeInventory), (*server).getOffer},
	{"updateOffer", "PUT", ebay.InventoryPath + "/offer/{offerId}",
		[]string{ebay.ScopeInventory}, (*server).updateOffer},
	{"publishOffer", "POST", ebay.InventoryPath + "/offer/{offerId}/publish",
		[]string{ebay.ScopeInventory}, (*server).publishOffer},
	{"withdrawOffer", "POST", ebay.InventoryPath + "/offer/{offerId}/withdraw",
		[]string{ebay.ScopeInventory}, (*server).withdrawOffer},
	{"bulkGetInventoryItem", "POST", ebay.InventoryPath + "/bulk_get_inventory_item",
		reading(ebay.ScopeInventory), (*server).bulkGetItems},
	{"bulkCreateOrReplaceInventoryItem", "POST", ebay.InventoryPath + "/bulk_create_or_replace_inventory_item",
		[]string{ebay.ScopeInventory}, (*server).bulkPutItems},
	{"bulkCreateOffer", "POST", ebay.InventoryPath + "/bulk_create_offer",
		[]string{ebay.ScopeInventory}, (*server).bulkCreateOffers},
	{"bulkPublishOffer", "POST", ebay.InventoryPath + "/bulk_publish_offer",
		[]string{ebay.ScopeInventory}, (*server).bulkPublishOffers},
	{"bulkUpdatePriceQuantity", "POST", ebay.InventoryPath + "/bulk_update_price_quantity",
		[]string{ebay.ScopeInventory}, (*server).bulkUpdatePrices},
	{"getInventoryLocations", "GET", ebay.InventoryPath + "/location",
		reading(ebay.ScopeInventory), (*server).getLocations},
	{"getFulfillmentPolicies", "GET", ebay.AccountPath + "/fulfillment_policy",
		reading(ebay.ScopeAccount), getFulfillmentPolicies},
	{"getPaymentPolicies", "GET", ebay.AccountPath + "/payment_policy",
		reading(ebay.ScopeAccount), getPaymentPolicies},
	{"getReturnPolicies", "GET", ebay.AccountPath + "/return_policy",
		reading(ebay.ScopeAccount), getReturnPolicies},
	{"getItemConditionPolicies", "GET", ebay.MetadataPath + "/marketplace/{marketplace_id}/get_item_condition_policies",
		[]string{ebay.ScopeBase, ebay.ScopeInventory}, (*server).getConditionPolicies},
	{"createImageFromFile", "POST", ebay.CreateImagePath, []string{ebay.ScopeInventory}, (*server).createImage},
	{"getImage", "GET", ebay.MediaPath + "/image/{image_id}", []string{ebay.ScopeInventory}, (*server).getImage},
	{"getOrder", "GET", ebay.FulfillmentPath + "/order/{orderId}",
		reading(ebay.ScopeFulfillment), (*server).getOrder},
	{"issueRefund", "POST", ebay.FulfillmentPath + "/order/{order_id}/issue_refund",
		[]string{ebay.ScopeFinances}, (*server).issueRefund},
	{"getPublicKey", "GET", ebay.NotificationPath + "/public_key/{public_key_id}",
		[]string{ebay.ScopeBase}, (*server).getPublicKey},
	{"updateConfig", "PUT", ebay.NotificationPath + "/config", []string{ebay.ScopeBase}, (*server).updateConfig},
	{"createDestination", "POST", ebay.NotificationPath + "/destination",
		[]string{ebay.ScopeBase}, (*server).createDestination},
	{"getDestinations", "GET", ebay.NotificationPath + "/destination",
		[]string{ebay.ScopeBase}, (*server).getDestinations},
	{"createSubscription", "POST", ebay.NotificationPath + "/subscription",
		[]string{ebay.ScopeBase, ebay.ScopeSubscribe}, (*server).createSubscription},
	{"getSubscriptions", "GET", ebay.NotificationPath + "/subscription",
		append(reading(ebay.ScopeSubscribe), ebay.ScopeBase), (*server).getSubscriptions},
	{"deleteSubscription", "DELETE", ebay.NotificationPath + "/subscription/{subscription_id}",
		[]string{ebay.ScopeBase, ebay.ScopeSubscribe}, (*server).deleteSubscription},
	{"getOrders", "GET", ebay.FulfillmentPath + "/order", reading(ebay.ScopeFulfillment), (*server).getOrders},
}

func (s *server) callRoutes(mux *http.ServeMux) {
	for _, c := range calls {
		mux.HandleFunc(c.method+" "+c.path, s.serve(c))
	}
}

// serve authenticates the caller and handles the call. It writes errors in eBay's format.
func (s *server) serve(c call) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
		defer cancel()
		r = r.WithContext(ctx)
		from, err := s.authenticate(r)
		if err == nil {
			err = from.allow(c)
		}
		if err == nil {
			err = s.checkQuota(ctx, from)
		}
		if err == nil {
			err = s.inject(w, r, c.name, from, func(w http.ResponseWriter) error { return c.handle(s, w, r, from) })
		}
		if err != nil {
			s.fail(w, r, err)
		}
	}
}

// authenticate returns the caller of a request. A bearer token that the marketplace did not issue is the name of a
// seller.
func (s *server) authenticate(r *http.Request) (caller, error) {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok || token == "" {
		return caller{}, missingToken
	}
	if !strings.HasPrefix(token, tokenPrefix) {
		return caller{ClientID, token, scopes}, nil
	}
	g, err := s.store.grantOf(r.Context(), token)
	return caller{g.ClientID, g.Seller, strings.Fields(g.Scopes)}, err
}

// allow returns an error if the token lacks the scopes of a call.
func (from caller) allow(c call) error {
	if slices.ContainsFunc(c.scopes, func(s string) bool { return slices.Contains(from.scopes, s) }) {
		return nil
	}
	return accessDenied
}

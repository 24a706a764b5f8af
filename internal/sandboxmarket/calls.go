package sandboxmarket

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// callTimeout limits one call.
const callTimeout = 30 * time.Second

// caller is the sender of a call.
type caller struct {
	client string
	seller string // "" if the application acts for itself
	// scopes are the scopes of the access token. A seller's name used as a token has all scopes.
	scopes []string
}

// call is an operation of eBay's API.
type call struct {
	name         string // eBay's operationId
	method, path string
	scopes       []string // the token needs at least one
	handle       func(*server, http.ResponseWriter, *http.Request, caller) error
}

// reading returns the scopes that permit a call that reads: scope itself, or its read-only variant. A call that writes
// needs scope.
func reading(scope string) []string { return []string{scope, scope + wire.ReadOnly} }

// calls are the operations that the marketplace implements.
var calls = []call{
	{"createOrReplaceInventoryItem", "PUT", wire.InventoryPath + "/inventory_item/{sku}",
		[]string{wire.ScopeInventory}, (*server).putItem},
	{"getInventoryItem", "GET", wire.InventoryPath + "/inventory_item/{sku}",
		reading(wire.ScopeInventory), (*server).getItem},
	{"createOffer", "POST", wire.InventoryPath + "/offer", []string{wire.ScopeInventory}, (*server).createOffer},
	{"getOffers", "GET", wire.InventoryPath + "/offer", reading(wire.ScopeInventory), (*server).getOffers},
	{"getOffer", "GET", wire.InventoryPath + "/offer/{offerId}", reading(wire.ScopeInventory), (*server).getOffer},
	{"updateOffer", "PUT", wire.InventoryPath + "/offer/{offerId}",
		[]string{wire.ScopeInventory}, (*server).updateOffer},
	{"publishOffer", "POST", wire.InventoryPath + "/offer/{offerId}/publish",
		[]string{wire.ScopeInventory}, (*server).publishOffer},
	{"withdrawOffer", "POST", wire.InventoryPath + "/offer/{offerId}/withdraw",
		[]string{wire.ScopeInventory}, (*server).withdrawOffer},
	{"bulkGetInventoryItem", "POST", wire.InventoryPath + "/bulk_get_inventory_item",
		reading(wire.ScopeInventory), (*server).bulkGetItems},
	{"bulkCreateOrReplaceInventoryItem", "POST", wire.InventoryPath + "/bulk_create_or_replace_inventory_item",
		[]string{wire.ScopeInventory}, (*server).bulkPutItems},
	{"bulkCreateOffer", "POST", wire.InventoryPath + "/bulk_create_offer",
		[]string{wire.ScopeInventory}, (*server).bulkCreateOffers},
	{"bulkPublishOffer", "POST", wire.InventoryPath + "/bulk_publish_offer",
		[]string{wire.ScopeInventory}, (*server).bulkPublishOffers},
	{"bulkUpdatePriceQuantity", "POST", wire.InventoryPath + "/bulk_update_price_quantity",
		[]string{wire.ScopeInventory}, (*server).bulkUpdatePrices},
	{"getInventoryLocations", "GET", wire.InventoryPath + "/location",
		reading(wire.ScopeInventory), (*server).getLocations},
	{"getFulfillmentPolicies", "GET", wire.AccountPath + "/fulfillment_policy",
		reading(wire.ScopeAccount), getFulfillmentPolicies},
	{"getPaymentPolicies", "GET", wire.AccountPath + "/payment_policy",
		reading(wire.ScopeAccount), getPaymentPolicies},
	{"getReturnPolicies", "GET", wire.AccountPath + "/return_policy",
		reading(wire.ScopeAccount), getReturnPolicies},
	{"getItemConditionPolicies", "GET", wire.MetadataPath + "/marketplace/{marketplace_id}/get_item_condition_policies",
		[]string{wire.ScopeBase, wire.ScopeInventory}, (*server).getConditionPolicies},
	{"createImageFromFile", "POST", wire.CreateImagePath, []string{wire.ScopeInventory}, (*server).createImage},
	{"getImage", "GET", wire.MediaPath + "/image/{image_id}", []string{wire.ScopeInventory}, (*server).getImage},
	{"getOrder", "GET", wire.FulfillmentPath + "/order/{orderId}",
		reading(wire.ScopeFulfillment), (*server).getOrder},
	{"issueRefund", "POST", wire.FulfillmentPath + "/order/{order_id}/issue_refund",
		[]string{wire.ScopeFinances}, (*server).issueRefund},
	{"getPublicKey", "GET", wire.NotificationPath + "/public_key/{public_key_id}",
		[]string{wire.ScopeBase}, (*server).getPublicKey},
	{"updateConfig", "PUT", wire.NotificationPath + "/config", []string{wire.ScopeBase}, (*server).updateConfig},
	{"createDestination", "POST", wire.NotificationPath + "/destination",
		[]string{wire.ScopeBase}, (*server).createDestination},
	{"getDestinations", "GET", wire.NotificationPath + "/destination",
		[]string{wire.ScopeBase}, (*server).getDestinations},
	{"createSubscription", "POST", wire.NotificationPath + "/subscription",
		[]string{wire.ScopeBase, wire.ScopeSubscribe}, (*server).createSubscription},
	{"getSubscriptions", "GET", wire.NotificationPath + "/subscription",
		append(reading(wire.ScopeSubscribe), wire.ScopeBase), (*server).getSubscriptions},
	{"deleteSubscription", "DELETE", wire.NotificationPath + "/subscription/{subscription_id}",
		[]string{wire.ScopeBase, wire.ScopeSubscribe}, (*server).deleteSubscription},
	{"getOrders", "GET", wire.FulfillmentPath + "/order", reading(wire.ScopeFulfillment), (*server).getOrders},
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

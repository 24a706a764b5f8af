// Package ebay is the adapter for eBay.
//
// A Market is eBay as this installation uses it: one environment, one keyset. Seller returns the access of one account,
// which sells on the site to which it is connected, with that site's language and currency, its owner's location and
// policies, and tokens of package connections. What eBay's API has in common with the sandbox marketplace is in package
// ebayapi.
package ebay

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/callbudget"
	"github.com/cardvault/cardvault/internal/marketplaces/connections"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/ebayapi"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// Name is the marketplace's name in the API.
const Name = "ebay"

// Market is eBay. It is safe for concurrent use.
type Market struct {
	env         Environment
	connections *connections.Service
	budget      *callbudget.Budget
	http        *http.Client
	uploads     pacer
	notifier    *notifier // nil if the installation receives no notifications
}

// New returns eBay in an environment. The connections come from NewProvider.
func New(env Environment, c *connections.Service, budget *callbudget.Budget) *Market {
	return &Market{env: env, connections: c, budget: budget, http: ebayapi.NewHTTPClient()}
}

// Seller returns the access of one account. Every call uses the account's connection as it is then.
func (m *Market) Seller(accountID string) marketplaces.Marketplace { return &seller{m, accountID} }

// api returns the account's access to the API for a site and a use.
func (m *Market) api(
	accountID string, site wire.Site, s Settings, use callbudget.Use,
) *ebayapi.Seller {
	return ebayapi.New(ebayapi.Config{
		Name: Name, BaseURL: m.env.api, MediaURL: m.env.media, ItemURL: m.env.items(site), HTTP: m.http,
		MarketplaceID: site.ID, Language: site.Language, LocationKey: s.LocationKey,
		Policies: wire.ListingPolicies{
			FulfillmentPolicyID: s.FulfillmentPolicyID, PaymentPolicyID: s.PaymentPolicyID,
			ReturnPolicyID: s.ReturnPolicyID,
		},
		Take:  func(ctx context.Context) error { return m.budget.Take(ctx, accountID, use) },
		Token: func(ctx context.Context) (string, error) { return m.connections.Token(ctx, accountID) },
		Reject: func(ctx context.Context, token string) error {
			return m.connections.Reject(ctx, accountID, token)
		},
	})
}

// Settings are what the seller chose at eBay for new listings. Each is "" until it is chosen. They are stored with the
// connection, as JSON.
type Settings struct {
	LocationKey         string `json:"location,omitempty"`
	FulfillmentPolicyID string `json:"fulfillment_policy_id,omitempty"`
	PaymentPolicyID     string `json:"payment_policy_id,omitempty"`
	ReturnPolicyID      string `json:"return_policy_id,omitempty"`
}

// HasPolicies reports whether all three policies are chosen.
func (s Settings) HasPolicies() bool {
	return s.FulfillmentPolicyID != "" && s.PaymentPolicyID != "" && s.ReturnPolicyID != ""
}

// Connection is an account's connection to eBay.
type Connection struct {
	connections.Connection
	Settings Settings
}

// asConnection reads the settings of a connection.
func asConnection(c connections.Connection) (Connection, error) {
	connected := Connection{Connection: c}
	if len(c.Settings) == 0 {
		return connected, nil
	}
	if err := json.Unmarshal(c.Settings, &connected.Settings); err != nil {
		return connected, fmt.Errorf("read settings of a connection to eBay: %w", err)
	}
	return connected, nil
}

// find returns the account's connection in any state.
func (m *Market) find(ctx context.Context, accountID string) (Connection, error) {
	c, err := m.connections.Find(ctx, accountID)
	if err != nil {
		return Connection{}, err
	}
	return asConnection(c)
}

// connection returns the account's connection and its site, or a *marketplaces.ConnectionError.
func (m *Market) connection(ctx context.Context, accountID string) (Connection, wire.Site, error) {
	c, err := m.find(ctx, accountID)
	if err == nil {
		err = c.Check()
	}
	if err != nil {
		return c, wire.Site{}, err
	}
	site, ok := wire.FindSite(c.Site)
	if !ok {
		return c, site, fmt.Errorf("ebay: account %s is connected to the unknown site %q", accountID, c.Site)
	}
	return c, site, nil
}

// Used reports whether the account is connected, or was until eBay ended the connection. Such an account sells on eBay
// unless a request names another marketplace.
func (m *Market) Used(ctx context.Context, accountID string) (bool, error) {
	c, err := m.connections.Find(ctx, accountID)
	return c.State == connections.Connected || c.State == connections.Revoked, err
}

// Ready returns nil if the account can publish listings, or an error that says what its owner has to do.
func (m *Market) Ready(ctx context.Context, accountID string) error {
	c, _, err := m.connection(ctx, accountID)
	if err == nil {
		err = checkSettings(c.Settings)
	}
	if broken, ok := marketplaces.AsConnectionError(err); ok {
		return fault.Invalid("marketplace", "%s", broken.Message)
	}
	if refusal, ok := marketplaces.AsRefusal(err); ok {
		return fault.Invalid("marketplace", "%s", refusal.Message)
	}
	return err
}

// checkSettings returns a *marketplaces.Refusal if a setting for new listings is missing.
func checkSettings(s Settings) error {
	switch {
	case s.LocationKey == "":
		return &marketplaces.Refusal{Code: marketplaces.CodeLocation, Message: "eBay needs the place from which you " +
			"ship: an owner of the account chooses it at Settings, Marketplaces"}
	case !s.HasPolicies():
		return &marketplaces.Refusal{Code: marketplaces.CodePolicies, Message: "eBay needs policies for shipping, " +
			"payment and returns: an owner of the account chooses them at Settings, Marketplaces"}
	}
	return nil
}

// seller is one account's access. It implements marketplaces.Connected.
type seller struct {
	market    *Market
	accountID string
}

var (
	_ marketplaces.Connected   = (*seller)(nil)
	_ marketplaces.PictureHost = (*seller)(nil)
)

// Name implements marketplaces.Marketplace.
func (*seller) Name() string { return Name }

// ConnectedSince implements marketplaces.Connected.
func (s *seller) ConnectedSince(ctx context.Context) (time.Time, error) {
	c, _, err := s.market.connection(ctx, s.accountID)
	if err != nil {
		return time.Time{}, err
	}
	since, err := s.market.budget.PublishingSince(ctx, s.accountID)
	if since.Before(c.ConnectedAt) {
		since = c.ConnectedAt
	}
	return since, err
}

// open returns the access to the API by the account's connection, for a use.
func (s *seller) open(
	ctx context.Context, use callbudget.Use,
) (*ebayapi.Seller, Connection, wire.Site, error) {
	c, site, err := s.market.connection(ctx, s.accountID)
	if err != nil {
		return nil, c, site, err
	}
	return s.market.api(s.accountID, site, c.Settings, use), c, site, nil
}

// Publish implements marketplaces.Marketplace.
func (s *seller) Publish(ctx context.Context, offers []marketplaces.Offer) []marketplaces.Result {
	api, c, site, err := s.open(ctx, callbudget.Publishing)
	if err == nil {
		err = checkSettings(c.Settings)
	}
	return sendSellable(ctx, offers, site, err, api.Publish)
}

// Revise implements marketplaces.Marketplace.
func (s *seller) Revise(ctx context.Context, offers []marketplaces.Offer) []marketplaces.Result {
	api, _, site, err := s.open(ctx, callbudget.Publishing)
	return sendSellable(ctx, offers, site, err, api.Revise)
}

// sendSellable sends the offers in the site's currency and refuses the others. If err is not nil, it is the result of
// every offer.
func sendSellable(
	ctx context.Context, offers []marketplaces.Offer, site wire.Site, err error,
	send func(context.Context, []marketplaces.Offer) []marketplaces.Result,
) []marketplaces.Result {
	results := make([]marketplaces.Result, len(offers))
	var sellable []marketplaces.Offer
	var places []int
	for i, o := range offers {
		if results[i].Err = err; err == nil {
			results[i].Err = checkCurrency(o, site)
		}
		if results[i].Err == nil {
			sellable, places = append(sellable, o), append(places, i)
		}
	}
	if len(sellable) > 0 {
		for i, result := range send(ctx, sellable) {
			results[places[i]] = result
		}
	}
	return results
}

// openFor is open for publishing an offer, if the account's settings and the offer's currency allow that.
func (s *seller) openFor(ctx context.Context, o marketplaces.Offer) (*ebayapi.Seller, error) {
	api, c, site, err := s.open(ctx, callbudget.Publishing)
	if err == nil {
		err = checkSettings(c.Settings)
	}
	if err == nil {
		err = checkCurrency(o, site)
	}
	return api, err
}

// checkCurrency refuses a price in another currency than the site's.
func checkCurrency(o marketplaces.Offer, site wire.Site) error {
	if o.Price.Currency == site.Currency {
		return nil
	}
	return &marketplaces.Refusal{Code: marketplaces.CodeCurrency, Message: fmt.Sprintf(
		"prices on %s are in %s, but the asking price is in %s: set one in %[2]s, then publish the card again",
		site.Name, site.Currency, o.Price.Currency)}
}

// End implements marketplaces.Marketplace.
func (s *seller) End(ctx context.Context, refs []marketplaces.Ref) []marketplaces.Result {
	api, _, _, err := s.open(ctx, callbudget.Following)
	if err != nil {
		return marketplaces.Each(refs, func(marketplaces.Ref) (marketplaces.Status, error) {
			return marketplaces.Status{}, err
		})
	}
	return api.End(ctx, refs)
}

// Status implements marketplaces.Marketplace.
func (s *seller) Status(ctx context.Context, ref marketplaces.Ref) (marketplaces.Status, error) {
	api, _, _, err := s.open(ctx, callbudget.Checking)
	if err != nil {
		return marketplaces.Status{}, err
	}
	return api.Status(ctx, ref)
}

// Sales implements marketplaces.Marketplace.
func (s *seller) Sales(ctx context.Context, since time.Time) (marketplaces.Sales, error) {
	api, _, _, err := s.open(ctx, callbudget.Following)
	if err != nil {
		return marketplaces.Sales{}, err
	}
	return api.Sales(ctx, since)
}

package ebay

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/callbudget"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/ebayapi"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// setupTimeout limits the calls that read what a seller can choose from.
const setupTimeout = 20 * time.Second

// Choices returns what the account's owner can choose from for listings on a site.
func (m *Market) Choices(ctx context.Context, accountID, siteID string) (ebayapi.Choices, error) {
	ctx, cancel := context.WithTimeout(ctx, setupTimeout)
	defer cancel()
	c, _, err := m.connection(ctx, accountID)
	if err != nil {
		return ebayapi.Choices{}, asFault(err)
	}
	site, ok := wire.FindSite(siteID)
	if !ok {
		return ebayapi.Choices{}, fault.Invalid("site", "must be one of the marketplace's sites")
	}
	found, err := m.api(accountID, site, c.Settings, callbudget.Following).Choices(ctx)
	return found, asFault(err)
}

// Defaults returns the settings with those that are missing, or that the seller does not have any more, replaced by the
// only choice or the seller's default at eBay. Any other setting is left to the owner.
func Defaults(s Settings, c ebayapi.Choices) Settings {
	return Settings{
		LocationKey:         only(s.LocationKey, c.Locations),
		FulfillmentPolicyID: only(s.FulfillmentPolicyID, c.Fulfillment),
		PaymentPolicyID:     only(s.PaymentPolicyID, c.Payment),
		ReturnPolicyID:      only(s.ReturnPolicyID, c.Return),
	}
}

func only(chosen string, choices []ebayapi.Choice) string {
	switch {
	case has(choices, chosen):
		return chosen
	case len(choices) == 1:
		return choices[0].ID
	}
	marked := slices.DeleteFunc(slices.Clone(choices), func(c ebayapi.Choice) bool { return !c.Default })
	if len(marked) == 1 {
		return marked[0].ID
	}
	return ""
}

func has(choices []ebayapi.Choice, id string) bool {
	return slices.ContainsFunc(choices, func(c ebayapi.Choice) bool { return c.ID == id })
}

// useDefaults stores the Defaults of a connected account and returns its settings.
func (m *Market) useDefaults(ctx context.Context, accountID string) (Settings, error) {
	c, err := m.find(ctx, accountID)
	if err != nil {
		return c.Settings, err
	}
	choices, err := m.Choices(ctx, accountID, c.Site)
	if err != nil {
		return c.Settings, err
	}
	settings := Defaults(c.Settings, choices)
	if settings == c.Settings {
		return settings, nil
	}
	return settings, m.store(ctx, accountID, c.Site, settings)
}

// store stores the settings of an account.
func (m *Market) store(ctx context.Context, accountID, site string, s Settings) error {
	text, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("store settings of a connection to eBay: %w", err)
	}
	return m.connections.Configure(ctx, accountID, site, text)
}

// configure stores the site and what the owner chose for it, after checking that the seller has it. Empty settings get
// the only choice. Policies belong to one site.
func (m *Market) configure(ctx context.Context, accountID, site string, chosen Settings) error {
	choices, err := m.Choices(ctx, accountID, site)
	if err != nil {
		return err
	}
	for _, setting := range settings {
		if id := *setting.of(&chosen); id != "" && !has(setting.choices(choices), id) {
			return fault.Invalid(setting.name, "must be one that the seller has on this site; choose it again")
		}
	}
	return m.store(ctx, accountID, site, Defaults(chosen, choices))
}

// settings are the settings as fields of a form.
var settings = []struct {
	name, label string
	of          func(*Settings) *string
	choices     func(ebayapi.Choices) []ebayapi.Choice
}{
	{
		"location", "Ship from", func(s *Settings) *string { return &s.LocationKey },
		func(c ebayapi.Choices) []ebayapi.Choice { return c.Locations },
	},
	{
		"fulfillment_policy", "Shipping policy", func(s *Settings) *string { return &s.FulfillmentPolicyID },
		func(c ebayapi.Choices) []ebayapi.Choice { return c.Fulfillment },
	},
	{
		"payment_policy", "Payment policy", func(s *Settings) *string { return &s.PaymentPolicyID },
		func(c ebayapi.Choices) []ebayapi.Choice { return c.Payment },
	},
	{
		"return_policy", "Return policy", func(s *Settings) *string { return &s.ReturnPolicyID },
		func(c ebayapi.Choices) []ebayapi.Choice { return c.Return },
	},
}

// locationKey is the key of the location that CardVault creates.
const locationKey = "cardvault"

// CreateLocation creates the place from which the seller ships, which eBay's own pages cannot do, and chooses it.
func (m *Market) CreateLocation(ctx context.Context, accountID, name string, address wire.Address) error {
	if err := checkAddress(name, &address); err != nil {
		return err
	}
	c, site, err := m.connection(ctx, accountID)
	if err != nil {
		return asFault(err)
	}
	call, cancel := context.WithTimeout(ctx, setupTimeout)
	defer cancel()
	api := m.api(accountID, site, c.Settings, callbudget.Following)
	if err := api.CreateLocation(call, locationKey, name, address); err != nil {
		return asFault(err)
	}
	c.Settings.LocationKey = locationKey
	return m.store(ctx, accountID, c.Site, c.Settings)
}

// The limits of createInventoryLocation.
const (
	maxLocationName = 1000
	maxPostalCode   = 16
)

func checkAddress(name string, a *wire.Address) error {
	a.Country, a.PostalCode = strings.ToUpper(strings.TrimSpace(a.Country)), strings.TrimSpace(a.PostalCode)
	switch {
	case name == "" || len(name) > maxLocationName:
		return fault.Invalid("name", "must be 1 to %d characters", maxLocationName)
	case len(a.Country) != 2 || strings.Trim(a.Country, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "":
		return fault.Invalid("country", "must be a code of two letters such as US")
	case a.PostalCode == "" || len(a.PostalCode) > maxPostalCode:
		return fault.Invalid("postal_code", "must be 1 to %d characters", maxPostalCode)
	}
	return nil
}

// asFault returns the errors of the marketplace as faults that the owner sees.
func asFault(err error) error {
	if broken, ok := marketplaces.AsConnectionError(err); ok {
		return fault.New(fault.Unavailable, "%s", broken.Message).WithCause(err)
	}
	if refusal, ok := marketplaces.AsRefusal(err); ok {
		return fault.New(fault.UpstreamError, "eBay refuses this: %s", refusal.Message).WithCause(err)
	}
	return err
}

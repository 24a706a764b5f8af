package ebay

import (
	"context"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces/connections"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/marketplaces/registry"
)

// connect describes for people how an account is connected to eBay.
var connect = registry.Connect{
	Missing:         "This server has no keys for eBay. Its operator gets them at eBay’s developer program",
	Guide:           "/docs/ebay",
	GuideTitle:      "Sell on eBay",
	Variables:       "CARDVAULT_EBAY_CLIENT_ID, CARDVAULT_EBAY_CLIENT_SECRET and CARDVAULT_EBAY_REDIRECT",
	NoNotifications: "set CARDVAULT_EBAY_VERIFICATION_TOKEN and CARDVAULT_EBAY_ALERT_EMAIL",
	Intro: "Connect your eBay account to sell cards there. You log in at eBay and consent; CardVault never sees your " +
		"password.",
	Fields: []registry.Field{siteField("Prices must be in the site’s currency.")},
	Hint: "Another site has policies of its own: save the site first, then choose. The site stays as it is while " +
		"cards are listed there. You make policies at eBay, at Account settings, Business policies.",
	Incomplete: "An owner has to choose where to ship from and the policies, at Settings, Marketplaces.",
	Actions: []registry.Action{{
		Name: "location", Title: "Where you ship from",
		Intro: "eBay needs a place for every listing and has no page of its own for it. Buyers see its city and " +
			"country.",
		Fields: []registry.Field{
			{Name: "name", Label: "Name", Max: 100},
			{
				Name: "country", Label: "Country", Max: 2, Hint: "Two letters, such as US.",
				Autocomplete: "country", Capitals: true,
			},
			{Name: "postal_code", Label: "Postal code", Max: maxPostalCode, Autocomplete: "postal-code"},
		},
		Button: "Create the place at eBay", Done: "The place was created at eBay.",
	}},
}

// siteField returns the choice of eBay's site.
func siteField(hint string) registry.Field {
	field := registry.Field{Name: registry.Site, Label: "Site", Choice: true, Hint: hint}
	for _, site := range wire.Sites() {
		option := registry.Option{Value: site.ID, Label: site.Name, Detail: site.Currency}
		field.Options = append(field.Options, option)
	}
	return field
}

var _ registry.Connector = (*Market)(nil)

// Connections implements registry.Connector.
func (m *Market) Connections() *connections.Service { return m.connections }

// Begin implements registry.Connector.
func (m *Market) Begin(ctx context.Context, accountID string, values registry.Values) (string, error) {
	return m.connections.Begin(ctx, accountID, values[registry.Site])
}

// Connected implements registry.Connector. It chooses a setting if there is only one choice. Without notifications,
// polling finds the sales too.
func (m *Market) Connected(ctx context.Context, accountID string) (warnings []registry.Warning) {
	if _, err := m.useDefaults(ctx, accountID); err != nil {
		warnings = append(warnings, registry.Warning{Text: "The settings could not be read from eBay", Err: err})
	}
	if err := m.Subscribe(ctx, accountID); err != nil {
		warnings = append(warnings, registry.Warning{
			Text: "eBay does not notify of sales, which are found by polling", Err: err,
		})
	}
	return warnings
}

// Complete implements registry.Connector.
func (m *Market) Complete(c connections.Connection) bool {
	connected, err := asConnection(c)
	return err == nil && checkSettings(connected.Settings) == nil
}

// Setup implements registry.Connector.
func (m *Market) Setup(
	ctx context.Context, c connections.Connection, accountID string, typed registry.Values,
) (registry.Setup, error) {
	choices, err := m.Choices(ctx, accountID, c.Site)
	if err != nil {
		return registry.Setup{}, err
	}
	stored, err := asConnection(c)
	if err != nil {
		return registry.Setup{}, err
	}
	shown := chosen(typed, c.Site)
	if shown == (Settings{}) {
		shown = Defaults(stored.Settings, choices)
	}
	site := siteField("")
	if site.Value = typed[registry.Site]; site.Value == "" {
		site.Value = c.Site
	}
	setup := registry.Setup{Fields: []registry.Field{site}}
	for _, setting := range settings {
		field := registry.Field{
			Name: setting.name, Label: setting.label, Choice: true, Empty: "None at eBay yet",
			Value: *setting.of(&shown),
		}
		for _, choice := range setting.choices(choices) {
			field.Options = append(field.Options, registry.Option{Value: choice.ID, Label: choice.Name})
		}
		setup.Fields = append(setup.Fields, field)
	}
	if len(choices.Locations) == 0 {
		setup.Actions = []string{"location"}
	}
	return setup, nil
}

// chosen returns the settings that an owner chose for a site. Policies of another site have to be chosen again.
func chosen(values registry.Values, site string) (s Settings) {
	for _, setting := range settings {
		*setting.of(&s) = values[setting.name]
	}
	if values[registry.Site] != site {
		return Settings{LocationKey: s.LocationKey}
	}
	return s
}

// Configure implements registry.Connector.
func (m *Market) Configure(ctx context.Context, accountID string, values registry.Values) error {
	c, err := m.find(ctx, accountID)
	if err != nil {
		return err
	}
	return m.configure(ctx, accountID, values[registry.Site], chosen(values, c.Site))
}

// Do implements registry.Connector.
func (m *Market) Do(ctx context.Context, accountID, action string, values registry.Values) error {
	if action != "location" {
		return fault.NotFound(fault.RouteNotFound)
	}
	address := wire.Address{Country: values["country"], PostalCode: values["postal_code"]}
	return m.CreateLocation(ctx, accountID, values["name"], address)
}

// Settings implements registry.Connector.
func (m *Market) Settings(c connections.Connection) map[string]string {
	connected, _ := asConnection(c)
	s := connected.Settings
	return map[string]string{
		"location": s.LocationKey, "fulfillment_policy_id": s.FulfillmentPolicyID,
		"payment_policy_id": s.PaymentPolicyID, "return_policy_id": s.ReturnPolicyID,
	}
}

package ebay

import (
	"errors"
	"net/url"
	"strings"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// Environment is where eBay's services are.
type Environment struct {
	api     string // of the APIs and of tokens
	media   string // of the Media API
	consent string // of the page at which sellers log in
	items   func(wire.Site) string
}

// The names of eBay's environments.
const (
	Production = "production"
	Sandbox    = "sandbox"
)

// ParseEnvironment returns eBay's production or sandbox environment, or a server at an URL that implements eBay's
// services.
func ParseEnvironment(name string) (Environment, error) {
	switch name {
	case Production:
		return Environment{
			"https://api.ebay.com", "https://apim.ebay.com", "https://auth.ebay.com", itemsBelow("https://www."),
		}, nil
	case Sandbox:
		return Environment{
			"https://api.sandbox.ebay.com", "https://apim.sandbox.ebay.com", "https://auth.sandbox.ebay.com",
			itemsBelow("https://www.sandbox."),
		}, nil
	}
	u, err := url.Parse(name)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" {
		return Environment{}, errors.New(
			"must be production, sandbox, or the address of a server that stands in for eBay")
	}
	base := strings.TrimRight(name, "/")
	return Environment{base, base, base, func(wire.Site) string { return base + "/itm/" }}, nil
}

// itemsBelow returns the address of listings on each site: "https://www.ebay.de/itm/".
func itemsBelow(prefix string) func(wire.Site) string {
	return func(site wire.Site) string { return prefix + site.Domain + "/itm/" }
}

package config

import (
	"errors"
	"net/url"
)

// SellsOnEbay reports whether accounts can be connected to eBay.
func (c *Config) SellsOnEbay() bool { return c.EbayClientID != "" }

// checkEbay returns an error unless the settings of eBay are all set or all left out.
func (c *Config) checkEbay() error {
	set := 0
	for _, value := range []string{c.EbayClientID, c.EbayClientSecret, c.EbayRedirect} {
		if value != "" {
			set++
		}
	}
	if set == 0 {
		return nil
	}
	if set != 3 {
		return errors.New("CARDVAULT_EBAY_CLIENT_ID, CARDVAULT_EBAY_CLIENT_SECRET and CARDVAULT_EBAY_REDIRECT: " +
			"set all three or none")
	}
	if c.EbayEnvironment == "production" || c.EbayEnvironment == "sandbox" {
		return nil
	}
	u, err := url.Parse(c.EbayEnvironment)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" ||
		u.Scheme != "https" && (u.Scheme != "http" || !c.AllowPrivateNetworks) {
		return errors.New("CARDVAULT_EBAY_ENVIRONMENT: must be production, sandbox, or the address of a server that " +
			"stands in for eBay")
	}
	return nil
}

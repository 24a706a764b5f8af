package config

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// minCallsPerDay is enough for an account to read its sales every 30 seconds, with as many calls for its listings.
const minCallsPerDay = 5_000

// SellsOnEbay reports whether accounts can be connected to eBay.
func (c *Config) SellsOnEbay() bool { return c.EbayClientID != "" }

// NotifiedByEbay reports whether eBay notifies this installation of sales.
func (c *Config) NotifiedByEbay() bool { return c.SellsOnEbay() && c.EbayVerificationToken != "" }

// verificationToken is what eBay accepts as a verification token.
var verificationToken = regexp.MustCompile(`^[A-Za-z0-9_-]{32,80}$`)

// checkNotifications returns an error unless the settings of eBay's notifications are valid or left out.
func (c *Config) checkNotifications() error {
	switch {
	case c.EbayVerificationToken == "" && c.EbayAlertEmail == "":
		return nil
	case !c.SellsOnEbay():
		return errors.New("CARDVAULT_EBAY_VERIFICATION_TOKEN: needs CARDVAULT_EBAY_CLIENT_ID")
	case !verificationToken.MatchString(c.EbayVerificationToken):
		return errors.New("CARDVAULT_EBAY_VERIFICATION_TOKEN: must be 32 to 80 letters, digits, _ and -")
	case !strings.Contains(c.EbayAlertEmail, "@"):
		return errors.New("CARDVAULT_EBAY_ALERT_EMAIL: must be an e-mail address")
	}
	return nil
}

// checkEbay returns an error unless the settings of eBay are all set or all left out.
func (c *Config) checkEbay() error {
	if err := c.checkNotifications(); err != nil {
		return err
	}
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
	if c.EbayCallsPerDay < minCallsPerDay {
		return fmt.Errorf("CARDVAULT_EBAY_CALLS_PER_DAY: must be at least %d", minCallsPerDay)
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

package config

import (
	"strings"
	"testing"
)

func TestConfig_CheckEbay(t *testing.T) {
	t.Parallel()
	const environment = "CARDVAULT_EBAY_ENVIRONMENT"
	keys := Config{EbayClientID: "i", EbayClientSecret: "s", EbayRedirect: "r", EbayCallsPerDay: 5_000}
	in := func(environment string, private bool) Config {
		c := keys
		c.EbayEnvironment, c.AllowPrivateNetworks = environment, private
		return c
	}
	few := in("production", false)
	few.EbayCallsPerDay = 4_999
	notified := func(token, email string) Config {
		c := in("production", false)
		c.EbayVerificationToken, c.EbayAlertEmail = token, email
		return c
	}
	for name, tc := range map[string]struct {
		config Config
		wrong  string // the variable that the error names; "" for none
	}{
		"without eBay":              {Config{EbayEnvironment: "production"}, ""},
		"production":                {in("production", false), ""},
		"sandbox":                   {in("sandbox", false), ""},
		"local":                     {in("http://127.0.0.1:1", true), ""},
		"local in production":       {in("http://127.0.0.1:1", false), environment},
		"few calls":                 {few, "CARDVAULT_EBAY_CALLS_PER_DAY"},
		"unknown environment":       {in("test", false), environment},
		"address with a password":   {in("https://a:b@c", false), environment},
		"identifier alone":          {Config{EbayClientID: "i"}, "CARDVAULT_EBAY_CLIENT_SECRET"},
		"redirect without a keyset": {Config{EbayRedirect: "r"}, "CARDVAULT_EBAY_CLIENT_ID"},
		"notifications":             {notified(strings.Repeat("t", 32), "a@b"), ""},
		"short token":               {notified("t", "a@b"), "CARDVAULT_EBAY_VERIFICATION_TOKEN"},
		"no e-mail":                 {notified(strings.Repeat("t", 32), ""), "CARDVAULT_EBAY_ALERT_EMAIL"},
		"token without a keyset": {
			Config{EbayVerificationToken: strings.Repeat("t", 32)}, "CARDVAULT_EBAY_CLIENT_ID",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := tc.config.checkEbay()
			if (err != nil) != (tc.wrong != "") || err != nil && !strings.Contains(err.Error(), tc.wrong) {
				t.Errorf("checkEbay: got %v, want an error about %q", err, tc.wrong)
			}
			if got, want := tc.config.SellsOnEbay(), tc.config.EbayClientID != ""; got != want {
				t.Errorf("SellsOnEbay = %v, want %v", got, want)
			}
		})
	}
}

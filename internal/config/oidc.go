package config

import (
	"errors"
	"fmt"
	"net/url"
	"unicode/utf8"
)

// maxOIDCLabel is the maximum length of a button's text, in characters.
const maxOIDCLabel = 60

// checkOIDC returns an error unless the settings of the log-in by OpenID Connect are all set or all left out. It sends
// no request to the provider, so that the service starts while the provider is down.
func (c *Config) checkOIDC() error {
	if c.OIDCIssuer == "" {
		if c.OIDCClientID != "" || c.OIDCClientSecret != "" {
			return errors.New("CARDVAULT_OIDC_ISSUER: must be set, because CARDVAULT_OIDC_CLIENT_ID or " +
				"CARDVAULT_OIDC_CLIENT_SECRET is")
		}
		return nil
	}
	u, err := url.Parse(c.OIDCIssuer)
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" ||
		u.Scheme != "https" && (u.Scheme != "http" || !c.AllowPrivateNetworks):
		return errors.New("CARDVAULT_OIDC_ISSUER: must be an address such as https://login.example")
	case c.OIDCClientID == "":
		return errors.New("CARDVAULT_OIDC_CLIENT_ID: must be set, because CARDVAULT_OIDC_ISSUER is")
	case c.OIDCClientSecret == "":
		return errors.New("CARDVAULT_OIDC_CLIENT_SECRET: must be set, because CARDVAULT_OIDC_ISSUER is")
	}
	if n := utf8.RuneCountInString(c.OIDCLabel); n == 0 || n > maxOIDCLabel {
		return fmt.Errorf("CARDVAULT_OIDC_LABEL: must be 1 to %d characters", maxOIDCLabel)
	}
	return nil
}

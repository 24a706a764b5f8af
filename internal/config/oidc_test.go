package config

import (
	"strings"
	"testing"
)

func TestValidate_OIDC(t *testing.T) {
	t.Parallel()
	const issuer, id, secret, label = "https://login.example/realms/shop", "cardvault", "s3cret", "Single sign-on"
	for name, tc := range map[string]struct {
		issuer, id, secret, label string
		development               bool
		want                      string // the variable that the error names
	}{
		"unset":                    {"", "", "", label, false, ""},
		"complete":                 {issuer, id, secret, label, false, ""},
		"trailing slash":           {issuer + "/", id, secret, label, false, ""},
		"HTTP in development":      {"http://localhost:5556", id, secret, label, true, ""},
		"HTTP":                     {"http://login.example", id, secret, label, false, "CARDVAULT_OIDC_ISSUER"},
		"no address":               {"login.example", id, secret, label, false, "CARDVAULT_OIDC_ISSUER"},
		"another scheme":           {"ftp://login.example", id, secret, label, true, "CARDVAULT_OIDC_ISSUER"},
		"query":                    {issuer + "?a=1", id, secret, label, false, "CARDVAULT_OIDC_ISSUER"},
		"user":                     {"https://u:p@login.example", id, secret, label, false, "CARDVAULT_OIDC_ISSUER"},
		"identifier alone":         {"", id, "", label, false, "CARDVAULT_OIDC_ISSUER"},
		"secret alone":             {"", "", secret, label, false, "CARDVAULT_OIDC_ISSUER"},
		"without an identifier":    {issuer, "", secret, label, false, "CARDVAULT_OIDC_CLIENT_ID"},
		"without a secret":         {issuer, id, "", label, false, "CARDVAULT_OIDC_CLIENT_SECRET"},
		"without a label":          {issuer, id, secret, "", false, "CARDVAULT_OIDC_LABEL"},
		"label that is too long":   {issuer, id, secret, strings.Repeat("x", 61), false, "CARDVAULT_OIDC_LABEL"},
		"longest label, not ASCII": {issuer, id, secret, strings.Repeat("é", 60), false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := validConfig()
			c.OIDCIssuer, c.OIDCClientID, c.OIDCClientSecret, c.OIDCLabel = tc.issuer, tc.id, tc.secret, tc.label
			c.AllowPrivateNetworks = tc.development
			err := c.Validate()
			if (err != nil) != (tc.want != "") || err != nil && !strings.HasPrefix(err.Error(), tc.want+":") {
				t.Errorf("Validate: got %v, want an error of %q", err, tc.want)
			}
			if err != nil && strings.Contains(err.Error(), secret) {
				t.Errorf("the error %q contains the secret", err)
			}
		})
	}
}

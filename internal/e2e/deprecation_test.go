package e2e

import (
	"encoding/base64"
	"net/http"
	"testing"

	"github.com/cardvault/cardvault/internal/config"
)

// TestDeprecation_Headers checks the headers that announce the end of v1. Their links use the configured public URL.
func TestDeprecation_Headers(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *config.Config) {
		c.V2ShippedAt, c.V1SunsetAt = "2020-03-01", "2030-01-01T12:00:00+01:00" // one in the past, one in the future
		c.PublicURL = "https://vault.example/"
		c.SecretKey = base64.StdEncoding.EncodeToString(make([]byte, 32)) // https needs a key of its own
	})
	c := s.client(t, false)
	made := c.create(`{"identify":false}`)
	for _, test := range []struct {
		name, path string
		status     int
	}{
		{"card", "/cards/" + made.ID, http.StatusOK},
		{"unknown card", "/cards/x", http.StatusNotFound},
		{"unknown path", "/nothing", http.StatusNotFound},
	} {
		t.Run(test.name, func(t *testing.T) {
			header := c.in(t).do("GET", test.path, nil).want(t, test.status, nil).header
			for name, want := range map[string]string{
				"Deprecation": "@1583020800",
				"Sunset":      "Tue, 01 Jan 2030 11:00:00 GMT",
				"Link": `<https://vault.example/docs/versioning>; rel="deprecation"; type="text/html", ` +
					`<https://vault.example/docs/versioning>; rel="sunset"; type="text/html", ` +
					`<https://vault.example/api/v2>; rel="successor-version"`,
			} {
				if got := header.Get(name); got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
		})
	}
	v2 := c.do("GET", "/v2/cards", nil).want(t, http.StatusNotImplemented, nil).header
	if v2.Get("Deprecation")+v2.Get("Sunset")+v2.Get("Link") != "" {
		t.Errorf("v2 announces an end: %v", v2)
	}
}

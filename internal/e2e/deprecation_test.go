package e2e

import (
	"net/http"
	"testing"

	"github.com/cardvault/cardvault/internal/config"
)

// The settings of v1's end reach its answers, with the service's own public address in the links.
func TestTheEndOfV1IsAnnounced(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *config.Config) {
		c.V2ShippedAt, c.V1SunsetAt = "2020-03-01", "2030-01-01T12:00:00+01:00" // whether the day has come changes nothing
		c.PublicURL = "https://vault.example/"
	})
	c := s.client(t, false)
	made := c.create(`{"identify":false}`)
	for path, status := range map[string]int{"/cards/" + made.ID: http.StatusOK, "/cards/x": http.StatusNotFound, "/nothing": http.StatusNotFound} {
		h := c.do("GET", path, nil).want(t, status, nil).header
		for name, want := range map[string]string{
			"Deprecation": "@1583020800",
			"Sunset":      "Tue, 01 Jan 2030 11:00:00 GMT",
			"Link": `<https://vault.example/docs/versioning>; rel="deprecation"; type="text/html", ` +
				`<https://vault.example/docs/versioning>; rel="sunset"; type="text/html", <https://vault.example/api/v2>; rel="successor-version"`,
		} {
			if got := h.Get(name); got != want {
				t.Errorf("%s: %s %q, want %q", path, name, got, want)
			}
		}
	}
	if h := c.do("GET", "/v2/cards", nil).want(t, http.StatusNotImplemented, nil).header; h.Get("Deprecation")+h.Get("Sunset")+h.Get("Link") != "" {
		t.Errorf("v2 announces an end: %v", h)
	}
}

package dashboardtest

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/signon/signontest"
)

// A browser goes to the provider, which is another site, and comes back with a session. The policy of the pages and the
// cookie's SameSite permit it.
func TestSignOn(t *testing.T) {
	t.Parallel()
	p := signontest.Start(t, "")
	s := start(t, func(c *config.Config) {
		c.OIDCIssuer, c.OIDCClientID, c.OIDCClientSecret = p.URL, signontest.ClientID, signontest.ClientSecret
	})
	p.Set(signontest.Person(s.demo.Email))
	b, axe := launch(t, s), readAxe(t)
	for _, v := range []view{
		{name: "with-scripts", width: 1280, height: 900, scripts: true},
		{name: "without-scripts", width: 390, height: 844, phone: true},
	} {
		t.Run(v.name, func(t *testing.T) {
			x := b.open(t, v, v.scripts) // in a profile of its own
			x.check(page{name: "login-sign-on", path: "/login", heading: "CardVault"}, axe)
			x.do(chromedp.Navigate(x.base+"/cards"), chromedp.Click(chromedp.CSS(`form[action="/login/oidc"] button`)),
				chromedp.WaitReady(chromedp.CSS(`form[action="/logout"]`)))
			if at := evaluate[string](x, "location.href"); at != x.base+"/cards" {
				t.Errorf("after the log-in: at %s, want %s/cards", at, x.base)
			}
			for _, message := range x.messages() {
				if strings.Contains(message, "Content Security Policy") {
					t.Error(message)
				}
			}
		})
	}
}

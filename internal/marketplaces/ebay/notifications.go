package ebay

import (
	"context"
	"net/http"
	"sync"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/cardvault/cardvault/internal/marketplaces/callbudget"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/ebayapi"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// Notifications configures eBay's notifications of sales.
type Notifications struct {
	// Endpoint is the public address of the Receiver. eBay sends the notifications of an account to this address with a
	// slash and the account's identifier, because their content does not name the seller.
	Endpoint          string
	VerificationToken string // by which eBay knows that the endpoint is ours: 32 to 80 characters
	AlertEmail        string // to which eBay writes if it cannot deliver
}

func (n Notifications) endpoint(accountID string) string { return n.Endpoint + "/" + accountID }

// notifier subscribes accounts to notifications and verifies them.
type notifier struct {
	Notifications
	app  *ebayapi.Seller // with a token of the application
	keys signingKeys
}

// UseNotifications makes eBay notify this installation of the sales of accounts that Subscribe subscribes. Call it
// before the market is used.
func (m *Market) UseNotifications(n Notifications, c Credentials) {
	token := &appToken{http: m.http, config: clientcredentials.Config{
		ClientID: c.ClientID, ClientSecret: c.ClientSecret, TokenURL: m.env.api + wire.TokenPath,
		Scopes: []string{wire.ScopeBase}, AuthStyle: oauth2.AuthStyleInHeader,
	}}
	app := ebayapi.New(ebayapi.Config{
		Name: Name, BaseURL: m.env.api, HTTP: m.http, Language: "en-US", Token: token.get, Reject: token.reject,
	})
	m.notifier = &notifier{Notifications: n, app: app, keys: signingKeys{read: app.PublicKey, now: time.Now}}
}

// Subscribe subscribes a connected account to notifications of its sales. It is idempotent, and does nothing if the
// installation receives none. Without a subscription, sales are found by polling only.
func (m *Market) Subscribe(ctx context.Context, accountID string) error {
	if m.notifier == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, setupTimeout)
	defer cancel()
	c, site, err := m.connection(ctx, accountID)
	if err != nil {
		return asFault(err)
	}
	id, err := m.notifier.app.Destination(ctx, wire.DeliveryConfig{
		Endpoint: m.notifier.endpoint(accountID), VerificationToken: m.notifier.VerificationToken,
	}, m.notifier.AlertEmail)
	if err != nil {
		return asFault(err)
	}
	return asFault(m.api(accountID, site, c.Settings, callbudget.Following).Subscribe(ctx, id))
}

// appToken is the access token of the application. It is issued when it is needed.
type appToken struct {
	config clientcredentials.Config
	http   *http.Client

	mu    sync.Mutex
	token *oauth2.Token
}

// get returns a valid token.
func (t *appToken) get(ctx context.Context) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.token.Valid() {
		token, err := t.config.Token(context.WithValue(ctx, oauth2.HTTPClient, t.http))
		if err != nil {
			return "", tokenError(err)
		}
		t.token = token
	}
	return t.token.AccessToken, nil
}

// reject makes get issue another token in place of one that eBay did not accept.
func (t *appToken) reject(_ context.Context, token string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.token != nil && t.token.AccessToken == token {
		t.token = nil
	}
	return nil
}

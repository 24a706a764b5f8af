package ebay

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"golang.org/x/oauth2"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces/connections"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/ebayapi"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// Credentials identify this installation at eBay: the keyset of a developer account.
type Credentials struct {
	ClientID     string // "App ID"
	ClientSecret string // "Cert ID"
	// Redirect is the RuName: eBay's name for the address to which it sends sellers back.
	Redirect string
}

// provider issues tokens for eBay. It implements connections.Provider.
type provider struct {
	env    Environment
	config oauth2.Config
	http   *http.Client
}

// NewProvider returns the issuer of tokens in an environment. Sellers are asked to consent to the additional scopes
// too.
func NewProvider(env Environment, c Credentials, additional ...string) connections.Provider {
	scopes := []string{wire.ScopeInventory, wire.ScopeAccount + wire.ReadOnly, wire.ScopeFulfillment}
	return &provider{env: env, http: ebayapi.NewHTTPClient(), config: oauth2.Config{
		ClientID: c.ClientID, ClientSecret: c.ClientSecret, RedirectURL: c.Redirect,
		Scopes: append(scopes, additional...),
		Endpoint: oauth2.Endpoint{
			AuthURL: env.consent + wire.ConsentPath, TokenURL: env.api + wire.TokenPath,
			AuthStyle: oauth2.AuthStyleInHeader,
		},
	}}
}

// Name implements connections.Provider.
func (*provider) Name() string { return Name }

// HasSite implements connections.Provider.
func (*provider) HasSite(site string) bool {
	_, ok := wire.FindSite(site)
	return ok
}

// ConsentURL implements connections.Provider.
func (p *provider) ConsentURL(state string) string { return p.config.AuthCodeURL(state) }

// Exchange implements connections.Provider.
func (p *provider) Exchange(ctx context.Context, code string) (connections.Tokens, error) {
	token, err := p.config.Exchange(p.within(ctx), code)
	if err != nil {
		return connections.Tokens{}, tokenError(err)
	}
	issued := issued(token)
	issued.Refresh, issued.RefreshLife = token.RefreshToken, refreshLife(token)
	return issued, nil
}

// Refresh implements connections.Provider. eBay does not replace refresh tokens.
func (p *provider) Refresh(ctx context.Context, refreshToken string) (connections.Tokens, error) {
	token, err := p.config.TokenSource(p.within(ctx), &oauth2.Token{RefreshToken: refreshToken}).Token()
	if err != nil {
		return connections.Tokens{}, tokenError(err)
	}
	return issued(token), nil
}

// HasAny implements connections.Provider.
func (p *provider) HasAny(ctx context.Context, accessToken, site string, listingIDs []string) (bool, error) {
	api := ebayapi.New(ebayapi.Config{
		Name: Name, BaseURL: p.env.api, HTTP: p.http, MarketplaceID: site,
		Token: func(context.Context) (string, error) { return accessToken, nil },
	})
	for _, id := range listingIDs {
		if found, err := api.Has(ctx, id); found || err != nil {
			return found, err
		}
	}
	return false, nil
}

// within returns a context with the HTTP client of the requests.
func (p *provider) within(ctx context.Context) context.Context {
	return context.WithValue(ctx, oauth2.HTTPClient, p.http)
}

const (
	// defaultAccessLife is for an answer without expires_in. It makes the token due for a refresh soon.
	defaultAccessLife = 15 * time.Minute
	// defaultRefreshLife is for an answer without refresh_token_expires_in: eBay's usual 18 months.
	defaultRefreshLife = 47304000 * time.Second
)

func issued(token *oauth2.Token) connections.Tokens {
	life := time.Duration(token.ExpiresIn) * time.Second
	if life <= 0 {
		life = defaultAccessLife
	}
	return connections.Tokens{Access: token.AccessToken, AccessLife: life}
}

// refreshLife returns how long the refresh token is valid.
func refreshLife(token *oauth2.Token) time.Duration {
	seconds, err := strconv.ParseFloat(fmt.Sprint(token.Extra("refresh_token_expires_in")), 64)
	if err != nil || seconds <= 0 {
		return defaultRefreshLife
	}
	return time.Duration(seconds) * time.Second
}

// tokenError returns an error without what eBay answered, which can contain the code or the token.
func tokenError(err error) error {
	var refused *oauth2.RetrieveError
	if !errors.As(err, &refused) {
		return unavailable("does not answer", transportError(err))
	}
	if refused.ErrorCode == wire.InvalidGrant {
		return connections.ErrInvalidGrant
	}
	status := "no status"
	if refused.Response != nil {
		status = refused.Response.Status
	}
	cause := fmt.Errorf("token endpoint: %s, %q", status, refused.ErrorCode)
	if refused.ErrorCode == wire.InvalidClient || refused.ErrorCode == "unauthorized_client" {
		return unavailable("does not accept the keys of this installation; its operator corrects "+
			"CARDVAULT_EBAY_CLIENT_ID and CARDVAULT_EBAY_CLIENT_SECRET", cause)
	}
	return unavailable("cannot issue an access token at the moment", cause)
}

// transportError returns the part of an error that names neither a request nor an answer.
func transportError(err error) error {
	var failed *url.Error
	if errors.As(err, &failed) {
		return failed.Err
	}
	return errors.New("the answer cannot be read")
}

func unavailable(what string, cause error) error {
	return fault.New(fault.UpstreamError, "%s %s", Name, what).WithCause(cause)
}

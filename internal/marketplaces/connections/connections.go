// Package connections keeps the connections of accounts to a marketplace: the tokens by which CardVault sells for a
// seller, encrypted, and what the seller has chosen there.
//
// An owner of an account begins a connection (Service.Begin), consents at the marketplace, and returns with a code, for
// which Service.Complete gets the tokens. Service.Token returns an access token to the adapter of the marketplace. One
// process at a time refreshes it. If the marketplace reports that the seller has revoked the consent, the connection is
// revoked until an owner connects the account again.
//
// An account with listings can only be connected again to the seller who has them: see checkSeller.
//
// The package does not call the marketplace's API: a Provider does. Tokens are in no error, log or trace.
package connections

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/keyring"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/postgres"
)

// State is the state of a connection.
type State string

// The states of a connection.
const (
	None         State = "none"         // the account was never connected
	Connected    State = "connected"    //
	Revoked      State = "revoked"      // by the seller or the marketplace, at the marketplace
	Disconnected State = "disconnected" // by an owner, in CardVault
)

// Connection is an account's connection to a marketplace. All but Marketplace and State is zero if there was none.
type Connection struct {
	Marketplace string
	State       State
	Site        string // as the marketplace names it, such as EBAY_US; "" for a marketplace without sites
	// Settings are what the owner chose for new listings, as the adapter of the marketplace stores them: a JSON object.
	Settings    json.RawMessage
	Actor       caller.Actor // who connected the account
	ConnectedAt time.Time
	EndedAt     *time.Time // when it was revoked or disconnected
	// ExpiresAt is when the seller has to consent again, at the latest. It is zero unless the state is Connected.
	ExpiresAt time.Time
}

// Check returns a *marketplaces.ConnectionError unless the state is Connected.
func (c Connection) Check() error {
	switch c.State {
	case Connected:
		return nil
	case Revoked:
		return &marketplaces.ConnectionError{
			Code: marketplaces.CodeConnectionRevoked, Message: "the consent to sell on " + c.Marketplace +
				" was revoked there: an owner of the account connects it again at Settings, Marketplaces",
		}
	}
	return &marketplaces.ConnectionError{
		Code: marketplaces.CodeNotConnected, Message: "the account is not connected to " + c.Marketplace +
			": an owner of the account connects it at Settings, Marketplaces",
	}
}

// Tokens are what a marketplace issues.
type Tokens struct {
	Access     string
	AccessLife time.Duration
	// Refresh and RefreshLife are zero if the refresh token stays as it was.
	Refresh     string
	RefreshLife time.Duration
}

// Provider issues the tokens of a marketplace. Its errors contain no codes, tokens and secrets.
type Provider interface {
	// Name is the marketplace's name in the API.
	Name() string
	// HasSite reports whether the marketplace has the site.
	HasSite(site string) bool
	// ConsentURL returns where a seller consents. The marketplace returns the state with its answer.
	ConsentURL(state string) string
	// Exchange returns tokens for the code of an answer. It returns ErrInvalidGrant for a code that cannot be used.
	Exchange(ctx context.Context, code string) (Tokens, error)
	// Refresh returns a new access token. It returns ErrInvalidGrant if the refresh token is revoked or expired.
	Refresh(ctx context.Context, refreshToken string) (Tokens, error)
	// HasAny reports whether the seller of an access token has one of the listings on the site.
	HasAny(ctx context.Context, accessToken, site string, listingIDs []string) (bool, error)
}

// ErrInvalidGrant means that the marketplace does not accept a code or a refresh token, and never will.
var ErrInvalidGrant = errors.New("connections: the marketplace does not accept the code or the refresh token")

// Listings is the part of listings that connections need.
type Listings interface {
	// OpenOn reports whether the account has listings on the marketplace that are publishing, live or ending.
	OpenOn(ctx context.Context, q postgres.Querier, accountID, marketplace string) (bool, error)
	// SampleOn returns the newest listings of the account that are live or ending on the marketplace, at most limit.
	SampleOn(ctx context.Context, q postgres.Querier, accountID, marketplace string, limit int) ([]string, error)
	// Resume makes the work due that waits for the account's connection.
	Resume(ctx context.Context, tx *postgres.Tx, accountID, marketplace string) error
}

// Service manages the connections to one marketplace. It is safe for concurrent use.
type Service struct {
	db       *postgres.DB
	keys     *keyring.Keyring
	provider Provider
	listings Listings
	timing   timing
}

// New returns a Service.
func New(db *postgres.DB, keys *keyring.Keyring, provider Provider, listings Listings) *Service {
	return &Service{db: db, keys: keys, provider: provider, listings: listings, timing: defaultTiming}
}

// Marketplace returns the marketplace's name in the API.
func (s *Service) Marketplace() string { return s.provider.Name() }

// timeout limits the database calls of a method.
const timeout = 5 * time.Second

// Find returns the connection of an account.
func (s *Service) Find(ctx context.Context, accountID string) (Connection, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	r, err := s.load(ctx, s.db, accountID)
	if err != nil {
		return Connection{}, err
	}
	return r.connection(), nil
}

package sandboxmarket

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/postgres"
)

// The only application that is registered, for OAuth. They are public, because the marketplace is for development.
const (
	ClientID     = "sandbox-client"
	ClientSecret = "sandbox-secret"
)

// The lifetimes of codes and tokens, as on eBay.
const (
	codeLife    = 299 * time.Second
	accessLife  = 2 * time.Hour
	refreshLife = 18 * 30 * 24 * time.Hour
)

// tokenPrefix begins codes and tokens. It distinguishes an access token from a seller's name.
const tokenPrefix = "v^1.1#"

// grant is what a seller allowed an application.
type grant struct {
	GrantID  string `db:"grant_id"`
	ClientID string `db:"client_id"`
	Seller   string `db:"seller"`
	Scopes   string `db:"scopes"`
}

// scopes are those that an application may ask for.
var scopes = []string{
	wire.ScopeBase,
	wire.ScopeInventory, wire.ScopeInventory + wire.ReadOnly,
	wire.ScopeAccount, wire.ScopeAccount + wire.ReadOnly,
	wire.ScopeFulfillment, wire.ScopeFulfillment + wire.ReadOnly,
	wire.ScopeFinances,
	wire.ScopeSubscribe, wire.ScopeSubscribe + wire.ReadOnly,
}

// areScopes reports whether asked names scopes, separated by spaces, and only those in allowed.
func areScopes(list string, all []string) bool {
	names := strings.Fields(list)
	return len(names) > 0 && !slices.ContainsFunc(names, func(s string) bool { return !slices.Contains(all, s) })
}

// newToken returns a random code or token and its hash.
func newToken() (token string, hash []byte) {
	var random [32]byte
	rand.Read(random[:]) // never fails: crypto/rand aborts the program instead
	token = tokenPrefix + base64.RawURLEncoding.EncodeToString(random[:])
	return token, hashToken(token)
}

func hashToken(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// addGrant stores a grant and returns the code that the application exchanges for tokens.
func (s store) addGrant(ctx context.Context, g grant, redirectURI string) (code string, err error) {
	code, hash := newToken()
	_, err = s.db.Exec(ctx, `
		INSERT INTO market.grants
			(grant_id, client_id, seller, scopes, redirect_uri, code_hash, code_expires_at, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		number(12), g.ClientID, g.Seller, g.Scopes, redirectURI, hash, now().Add(codeLife), now())
	if err != nil {
		return "", fmt.Errorf("add grant: %w", err)
	}
	return code, nil
}

// exchange exchanges a code, once, for a refresh token and an access token.
func (s store) exchange(ctx context.Context, client, code, redirectURI string) (token wire.Token, err error) {
	refresh, hash := newToken()
	err = s.db.InTx(ctx, func(tx *postgres.Tx) error {
		var id string
		err := tx.Get(ctx, &id, `
			UPDATE market.grants SET code_hash = NULL, refresh_hash = $1, refresh_expires_at = $2
			WHERE code_hash = $3 AND client_id = $4 AND redirect_uri = $5 AND code_expires_at > $6
				AND revoked_at IS NULL
			RETURNING grant_id`,
			hash, now().Add(refreshLife), hashToken(code), client, redirectURI, now())
		if err != nil {
			return noGrant(err, "the provided authorization grant code is invalid or was issued to another client")
		}
		token, err = addAccess(ctx, tx, id)
		token.RefreshToken, token.RefreshTokenExpiresIn = refresh, int(refreshLife/time.Second)
		return err
	})
	return token, err
}

// refresh issues another access token.
func (s store) refresh(ctx context.Context, client, refresh, scopesText string) (token wire.Token, err error) {
	err = s.db.InTx(ctx, func(tx *postgres.Tx) error {
		var g grant
		err := tx.Get(ctx, &g, `
			SELECT grant_id, client_id, seller, scopes FROM market.grants
			WHERE refresh_hash = $1 AND client_id = $2 AND refresh_expires_at > $3 AND revoked_at IS NULL FOR SHARE`,
			hashToken(refresh), client, now())
		if err != nil {
			return noGrant(err, "the provided authorization refresh token is invalid or was issued to another client")
		}
		if scopesText != "" && !areScopes(scopesText, strings.Fields(g.Scopes)) {
			return invalidScope
		}
		token, err = addAccess(ctx, tx, g.GrantID)
		return err
	})
	return token, err
}

// application issues an access token with which an application acts for itself.
func (s store) application(ctx context.Context, client string) (token wire.Token, err error) {
	err = s.db.InTx(ctx, func(tx *postgres.Tx) error {
		id := number(12)
		_, err := tx.Exec(ctx, `
			INSERT INTO market.grants (grant_id, client_id, seller, scopes, redirect_uri, created_at)
			VALUES ($1, $2, '', $3, '', $4)`, id, client, wire.ScopeBase, now())
		if err != nil {
			return err
		}
		token, err = addAccess(ctx, tx, id)
		token.TokenType = "Application Access Token"
		return err
	})
	return token, err
}

// addAccess stores a new access token of a grant and deletes those that have expired.
func addAccess(ctx context.Context, tx *postgres.Tx, grantID string) (wire.Token, error) {
	if _, err := tx.Exec(ctx, "DELETE FROM market.access_tokens WHERE grant_id = $1 AND expires_at < $2",
		grantID, now()); err != nil {
		return wire.Token{}, err
	}
	access, hash := newToken()
	_, err := tx.Exec(ctx, "INSERT INTO market.access_tokens (token_hash, grant_id, expires_at) VALUES ($1, $2, $3)",
		hash, grantID, now().Add(accessLife))
	return wire.Token{
		AccessToken: access, ExpiresIn: int(accessLife / time.Second), TokenType: "User Access Token",
	}, err
}

// grantOf returns the grant of a valid access token, or invalidToken.
func (s store) grantOf(ctx context.Context, access string) (g grant, err error) {
	err = s.db.Get(ctx, &g, `
		SELECT grant_id, client_id, seller, scopes FROM market.access_tokens JOIN market.grants USING (grant_id)
		WHERE token_hash = $1 AND expires_at > $2 AND revoked_at IS NULL`, hashToken(access), now())
	if errors.Is(err, sql.ErrNoRows) {
		return g, invalidToken
	}
	return g, err
}

// revoke ends every consent of a seller and returns how many there were. Their tokens stop working at once.
func (s store) revoke(ctx context.Context, seller string) (int64, error) {
	result, err := s.db.Exec(ctx,
		"UPDATE market.grants SET revoked_at = $1 WHERE seller = $2 AND revoked_at IS NULL", now(), seller)
	if err != nil {
		return 0, fmt.Errorf("revoke grants: %w", err)
	}
	return result.RowsAffected()
}

// noGrant returns the error invalid_grant if no row was found.
func noGrant(err error, description string) error {
	if errors.Is(err, sql.ErrNoRows) {
		return &tokenError{http.StatusBadRequest, wire.TokenError{Code: wire.InvalidGrant, Description: description}}
	}
	return err
}

package accounts

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/audit"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/quota"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// Token is a token without its secret, which is not stored.
type Token struct {
	AccountID  string     `db:"account_id" json:"account_id"`
	ID         string     `db:"id" json:"id"`
	Name       string     `db:"name" json:"name"`
	LastFour   string     `db:"last_four" json:"last_four"` // of the secret, to tell tokens apart
	Limits     string     `db:"limits" json:"limits"`       // for ratelimit.ParseLimits; "" means the defaults
	Scopes     string     `db:"scopes" json:"scopes"`       // for caller.ParseScopes
	CreatedAt  time.Time  `db:"created_at" json:"created_at"`
	LastUsedAt *time.Time `db:"last_used_at" json:"last_used_at"` // updated at most once a minute
	// RevokedAt is when the token stops working, by the database's clock. It is in the future during the grace period
	// of a rotation.
	RevokedAt *time.Time `db:"revoked_at" json:"revoked_at"`
}

const tokenColumns = `account_id, id, name, last_four, limits, scopes, created_at, last_used_at, revoked_at`

// CreateToken creates a token for the account with the given scopes, or with caller.DefaultScopes. It returns the token
// and its secret, which cannot be read later.
func (s *Service) CreateToken(
	ctx context.Context, accountID, name string, limits ratelimit.Limits, scopes ...caller.Scope,
) (Token, string, error) {
	if len(scopes) == 0 {
		scopes = caller.DefaultScopes
	}
	if err := checkName(name); err != nil {
		return Token{}, "", err
	}
	var token Token
	var secret string
	err := s.db.InTx(ctx, func(tx *postgres.Tx) error {
		account, err := s.GetIn(ctx, tx, accountID)
		if err != nil {
			return err
		}
		stamp, err := s.clock.Lock(ctx, tx, account.ID)
		if err == nil {
			err = checkTokens(ctx, tx, stamp)
		}
		if err != nil {
			return err
		}
		token, secret, err = s.insertToken(ctx, tx, account, name, limits.String(), caller.FormatScopes(scopes))
		if err != nil {
			return err
		}
		return audit.Record(ctx, tx, account.ID, audit.TokenCreated, name, "scopes: "+token.Scopes)
	})
	if err != nil {
		return Token{}, "", fmt.Errorf("create token: %w", err)
	}
	return token, secret, nil
}

// countWorking counts the account's tokens that work.
const countWorking = `SELECT count(*) FROM tokens WHERE account_id = $1 AND coalesce(revoked_at, 'infinity') > now()`

// checkTokens returns quota_exceeded if the account may not have one more token that works.
func checkTokens(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp) error {
	var working int64
	err := tx.Get(ctx, &working, countWorking, stamp.AccountID)
	if err != nil {
		return err
	}
	return stamp.Quotas(tx).Check(quota.Tokens, working, 1)
}

func (s *Service) insertToken(
	ctx context.Context, tx *postgres.Tx, account Account, name, limits, scopes string,
) (Token, string, error) {
	secret, err := newSecret(account.Sandbox)
	if err != nil {
		return Token{}, "", err
	}
	now := s.clock.Time()
	t := Token{
		AccountID: account.ID, ID: id.New(id.Token, now), Name: name,
		LastFour: secret[len(secret)-4:], Limits: limits, Scopes: scopes, CreatedAt: now,
	}
	_, err = tx.Exec(ctx, `
		INSERT INTO tokens (account_id, id, name, last_four, limits, scopes, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		t.AccountID, t.ID, t.Name, t.LastFour, t.Limits, t.Scopes, t.CreatedAt)
	if err != nil {
		return Token{}, "", err
	}
	sum := hash(secret)
	_, err = tx.Exec(ctx, `INSERT INTO token_hashes (hash, account_id, token_id) VALUES ($1, $2, $3)`,
		sum[:], t.AccountID, t.ID)
	return t, secret, err
}

// Tokens returns the account's tokens, oldest first. "" means all accounts.
func (s *Service) Tokens(ctx context.Context, accountID string) ([]Token, error) {
	var list []Token
	err := s.db.Select(ctx, &list, `
		SELECT `+tokenColumns+` FROM tokens WHERE $1 IN ('', account_id) ORDER BY account_id, id`, accountID)
	if err != nil {
		return nil, fmt.Errorf("list tokens: %w", err)
	}
	return list, nil
}

// Token returns a token of the account, or token_not_found.
func (s *Service) Token(ctx context.Context, accountID, tokenID string) (Token, error) {
	var token Token
	parsedID, _ := id.Parse(id.Token, tokenID)
	err := s.db.Get(ctx, &token, `SELECT `+tokenColumns+` FROM tokens WHERE account_id = $1 AND id = $2`,
		accountID, parsedID)
	if errors.Is(err, sql.ErrNoRows) {
		return Token{}, tokenNotFound(tokenID)
	}
	if err != nil {
		return Token{}, fmt.Errorf("load token: %w", err)
	}
	return token, nil
}

// TokenNames returns the names of the account's tokens with these identifiers, by identifier. It leaves out unknown
// identifiers.
func (s *Service) TokenNames(ctx context.Context, accountID string, tokenIDs []string) (map[string]string, error) {
	if len(tokenIDs) == 0 {
		return nil, nil
	}
	var rows []struct {
		ID   string `db:"id"`
		Name string `db:"name"`
	}
	err := s.db.Select(ctx, &rows, `SELECT id, name FROM tokens WHERE account_id = $1 AND id = ANY($2)`,
		accountID, pq.Array(tokenIDs))
	if err != nil {
		return nil, fmt.Errorf("load token names: %w", err)
	}
	names := make(map[string]string, len(rows))
	for _, row := range rows {
		names[row.ID] = row.Name
	}
	return names, nil
}

// RevokeToken revokes a token. It takes effect at once in this process and within 5 seconds in others.
func (s *Service) RevokeToken(ctx context.Context, tokenID string) (Token, error) {
	var t Token
	err := s.db.InTx(ctx, func(tx *postgres.Tx) error {
		token, now, err := lockToken(ctx, tx, tokenID)
		if err != nil {
			return err
		}
		if t, err = s.endToken(ctx, tx, token, now); err != nil {
			return err
		}
		return audit.Record(ctx, tx, token.AccountID, audit.TokenRevoked, token.Name, "")
	})
	if err != nil {
		return Token{}, fmt.Errorf("revoke token: %w", err)
	}
	return t, nil
}

// RotateToken creates a token with the same name, limits and scopes, and revokes the old one after grace. It returns
// revoked_token if the old token was revoked before, which may have been because it was stolen.
func (s *Service) RotateToken(ctx context.Context, tokenID string, grace time.Duration) (Token, string, error) {
	var successor Token
	var secret string
	err := s.db.InTx(ctx, func(tx *postgres.Tx) error {
		old, now, err := lockToken(ctx, tx, tokenID)
		if err != nil {
			return err
		}
		if old.RevokedAt != nil && !old.RevokedAt.After(now) {
			return fault.New(fault.RevokedToken,
				"token %s is revoked: create a new one with cardvault token create", old.ID)
		}
		stamp, err := s.clock.Lock(ctx, tx, old.AccountID)
		if err != nil {
			return err
		}
		if grace > 0 { // until then, both count
			if err := checkTokens(ctx, tx, stamp); err != nil {
				return err
			}
		}
		if _, err := s.endToken(ctx, tx, old, now.Add(grace)); err != nil {
			return err
		}
		account, err := s.GetIn(ctx, tx, old.AccountID)
		if err != nil {
			return err
		}
		successor, secret, err = s.insertToken(ctx, tx, account, old.Name, old.Limits, old.Scopes)
		if err != nil {
			return err
		}
		return audit.Record(ctx, tx, account.ID, audit.TokenRotated, old.Name, "the old one works for "+grace.String())
	})
	if err != nil {
		return Token{}, "", fmt.Errorf("rotate token: %w", err)
	}
	return successor, secret, nil
}

// lockToken locks a token until tx ends and returns it with the database's time. Times of tokens are stored in and
// compared with the database's time.
func lockToken(ctx context.Context, tx *postgres.Tx, tokenID string) (Token, time.Time, error) {
	parsedID, _ := id.Parse(id.Token, tokenID)
	var row struct {
		Token
		Now time.Time `db:"now"`
	}
	err := tx.Get(ctx, &row.AccountID, `SELECT account_id FROM tokens WHERE id = $1`, parsedID)
	if err == nil {
		err = tx.Get(ctx, &row, `
			SELECT `+tokenColumns+`, now() AS now FROM tokens WHERE account_id = $1 AND id = $2 FOR UPDATE`,
			row.AccountID, parsedID)
	}
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return Token{}, time.Time{}, tokenNotFound(tokenID)
	case err != nil:
		return Token{}, time.Time{}, fmt.Errorf("lock token: %w", err)
	}
	return row.Token, row.Now, nil
}

// endToken sets the end of a token, unless it ends earlier. at is a time of the database's clock.
func (s *Service) endToken(ctx context.Context, tx *postgres.Tx, token Token, at time.Time) (Token, error) {
	err := tx.Get(ctx, &token, `
		UPDATE tokens SET revoked_at = least(revoked_at, $3) WHERE account_id = $1 AND id = $2 RETURNING `+tokenColumns,
		token.AccountID, token.ID, at)
	if err != nil {
		return Token{}, fmt.Errorf("end token: %w", err)
	}
	tx.AfterCommit(s.cache.expire)
	return token, nil
}

func tokenNotFound(tokenID string) error {
	return fault.New(fault.TokenNotFound, "there is no token %s", tokenID)
}

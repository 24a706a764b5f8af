package accounts

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// lastUsedEvery is how often a token's last_used_at is written at most.
const lastUsedEvery = time.Minute

// Authenticate returns who a secret acts for. "" is missing_token; one that is mistyped or unknown
// is invalid_token; one that was revoked is revoked_token. Answers are kept for CacheTime, which is
// how long a revocation takes to reach other processes at most.
func (s *Service) Authenticate(ctx context.Context, secret string) (caller.Caller, error) {
	if secret == "" {
		return caller.Caller{}, fault.New(fault.MissingToken, "Send your token: Authorization: Bearer cv_live_…")
	}
	if _, ok := wellFormed(secret); !ok {
		return caller.Caller{}, invalidToken()
	}
	sum := hash(secret)
	known, err := s.cache.get(ctx, sum, func(ctx context.Context) (identity, error) { return s.identify(ctx, sum) })
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return caller.Caller{}, fault.New(fault.Unavailable, "Tokens cannot be looked up at the moment. Try again.").WithCause(err)
	case err != nil:
		return caller.Caller{}, err
	case !known.exists:
		return caller.Caller{}, invalidToken()
	case known.revoked:
		return caller.Caller{}, fault.New(fault.RevokedToken, "This token was revoked. Use another token or create a new one.")
	}
	return known.caller, nil
}

// Recognizes reports whether a secret is that of a token which this process has looked up before, or can
// be refused without asking the database. How often Authenticate is called with others should be limited:
// each of them may cost a look-up.
func (s *Service) Recognizes(secret string) bool {
	if _, ok := wellFormed(secret); !ok {
		return true
	}
	return s.cache.has(hash(secret))
}

func invalidToken() error {
	return fault.New(fault.InvalidToken, "This token is not known. Check that you copied all of it.")
}

// identity is what is known of a secret.
type identity struct {
	exists  bool
	caller  caller.Caller
	revoked bool
	// lasts is how long the token still works; 0 if its end is not set.
	lasts time.Duration
}

// identify looks a secret up. Whether its token has stopped is judged by the database: the clocks of
// the machines that revoke and that ask may differ.
func (s *Service) identify(ctx context.Context, sum [sha256.Size]byte) (identity, error) {
	var row struct {
		AccountID  string     `db:"account_id"`
		TokenID    string     `db:"token_id"`
		Sandbox    bool       `db:"sandbox"`
		Limits     string     `db:"limits"`
		LastUsedAt *time.Time `db:"last_used_at"`
		RevokedAt  *time.Time `db:"revoked_at"`
		Now        time.Time  `db:"now"`
	}
	err := s.db.Get(ctx, &row, `
		SELECT h.account_id, h.token_id, a.sandbox, t.limits, t.last_used_at, t.revoked_at, now() AS now
		FROM token_hashes h
		JOIN tokens t ON t.account_id = h.account_id AND t.id = h.token_id
		JOIN accounts a ON a.id = h.account_id
		WHERE h.hash = $1`, sum[:])
	if errors.Is(err, sql.ErrNoRows) {
		return identity{}, nil
	}
	if err != nil {
		return identity{}, fmt.Errorf("accounts.identify: %w", err)
	}
	limits, err := ratelimit.ParseLimits(row.Limits)
	if err != nil {
		return identity{}, fmt.Errorf("accounts.identify: token %s: %w", row.TokenID, err)
	}
	found := identity{
		exists: true,
		caller: caller.Caller{AccountID: row.AccountID, TokenID: row.TokenID, Sandbox: row.Sandbox, Limits: limits},
	}
	if row.RevokedAt != nil {
		found.lasts = row.RevokedAt.Sub(row.Now)
		found.revoked = found.lasts <= 0
	}
	s.touch(ctx, row.AccountID, row.TokenID, row.LastUsedAt, row.Now)
	return found, nil
}

// touch writes last_used_at if it is a minute old, by the database's clock. A failure is only logged:
// the token is valid all the same.
func (s *Service) touch(ctx context.Context, accountID, tokenID string, last *time.Time, now time.Time) {
	if last != nil && now.Sub(*last) < lastUsedEvery {
		return
	}
	_, err := s.db.Exec(ctx, `UPDATE tokens SET last_used_at = $3 WHERE account_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at < $4)`,
		accountID, tokenID, now, now.Add(-lastUsedEvery))
	if err != nil {
		slog.WarnContext(ctx, "a token's last use was not recorded", "token_id", tokenID, "error", err)
	}
}

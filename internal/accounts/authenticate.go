package accounts

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// lastUsedInterval is the shortest time between two writes of a token's last_used_at.
const lastUsedInterval = time.Minute

// Authenticate returns the caller of a secret. It returns missing_token for "", invalid_token for a mistyped or unknown
// secret, and revoked_token for a revoked one. Results are cached for CacheTime, so a revocation takes effect in other
// processes within that time.
func (s *Service) Authenticate(ctx context.Context, secret string) (caller.Caller, error) {
	if secret == "" {
		return caller.Caller{}, fault.New(fault.MissingToken, "Send your token: Authorization: Bearer cv_live_…")
	}
	if _, ok := wellFormed(secret); !ok {
		return caller.Caller{}, invalidToken()
	}
	sum := hash(secret)
	entry, err := s.cache.get(ctx, sum, func(ctx context.Context) (identity, error) { return s.identify(ctx, sum) })
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return caller.Caller{}, fault.New(fault.Unavailable,
			"Tokens cannot be looked up at the moment. Try again.").WithCause(err)
	case err != nil:
		return caller.Caller{}, err
	}
	return entry.caller, entry.err()
}

// Guard returns the check that the token of a request still works, for the transaction of the request's change. who is
// the caller that Authenticate returned for the secret. The check costs a statement only if the result of the last
// look-up has expired.
func (s *Service) Guard(secret string, who caller.Caller) postgres.TxHook {
	sum := hash(secret)
	return func(ctx context.Context, tx *postgres.Tx) error {
		if entry, _, ok := s.cache.fresh(sum, s.cache.now()); ok {
			return entry.err()
		}
		var works bool
		err := tx.Get(ctx, &works, `
			SELECT revoked_at IS NULL OR revoked_at > now() FROM tokens WHERE account_id = $1 AND id = $2`,
			who.AccountID, who.TokenID)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("check the token: %w", err)
		}
		return identity{exists: err == nil, revoked: !works}.err()
	}
}

// Recognizes reports whether Authenticate can answer for a secret without a database query: because it is malformed, or
// because this process has looked up its token before. Callers should limit the rate of calls of Authenticate with
// other secrets.
func (s *Service) Recognizes(secret string) bool {
	if _, ok := wellFormed(secret); !ok {
		return true
	}
	return s.cache.has(hash(secret))
}

func invalidToken() error {
	return fault.New(fault.InvalidToken, "This token is not known. Check that you copied all of it.")
}

// identity is the result of looking up a secret.
type identity struct {
	exists  bool
	caller  caller.Caller
	revoked bool
	// lasts is how long the token still works. It is 0 if the token has no end.
	lasts time.Duration
}

// err returns invalid_token or revoked_token unless the secret belongs to a token that works.
func (i identity) err() error {
	switch {
	case !i.exists:
		return invalidToken()
	case i.revoked:
		return fault.New(fault.RevokedToken, "This token was revoked. Use another token or create a new one.")
	}
	return nil
}

// identify looks up a secret by its hash. It compares the token's end with the database's time, because the clocks of
// the machines that revoke a token and that look it up may differ.
func (s *Service) identify(ctx context.Context, sum [sha256.Size]byte) (identity, error) {
	var row struct {
		AccountID  string     `db:"account_id"`
		TokenID    string     `db:"token_id"`
		Sandbox    bool       `db:"sandbox"`
		Limits     string     `db:"limits"`
		Others     string     `db:"others"`
		Scopes     string     `db:"scopes"`
		LastUsedAt *time.Time `db:"last_used_at"`
		RevokedAt  *time.Time `db:"revoked_at"`
		Now        time.Time  `db:"now"`
	}
	err := s.db.Get(ctx, &row, lookup, sum[:])
	if errors.Is(err, sql.ErrNoRows) {
		return identity{}, nil
	}
	if err != nil {
		return identity{}, fmt.Errorf("look up token: %w", err)
	}
	limits, err := ratelimit.ParseLimits(row.Limits)
	if err != nil {
		return identity{}, fmt.Errorf("load token %s: %w", row.TokenID, err)
	}
	scopes, err := caller.ParseScopes(row.Scopes)
	if err != nil {
		return identity{}, fmt.Errorf("load token %s: %w", row.TokenID, err)
	}
	largest, err := largestLimits(row.Others)
	if err != nil {
		return identity{}, fmt.Errorf("load account %s: %w", row.AccountID, err)
	}
	id := identity{exists: true, caller: caller.Caller{
		AccountID: row.AccountID, TokenID: row.TokenID, Sandbox: row.Sandbox, Limits: limits, Largest: largest,
		Scopes: scopes,
	}}
	if row.RevokedAt != nil {
		id.lasts = row.RevokedAt.Sub(row.Now)
		id.revoked = id.lasts <= 0
	}
	s.touch(ctx, row.AccountID, row.TokenID, row.LastUsedAt, row.Now)
	return id, nil
}

// lookup selects a token by the hash of its secret.
const lookup = `
	SELECT h.account_id, h.token_id, a.sandbox, t.limits, t.scopes, t.last_used_at, t.revoked_at,
	       now() AS now, (` + ownLimits + `) AS others
	FROM token_hashes h
	JOIN tokens t ON t.account_id = h.account_id AND t.id = h.token_id
	JOIN accounts a ON a.id = h.account_id
	WHERE h.hash = $1`

// ownLimits selects the limits of the account's tokens that have limits of their own, separated by semicolons. A token
// that was revoked counts until its window has ended, because its requests are still in the account's window. The index
// tokens_working finds the tokens, so tokens that were revoked long ago cost nothing.
const ownLimits = `
	SELECT coalesce(string_agg(DISTINCT o.limits, ';'), '') FROM tokens o
	WHERE o.account_id = t.account_id AND o.limits <> ''
	AND coalesce(o.revoked_at, 'infinity') > now() - interval '1 minute'`

// largestLimits selects limits with ownLimits and returns the largest limit by class.
func largestLimits(list string) (largest ratelimit.Limits, err error) {
	for text := range strings.SplitSeq(list, ";") {
		limits, err := ratelimit.ParseLimits(text)
		if err != nil {
			return ratelimit.Limits{}, err
		}
		largest = largest.Max(limits)
	}
	return largest, nil
}

// touch updates last_used_at if it is older than lastUsedInterval by the database's clock. It only logs a failure,
// which does not make the token invalid.
func (s *Service) touch(ctx context.Context, accountID, tokenID string, last *time.Time, now time.Time) {
	if last != nil && now.Sub(*last) < lastUsedInterval {
		return
	}
	_, err := s.db.Exec(ctx, `
		UPDATE tokens SET last_used_at = $3
		WHERE account_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at < $4)`,
		accountID, tokenID, now, now.Add(-lastUsedInterval))
	if err != nil {
		slog.WarnContext(ctx, "a token's last use was not recorded", "token_id", tokenID, "error", err)
	}
}

package connections

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/audit"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

// timing are the times of refreshes.
type timing struct {
	// refreshBefore is how long before it expires an access token is refreshed.
	refreshBefore time.Duration
	// leastLife is how long an access token must be valid to be used while it is refreshed. It is longer than a call.
	leastLife time.Duration
	// request limits a request for tokens.
	request time.Duration
	// lease is how long a process may take to refresh a token. If it crashes, another process does so after that.
	lease time.Duration
	// poll is the interval at which a process looks whether another one has refreshed the token.
	poll time.Duration
	// total limits Token.
	total time.Duration
}

// The lease covers the request and storing its result. eBay's access tokens are valid for two hours.
var defaultTiming = timing{
	refreshBefore: 10 * time.Minute, leastLife: time.Minute, request: 15 * time.Second,
	lease: 25 * time.Second, poll: 100 * time.Millisecond, total: 45 * time.Second,
}

// Token returns an access token of the account. If it expires soon, one process refreshes it, and the others use the
// current one as long as it is valid, or wait. The error wraps a *marketplaces.ConnectionError if the account is not
// connected.
func (s *Service) Token(ctx context.Context, accountID string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timing.total)
	defer cancel()
	for {
		r, err := s.load(ctx, s.db, accountID)
		if err != nil {
			return "", err
		}
		if err := r.connection().Check(); err != nil {
			return "", err
		}
		if r.accessLife() > s.timing.refreshBefore {
			return r.accessToken(s.keys)
		}
		token, err := s.refreshed(ctx, r)
		if err != nil || token != "" {
			return token, err
		}
		if err := pause(ctx, s.timing.poll); err != nil {
			busy := fault.New(fault.UpstreamError, "the access token for %s is being refreshed", s.Marketplace())
			return "", busy.WithCause(err)
		}
	}
}

// refreshed refreshes the access token, or returns the current one if another process does so. It returns "" if the
// connection has to be read again.
func (s *Service) refreshed(ctx context.Context, r row) (string, error) {
	refreshToken, err := r.refreshToken(s.keys)
	if err != nil {
		return "", err
	}
	// The request ends before the lease does, also if this process is slow between the two.
	request, cancel := context.WithTimeout(ctx, s.timing.request)
	defer cancel()
	claim := rand.Text()
	claimed, err := s.claimRefresh(ctx, r, claim)
	if err != nil {
		return "", err
	}
	if !claimed {
		return s.current(r)
	}
	tokens, err := s.provider.Refresh(request, refreshToken)
	if err == nil && tokens.Access == "" {
		err = fault.New(fault.UpstreamError, "%s sent no access token", s.Marketplace())
	}
	store, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
	defer cancel()
	switch {
	case errors.Is(err, ErrInvalidGrant):
		return "", s.revoke(store, r, claim)
	case err != nil:
		return s.refreshFailed(store, r, claim, err)
	}
	stored, err := s.storeAccess(store, r, claim, tokens)
	if err != nil || !stored {
		return "", err
	}
	return tokens.Access, nil
}

// current returns the access token if it is valid long enough for a call, and "" otherwise.
func (s *Service) current(r row) (string, error) {
	if r.accessLife() < s.timing.leastLife {
		return "", nil
	}
	return r.accessToken(s.keys)
}

// refreshFailed releases the claim. It returns the current access token if it is valid, and the error otherwise.
func (s *Service) refreshFailed(ctx context.Context, r row, claim string, failure error) (string, error) {
	if err := s.releaseRefresh(ctx, r, claim); err != nil {
		return "", errors.Join(failure, err)
	}
	if token, err := s.current(r); err != nil || token != "" {
		return token, err
	}
	return "", failure
}

// revoke ends a connection whose refresh token the marketplace does not accept. Token then finds that it is revoked,
// or was replaced in the meantime.
func (s *Service) revoke(ctx context.Context, r row, claim string) error {
	err := s.db.InTx(ctx, func(tx *postgres.Tx) error {
		ended, site, err := s.end(ctx, tx, r.AccountID, Revoked, &claim)
		if err != nil || !ended {
			return err
		}
		return audit.Record(ctx, tx, r.AccountID, audit.MarketplaceRevoked, r.Marketplace, site)
	})
	if err != nil {
		return fmt.Errorf("revoke tokens: %w", err)
	}
	return nil
}

// Reject reports that the marketplace does not accept an access token that Token returned. The next call of Token
// refreshes it.
func (s *Service) Reject(ctx context.Context, accountID, token string) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	r, err := s.load(ctx, s.db, accountID)
	if err != nil || r.State != Connected {
		return err
	}
	current, err := r.accessToken(s.keys)
	if err != nil || current != token {
		return err
	}
	return s.expireAccess(ctx, r)
}

// pause waits, or returns the error of ctx if it ends first.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

package connections

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/cardvault/cardvault/internal/audit"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

// ConsentLife is how long a seller has to consent after Begin.
const ConsentLife = 15 * time.Minute

// errStale is for an answer that belongs to no consent that the person began for this account.
var errStale = fault.New(fault.LinkExpired,
	"This answer belongs to no connection that you began for this account in the last 15 minutes. Connect the account "+
		"again. If you began with the command line, give it the address of this page.")

// Begin returns the address at which the seller consents. The answer is accepted once, within ConsentLife, and from the
// actor of ctx only. It replaces a consent that the actor began before for the account.
func (s *Service) Begin(ctx context.Context, accountID, site string) (address string, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if !s.provider.HasSite(site) {
		return "", fault.Invalid("site", "must be one of the marketplace's sites")
	}
	state, actor := rand.Text(), caller.ActorFrom(ctx)
	hash := sha256.Sum256([]byte(state))
	err = s.db.InTx(ctx, func(tx *postgres.Tx) error {
		if err := s.checkSite(ctx, tx, accountID, site); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `
			INSERT INTO marketplace_consents AS c
				(account_id, marketplace, actor_type, actor_id, state_hash, site, expires_at)
			VALUES ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 microsecond')
			ON CONFLICT (account_id, marketplace, actor_type, actor_id) DO UPDATE SET
				state_hash = excluded.state_hash, site = excluded.site, expires_at = excluded.expires_at`,
			accountID, s.Marketplace(), string(actor.Type), actor.ID, hash[:], site, ConsentLife.Microseconds())
		return err
	})
	if err != nil {
		return "", fmt.Errorf("begin connection: %w", err)
	}
	return s.provider.ConsentURL(state), nil
}

// Complete connects the account with the marketplace's answer: the query of the address to which it sent the seller. A
// process that is killed meanwhile leaves the connection as it was. The faults are for the person.
func (s *Service) Complete(ctx context.Context, accountID string, answer url.Values) (Connection, error) {
	site, err := s.takeConsent(ctx, accountID, answer.Get("state"))
	if err != nil {
		return Connection{}, err
	}
	if reason := answer.Get("error"); reason != "" || answer.Get("code") == "" {
		return Connection{}, fault.New(fault.InvalidRequest,
			"The consent was refused at %s. Nothing was changed. To repeat it, connect the account again.",
			s.Marketplace())
	}
	tokens, err := s.exchange(ctx, answer.Get("code"))
	if err == nil {
		err = s.checkSeller(ctx, accountID, site, tokens.Access)
	}
	if err != nil {
		return Connection{}, err
	}
	return s.store(ctx, accountID, site, tokens)
}

// Connect connects the account with tokens that the seller has typed, at a marketplace without a page for the consent.
// The caller has checked the tokens.
func (s *Service) Connect(ctx context.Context, accountID, site string, tokens Tokens) (Connection, error) {
	if !s.provider.HasSite(site) {
		return Connection{}, fault.Invalid("site", "must be one of the marketplace's sites")
	}
	if err := s.checkSeller(ctx, accountID, site, tokens.Access); err != nil {
		return Connection{}, err
	}
	return s.store(ctx, accountID, site, tokens)
}

// store stores the connection of the account by the actor of ctx. It is stored even if ctx ends meanwhile.
func (s *Service) store(ctx context.Context, accountID, site string, tokens Tokens) (Connection, error) {
	actor := caller.ActorFrom(ctx)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
	defer cancel()
	r := row{
		AccountID: accountID, Marketplace: s.Marketplace(), Site: site, ActorType: actor.Type, ActorID: actor.ID,
	}
	err := s.db.InTx(ctx, func(tx *postgres.Tx) (err error) {
		if err := s.checkSite(ctx, tx, accountID, site); err != nil {
			return err
		}
		if err := s.insert(ctx, tx, r, tokens); err != nil {
			return err
		}
		if err := s.listings.Resume(ctx, tx, accountID, s.Marketplace()); err != nil {
			return err
		}
		if r, err = s.load(ctx, tx, accountID); err != nil {
			return err
		}
		return audit.Record(ctx, tx, accountID, audit.MarketplaceConnected, s.Marketplace(), site)
	})
	if err != nil {
		return Connection{}, fmt.Errorf("store connection: %w", err)
	}
	return r.connection(), nil
}

// takeConsent deletes the consent that the actor of ctx began, if the state belongs to it, and returns its site.
func (s *Service) takeConsent(ctx context.Context, accountID, state string) (site string, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	actor, hash := caller.ActorFrom(ctx), sha256.Sum256([]byte(state))
	var taken struct {
		Site    string `db:"site"`
		Expired bool   `db:"expired"`
	}
	err = s.db.Get(ctx, &taken, `
		DELETE FROM marketplace_consents
		WHERE account_id = $1 AND marketplace = $2 AND actor_type = $3 AND actor_id = $4 AND state_hash = $5
		RETURNING site, expires_at <= now() AS expired`,
		accountID, s.Marketplace(), string(actor.Type), actor.ID, hash[:])
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return "", errStale
	case err != nil:
		return "", fmt.Errorf("take consent: %w", err)
	case taken.Expired:
		return "", errStale
	}
	return taken.Site, nil
}

// exchange returns the tokens for a code. Both must be there.
func (s *Service) exchange(ctx context.Context, code string) (Tokens, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timing.request)
	defer cancel()
	tokens, err := s.provider.Exchange(ctx, code)
	if errors.Is(err, ErrInvalidGrant) {
		return Tokens{}, fault.New(fault.LinkExpired,
			"The marketplace does not accept the answer any more. Connect the account again.").WithCause(err)
	}
	if err == nil && (tokens.Access == "" || tokens.Refresh == "") {
		err = fault.New(fault.UpstreamError, "The marketplace sent no tokens. Connect the account again.")
	}
	return tokens, err
}

// checkSite refuses a site that differs from the site of open listings, which could not be found on another one.
func (s *Service) checkSite(ctx context.Context, q postgres.Querier, accountID, site string) error {
	r, err := s.load(ctx, q, accountID)
	if err != nil || r.State == None || r.Site == site {
		return err
	}
	open, err := s.listings.OpenOn(ctx, q, accountID, s.Marketplace())
	if err == nil && open {
		err = fault.Invalid("site", "cannot change while cards are listed there; end their listings first")
	}
	return err
}

// sampled is the number of listings that checkSeller looks for. The seller may have deleted some at the marketplace.
const sampled = 3

// checkSeller refuses the tokens of another seller than the one who has the account's listings. With them, the listings
// would not be found: their sales would be lost, and they could not be ended.
func (s *Service) checkSeller(ctx context.Context, accountID, site, accessToken string) error {
	ctx, cancel := context.WithTimeout(ctx, s.timing.request)
	defer cancel()
	listings, err := s.listings.SampleOn(ctx, s.db, accountID, s.Marketplace(), sampled)
	if err != nil || len(listings) == 0 {
		return err
	}
	found, err := s.provider.HasAny(ctx, accessToken, site, listings)
	switch {
	case err != nil:
		return fault.New(fault.UpstreamError,
			"The marketplace cannot tell now whether this seller has the listings of the account. Nothing was "+
				"changed. Connect the account again.").WithCause(err)
	case !found:
		return fault.New(fault.SellerDiffers,
			"You consented as another seller than the one who has the live listings of this account. Nothing was "+
				"changed. Log out at the marketplace and connect the account again as the former seller. To change "+
				"the seller, first end or give up these listings.")
	}
	return nil
}

package connections

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cardvault/cardvault/internal/audit"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/keyring"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Disconnect deletes the tokens of the account. Its listings stay at the marketplace, and the work for them waits until
// the account is connected again. An account that is not connected stays as it is.
func (s *Service) Disconnect(ctx context.Context, accountID string) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err := s.db.InTx(ctx, func(tx *postgres.Tx) error {
		ended, site, err := s.end(ctx, tx, accountID, Disconnected, nil)
		if err != nil || !ended {
			return err
		}
		return audit.Record(ctx, tx, accountID, audit.MarketplaceDisconnected, s.Marketplace(), site)
	})
	if err != nil {
		return fmt.Errorf("disconnect: %w", err)
	}
	return nil
}

// Configure stores the site and the settings of a connected account: a JSON object. The caller has checked that the
// seller has them.
func (s *Service) Configure(ctx context.Context, accountID, site string, settings json.RawMessage) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if !s.provider.HasSite(site) {
		return fault.Invalid("site", "must be one of the marketplace's sites")
	}
	err := s.db.InTx(ctx, func(tx *postgres.Tx) error {
		if err := s.checkSite(ctx, tx, accountID, site); err != nil {
			return err
		}
		result, err := tx.Exec(ctx, `
			UPDATE marketplace_connections SET site = $3, settings = $4
			WHERE account_id = $1 AND marketplace = $2 AND state = 'connected'
				AND (site, settings) IS DISTINCT FROM ($3, $4::jsonb)`,
			accountID, s.Marketplace(), site, string(settings))
		changed, err := affected(result, err, "connections.Configure")
		if err != nil || !changed {
			return err
		}
		return audit.Record(ctx, tx, accountID, audit.MarketplaceChanged, s.Marketplace(), site)
	})
	if err != nil {
		return fmt.Errorf("configure connection: %w", err)
	}
	return nil
}

// ReencryptResult counts the connections that Reencrypt processed.
type ReencryptResult struct {
	Reencrypted int `json:"reencrypted"` // connections whose tokens were encrypted again
	Current     int `json:"current"`     // connections whose tokens were encrypted with the current key before
}

// reencryptBatch is the number of connections per read.
const reencryptBatch = 200

// Reencrypt encrypts the tokens of all connections with the keyring's current key, so that older keys can be removed.
// It can be interrupted and repeated. The error joins the errors of connections whose tokens cannot be decrypted.
func (s *Service) Reencrypt(ctx context.Context) (done ReencryptResult, err error) {
	var failed []error
	after := ""
	for {
		var rows []row
		err := s.db.Select(ctx, &rows, `
			SELECT `+columns+` FROM marketplace_connections
			WHERE account_id > $1 AND marketplace = $2 AND state = 'connected' ORDER BY account_id LIMIT $3`,
			after, s.Marketplace(), reencryptBatch)
		if err != nil {
			return done, fmt.Errorf("re-encrypt tokens: %w", err)
		}
		for _, r := range rows {
			after = r.AccountID
			changed, err := s.reencrypt(ctx, r)
			switch {
			case err != nil:
				failed = append(failed, fmt.Errorf("account %s: %w", r.AccountID, err))
			case changed:
				done.Reencrypted++
			default:
				done.Current++
			}
		}
		if len(rows) < reencryptBatch {
			return done, errors.Join(failed...)
		}
	}
}

// reencrypt processes one connection, unless its tokens are replaced meanwhile: new ones use the current key.
func (s *Service) reencrypt(ctx context.Context, r row) (changed bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	refresh, err := s.keys.Reencrypt(keyring.Sealed{KeyID: *r.RefreshKeyID, Data: r.RefreshToken}, r.owner(refreshKind))
	if err != nil {
		return false, err
	}
	access, err := s.keys.Reencrypt(keyring.Sealed{KeyID: *r.AccessKeyID, Data: r.AccessToken}, r.owner(accessKind))
	if err != nil || access.KeyID == *r.AccessKeyID && refresh.KeyID == *r.RefreshKeyID {
		return false, err
	}
	_, err = s.db.Exec(ctx, `
		UPDATE marketplace_connections SET
			refresh_token = CASE WHEN refresh_token = $3 THEN $4 ELSE refresh_token END,
			refresh_key_id = CASE WHEN refresh_token = $3 THEN $5 ELSE refresh_key_id END,
			access_token = CASE WHEN access_token = $6 THEN $7 ELSE access_token END,
			access_key_id = CASE WHEN access_token = $6 THEN $8 ELSE access_key_id END
		WHERE account_id = $1 AND marketplace = $2 AND state = 'connected'`,
		r.AccountID, r.Marketplace, r.RefreshToken, refresh.Data, refresh.KeyID,
		r.AccessToken, access.Data, access.KeyID)
	return err == nil, err
}

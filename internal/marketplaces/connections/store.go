package connections

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/keyring"
	"github.com/cardvault/cardvault/internal/postgres"
)

// row is a row of marketplace_connections, or a zero one with state None.
type row struct {
	AccountID        string           `db:"account_id"`
	Marketplace      string           `db:"marketplace"`
	State            State            `db:"state"`
	Site             string           `db:"site"`
	RefreshToken     []byte           `db:"refresh_token"`
	RefreshKeyID     *string          `db:"refresh_key_id"`
	RefreshExpiresAt *time.Time       `db:"refresh_expires_at"`
	AccessToken      []byte           `db:"access_token"`
	AccessKeyID      *string          `db:"access_key_id"`
	AccessSeconds    float64          `db:"access_seconds"` // until the access token expires
	Settings         json.RawMessage  `db:"settings"`
	ActorType        caller.ActorType `db:"actor_type"`
	ActorID          string           `db:"actor_id"`
	ConnectedAt      time.Time        `db:"connected_at"`
	EndedAt          *time.Time       `db:"ended_at"`
}

const columns = `account_id, marketplace, state, site, refresh_token, refresh_key_id, refresh_expires_at,
	access_token, access_key_id,
	coalesce(extract(epoch FROM access_expires_at - now()), 0)::float8 AS access_seconds,
	settings, actor_type, actor_id, connected_at, ended_at`

// accessLife returns how long the access token is valid, by the database's clock.
func (r row) accessLife() time.Duration { return time.Duration(r.AccessSeconds * float64(time.Second)) }

func (r row) connection() Connection {
	c := Connection{Marketplace: r.Marketplace, State: r.State}
	if r.State == None {
		return c
	}
	c.Site, c.Settings, c.Actor = r.Site, r.Settings, caller.Actor{Type: r.ActorType, ID: r.ActorID}
	c.ConnectedAt, c.EndedAt = r.ConnectedAt.UTC(), r.EndedAt
	if r.RefreshExpiresAt != nil {
		c.ExpiresAt = r.RefreshExpiresAt.UTC()
	}
	return c
}

// The tokens of a row are encrypted for the account, the marketplace and the kind of token.
const (
	refreshKind = "refresh token"
	accessKind  = "access token"
)

func (r row) owner(kind string) keyring.Owner { return keyring.Owner{r.AccountID, r.Marketplace, kind} }

// refreshToken decrypts the refresh token.
func (r row) refreshToken(keys *keyring.Keyring) (string, error) {
	return decrypt(keys, r.RefreshKeyID, r.RefreshToken, r.owner(refreshKind))
}

// accessToken decrypts the access token.
func (r row) accessToken(keys *keyring.Keyring) (string, error) {
	return decrypt(keys, r.AccessKeyID, r.AccessToken, r.owner(accessKind))
}

func decrypt(keys *keyring.Keyring, keyID *string, data []byte, owner keyring.Owner) (string, error) {
	if keyID == nil {
		return "", errors.New("connections: the connection has no token")
	}
	token, err := keys.Decrypt(keyring.Sealed{KeyID: *keyID, Data: data}, owner)
	if err != nil {
		return "", fmt.Errorf("connections: %w", err)
	}
	return string(token), nil
}

// load returns the account's row.
func (s *Service) load(ctx context.Context, q postgres.Querier, accountID string) (r row, err error) {
	err = q.Get(ctx, &r, `SELECT `+columns+` FROM marketplace_connections WHERE account_id = $1 AND marketplace = $2`,
		accountID, s.Marketplace())
	if errors.Is(err, sql.ErrNoRows) {
		return row{AccountID: accountID, Marketplace: s.Marketplace(), State: None}, nil
	}
	if err != nil {
		return row{}, fmt.Errorf("load connection: %w", err)
	}
	return r, nil
}

// insert stores the new connection of an account in place of the one before. It keeps the settings if the site is the
// same. It voids the claim of a refresh that is under way.
func (s *Service) insert(ctx context.Context, tx *postgres.Tx, r row, t Tokens) error {
	refresh, access := s.keys.Encrypt(t.Refresh, r.owner(refreshKind)), s.keys.Encrypt(t.Access, r.owner(accessKind))
	_, err := tx.Exec(ctx, `
		INSERT INTO marketplace_connections AS c (account_id, marketplace, state, site,
			refresh_token, refresh_key_id, refresh_expires_at, access_token, access_key_id, access_expires_at,
			actor_type, actor_id, connected_at)
		VALUES ($1, $2, 'connected', $3, $4, $5, now() + $6 * interval '1 microsecond',
			$7, $8, now() + $9 * interval '1 microsecond', $10, $11, now())
		ON CONFLICT (account_id, marketplace) DO UPDATE SET
			state = 'connected', site = excluded.site, refresh_token = excluded.refresh_token,
			refresh_key_id = excluded.refresh_key_id, refresh_expires_at = excluded.refresh_expires_at,
			access_token = excluded.access_token, access_key_id = excluded.access_key_id,
			access_expires_at = excluded.access_expires_at, refresh_claim = NULL, refresh_until = NULL,
			settings = CASE WHEN c.site = excluded.site THEN c.settings ELSE excluded.settings END,
			actor_type = excluded.actor_type, actor_id = excluded.actor_id,
			connected_at = excluded.connected_at, ended_at = NULL`,
		r.AccountID, r.Marketplace, r.Site, refresh.Data, refresh.KeyID, t.RefreshLife.Microseconds(),
		access.Data, access.KeyID, t.AccessLife.Microseconds(), string(r.ActorType), r.ActorID)
	if err != nil {
		return fmt.Errorf("insert connection: %w", err)
	}
	return nil
}

// end deletes the tokens of a connected account and reports whether it was connected. With a claim, it does so only for
// the holder of the claim.
func (s *Service) end(
	ctx context.Context, tx *postgres.Tx, accountID string, state State, claim *string,
) (ended bool, site string, err error) {
	err = tx.Get(ctx, &site, `
		UPDATE marketplace_connections SET state = $3, ended_at = now(),
			refresh_token = NULL, refresh_key_id = NULL, refresh_expires_at = NULL,
			access_token = NULL, access_key_id = NULL, access_expires_at = NULL,
			refresh_claim = NULL, refresh_until = NULL
		WHERE account_id = $1 AND marketplace = $2 AND state = 'connected' AND ($4::text IS NULL OR refresh_claim = $4)
		RETURNING site`, accountID, s.Marketplace(), string(state), claim)
	if errors.Is(err, sql.ErrNoRows) {
		return false, "", nil
	}
	if err != nil {
		return false, "", fmt.Errorf("end connection: %w", err)
	}
	return true, site, nil
}

// claimRefresh claims the refresh of the access token that was read, and reports whether it was free and the token was
// not refreshed in the meantime.
func (s *Service) claimRefresh(ctx context.Context, r row, claim string) (bool, error) {
	result, err := s.db.Exec(ctx, `
		UPDATE marketplace_connections SET refresh_claim = $4, refresh_until = now() + $5 * interval '1 microsecond'
		WHERE account_id = $1 AND marketplace = $2 AND state = 'connected' AND access_token = $3
			AND (refresh_until IS NULL OR refresh_until <= now())`,
		r.AccountID, r.Marketplace, r.AccessToken, claim, s.timing.lease.Microseconds())
	return affected(result, err, "connections.claimRefresh")
}

// releaseRefresh lets another process refresh the access token at once.
func (s *Service) releaseRefresh(ctx context.Context, r row, claim string) error {
	_, err := s.db.Exec(ctx, `
		UPDATE marketplace_connections SET refresh_claim = NULL, refresh_until = NULL
		WHERE account_id = $1 AND marketplace = $2 AND refresh_claim = $3`, r.AccountID, r.Marketplace, claim)
	if err != nil {
		return fmt.Errorf("release refresh: %w", err)
	}
	return nil
}

// storeAccess stores a new access token, and a new refresh token if there is one, and releases the claim. It reports
// whether the claim was still valid.
func (s *Service) storeAccess(ctx context.Context, r row, claim string, t Tokens) (bool, error) {
	access := s.keys.Encrypt(t.Access, r.owner(accessKind))
	var refresh keyring.Sealed
	var refreshKeyID *string
	if t.Refresh != "" {
		refresh = s.keys.Encrypt(t.Refresh, r.owner(refreshKind))
		refreshKeyID = &refresh.KeyID
	}
	result, err := s.db.Exec(ctx, `
		UPDATE marketplace_connections SET access_token = $4, access_key_id = $5,
			access_expires_at = now() + $6 * interval '1 microsecond', refresh_claim = NULL, refresh_until = NULL,
			refresh_token = coalesce($7, refresh_token), refresh_key_id = coalesce($8, refresh_key_id),
			refresh_expires_at = CASE WHEN $8::text IS NULL THEN refresh_expires_at
				ELSE now() + $9 * interval '1 microsecond' END
		WHERE account_id = $1 AND marketplace = $2 AND state = 'connected' AND refresh_claim = $3`,
		r.AccountID, r.Marketplace, claim, access.Data, access.KeyID, t.AccessLife.Microseconds(),
		refresh.Data, refreshKeyID, t.RefreshLife.Microseconds())
	return affected(result, err, "connections.storeAccess")
}

// expireAccess makes the access token due for a refresh, unless it was replaced.
func (s *Service) expireAccess(ctx context.Context, r row) error {
	_, err := s.db.Exec(ctx, `
		UPDATE marketplace_connections SET access_expires_at = now()
		WHERE account_id = $1 AND marketplace = $2 AND access_token = $3`, r.AccountID, r.Marketplace, r.AccessToken)
	if err != nil {
		return fmt.Errorf("expire access token: %w", err)
	}
	return nil
}

func affected(result sql.Result, err error, name string) (bool, error) {
	if err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	rows, err := result.RowsAffected()
	if err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	return rows == 1, nil
}

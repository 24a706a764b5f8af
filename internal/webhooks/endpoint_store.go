package webhooks

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/keyring"
	"github.com/cardvault/cardvault/internal/postgres"
)

const endpointColumns = `id, account_id, url, events, enabled, created_at, updated_at, ` + previousColumns

// endpointRow is a row of webhook_endpoints without its secrets.
type endpointRow struct {
	ID        string         `db:"id"`
	AccountID string         `db:"account_id"`
	URL       string         `db:"url"`
	Events    pq.StringArray `db:"events"`
	Enabled   bool           `db:"enabled"`
	CreatedAt time.Time      `db:"created_at"`
	UpdatedAt time.Time      `db:"updated_at"`
	previousRow
}

func (r endpointRow) endpoint() (Endpoint, error) {
	previous, err := r.previous(r.ID)
	kinds := make([]events.Kind, len(r.Events))
	for i, kind := range r.Events {
		kinds[i] = events.Kind(kind)
	}
	return Endpoint{
		ID: r.ID, AccountID: r.AccountID, URL: r.URL, Events: kinds, Enabled: r.Enabled,
		PreviousSecretExpiresAt: r.PreviousExpiresAt, PreviousSecrets: previous,
		CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}, err
}

func insertEndpoint(ctx context.Context, tx *postgres.Tx, e Endpoint, secret keyring.Sealed) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO webhook_endpoints (account_id, id, url, events, enabled, secret, secret_key_id, created_at,
		  updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
		e.AccountID, e.ID, e.URL, kindArray(e.Events), e.Enabled, secret.Data, secret.KeyID, e.CreatedAt)
	return err
}

// updateEndpointsVersion adds more to the account's number of endpoints and increments their version, which
// invalidates caches. The caller has locked the account's clock.
func updateEndpointsVersion(ctx context.Context, tx *postgres.Tx, accountID string, more int) error {
	_, err := tx.Exec(ctx, `
		UPDATE account_clock SET endpoints = endpoints + $2, endpoints_version = endpoints_version + 1
		WHERE account_id = $1`, accountID, more)
	return err
}

// SelectEndpoints returns the account's endpoints, oldest first.
func SelectEndpoints(ctx context.Context, db postgres.Querier, accountID string) ([]Endpoint, error) {
	var rows []endpointRow
	err := db.Select(ctx, &rows, `
		SELECT `+endpointColumns+` FROM webhook_endpoints
		WHERE account_id = $1 AND deleted_at IS NULL ORDER BY id`, accountID)
	if err != nil {
		return nil, err
	}
	list := make([]Endpoint, len(rows))
	for i, row := range rows {
		if list[i], err = row.endpoint(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func selectEndpoint(ctx context.Context, db postgres.Querier, accountID, endpointID string) (Endpoint, error) {
	fullID, ok := id.Parse(id.Endpoint, endpointID)
	if !ok {
		return Endpoint{}, endpointNotFound()
	}
	var row endpointRow
	err := db.Get(ctx, &row, `
		SELECT `+endpointColumns+` FROM webhook_endpoints
		WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL`, accountID, fullID)
	if errors.Is(err, sql.ErrNoRows) {
		return Endpoint{}, endpointNotFound()
	}
	if err != nil {
		return Endpoint{}, err
	}
	return row.endpoint()
}

// updateEndpoint changes the fields of an endpoint that are not nil.
func updateEndpoint(ctx context.Context, tx *postgres.Tx, accountID, endpointID string, c EndpointChange,
	now time.Time) (Endpoint, error) {
	var kinds pq.StringArray // nil is NULL
	if c.Events != nil {
		kinds = kindArray(*c.Events)
	}
	var row endpointRow
	err := tx.Get(ctx, &row, `
		UPDATE webhook_endpoints
		SET url = coalesce($3, url), events = coalesce($4, events), enabled = coalesce($5, enabled),
		    updated_at = greatest($6, updated_at + interval '1 microsecond')
		WHERE account_id = $1 AND id = lower($2) AND deleted_at IS NULL
		RETURNING `+endpointColumns, accountID, endpointID, c.URL, kinds, c.Enabled, now)
	if errors.Is(err, sql.ErrNoRows) {
		return Endpoint{}, endpointNotFound()
	}
	if err != nil {
		return Endpoint{}, err
	}
	return row.endpoint()
}

func setEnabled(ctx context.Context, tx *postgres.Tx, accountID, endpointID string, enabled bool, now time.Time) error {
	return changeEndpoint(ctx, tx, `
		UPDATE webhook_endpoints
		SET enabled = $3, updated_at = greatest($4, updated_at + interval '1 microsecond')
		WHERE account_id = $1 AND id = lower($2) AND deleted_at IS NULL`, accountID, endpointID, enabled, now)
}

func deleteEndpoint(ctx context.Context, tx *postgres.Tx, accountID, endpointID string, now time.Time) error {
	return changeEndpoint(ctx, tx, `
		UPDATE webhook_endpoints
		SET deleted_at = $3, enabled = false, secret = '', previous_secret = NULL, previous_key_id = NULL,
		    previous_secret_id = NULL, previous_expires_at = NULL, older_secrets = '[]',
		    updated_at = greatest($3, updated_at + interval '1 microsecond')
		WHERE account_id = $1 AND id = lower($2) AND deleted_at IS NULL`, accountID, endpointID, now)
}

func changeEndpoint(ctx context.Context, tx *postgres.Tx, statement string, args ...any) error {
	result, err := tx.Exec(ctx, statement, args...)
	if err != nil {
		return err
	}
	if rows, err := result.RowsAffected(); err != nil || rows == 0 {
		return errors.Join(err, endpointNotFound())
	}
	return nil
}

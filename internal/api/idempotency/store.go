// Package idempotency stores the first response to a POST with an Idempotency-Key, so that repeating
// the request repeats the response and not its effect.
//
//  1. Store.Begin claims the key before the request runs, or returns the stored response.
//  2. The transaction of the request's change calls the hook of Store.MarkCarriedOut, which marks the
//     claim. From then on, the request never runs again, even if the process dies.
//  3. Store.Finish stores the response. If the request had no effect and may be repeated,
//     Store.Release removes the claim instead.
//
// A claim that is not marked expires after Lease, so a request whose process died can be repeated. The
// package identifies requests by a hash and stores responses as bytes. Package api reads and writes HTTP.
package idempotency

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Keep is how long a response is stored (openapi/v1.yaml, Idempotency-Key).
const Keep = 24 * time.Hour

// Lease is how long a running request holds its key. It must be longer than a request may take, so that
// an expired lease means that the process died.
const Lease = time.Minute

// Request identifies a request and its key.
type Request struct {
	AccountID, TokenID string
	Key                string   // 1 to 255 printable ASCII characters
	Hash               [32]byte // of the method, the URL and the body
}

// Response is the response to a request.
type Response struct {
	Status      int    `db:"status"`
	ContentType string `db:"content_type"`
	Body        []byte `db:"body"`
}

// Store stores keys and responses in PostgreSQL. It uses the database's time, so that leases do not depend on the
// clocks of the machines.
type Store struct{ db *postgres.DB }

// New returns a Store that uses db.
func New(db *postgres.DB) *Store { return &Store{db} }

// claim claims a key that is new, whose response has expired, or whose lease for the same request has expired.
const claim = `
INSERT INTO idempotency_keys AS k (account_id, token_id, key, request_hash, claim_id, due_at)
VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 second')
ON CONFLICT (account_id, token_id, key) DO UPDATE
SET request_hash = EXCLUDED.request_hash, claim_id = EXCLUDED.claim_id, due_at = EXCLUDED.due_at,
    carried_out = false, status = NULL, content_type = NULL, body = NULL
WHERE k.due_at <= now() AND (k.claim_id IS NULL OR k.request_hash = EXCLUDED.request_hash)`

// attempts is how often Begin tries again when the key is released between its two statements.
const attempts = 3

// Begin claims the request's key and returns the id of the claim, or the stored response. It returns
// idempotency_conflict if the same request is running, or was carried out and its response was lost, and
// idempotency_key_reused if the key belongs to another request.
func (s *Store) Begin(ctx context.Context, r Request) (claimID string, response *Response, err error) {
	for range attempts {
		if claimID, err = s.claim(ctx, r); err != nil || claimID != "" {
			return claimID, nil, err
		}
		response, err = s.held(ctx, r)
		if !errors.Is(err, sql.ErrNoRows) {
			return "", response, err
		}
	}
	return "", nil, conflict()
}

func (s *Store) claim(ctx context.Context, r Request) (string, error) {
	claimID := rand.Text()
	result, err := s.db.Exec(ctx, claim, r.AccountID, r.TokenID, r.Key, r.Hash[:], claimID, Lease.Seconds())
	if err != nil {
		return "", fmt.Errorf("claim idempotency key: %w", err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return "", err
	}
	return claimID, nil
}

// held returns the response that is stored for a claimed key.
func (s *Store) held(ctx context.Context, r Request) (*Response, error) {
	var row struct {
		Hash       []byte `db:"request_hash"`
		Running    bool   `db:"running"`
		CarriedOut bool   `db:"carried_out"`
		Response
	}
	err := s.db.Get(ctx, &row, `
SELECT request_hash, claim_id IS NOT NULL AS running, carried_out, coalesce(status, 0) AS status,
       coalesce(content_type, '') AS content_type, body
FROM idempotency_keys
WHERE account_id = $1 AND token_id = $2 AND key = $3`, r.AccountID, r.TokenID, r.Key)
	switch {
	case err != nil:
		return nil, fmt.Errorf("claim idempotency key: %w", err)
	case string(row.Hash) != string(r.Hash[:]):
		return nil, fault.New(fault.IdempotencyKeyReused,
			"This Idempotency-Key was used for another request. Use a new key.")
	case row.Running && row.CarriedOut:
		return nil, fault.New(fault.IdempotencyConflict,
			"The request with this Idempotency-Key was carried out, but its answer is not here. "+
				"Try again in a moment; if it was lost, read what there is now.")
	case row.Running:
		return nil, conflict()
	}
	return &row.Response, nil
}

func conflict() error {
	return fault.New(fault.IdempotencyConflict,
		"A request with this Idempotency-Key is still running. Try again in a moment.")
}

// MarkCarriedOut returns a hook that marks the claim as carried out in the transaction of the request's change.
// The request then never runs a second time, even if the process dies or the response is lost. The hook fails,
// and with it the change, if the claim was lost.
func (s *Store) MarkCarriedOut(r Request, claimID string) postgres.TxHook {
	return func(ctx context.Context, tx *postgres.Tx) error {
		result, err := tx.Exec(ctx, `
UPDATE idempotency_keys SET carried_out = true, due_at = now() + $5 * interval '1 second'
WHERE account_id = $1 AND token_id = $2 AND key = $3 AND claim_id = $4`,
			r.AccountID, r.TokenID, r.Key, claimID, Keep.Seconds())
		if err != nil {
			return fmt.Errorf("mark request as carried out: %w", err)
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, conflict())
		}
		return nil
	}
}

// Finish stores the response to the request. It does nothing if the claim was lost.
func (s *Store) Finish(ctx context.Context, r Request, claimID string, response Response) error {
	_, err := s.db.Exec(ctx, `
UPDATE idempotency_keys
SET claim_id = NULL, status = $5, content_type = $6, body = $7, due_at = now() + $8 * interval '1 second'
WHERE account_id = $1 AND token_id = $2 AND key = $3 AND claim_id = $4`,
		r.AccountID, r.TokenID, r.Key, claimID, response.Status, response.ContentType, response.Body, Keep.Seconds())
	if err != nil {
		return fmt.Errorf("store response: %w", err)
	}
	return nil
}

// Release removes the claim of a request that had no effect, so that it may be repeated. It does nothing if the claim
// is marked as carried out, which happens when a commit succeeded without a confirmation.
func (s *Store) Release(ctx context.Context, r Request, claimID string) error {
	_, err := s.db.Exec(ctx, `
DELETE FROM idempotency_keys
WHERE account_id = $1 AND token_id = $2 AND key = $3 AND claim_id = $4 AND NOT carried_out`,
		r.AccountID, r.TokenID, r.Key, claimID)
	if err != nil {
		return fmt.Errorf("release idempotency key: %w", err)
	}
	return nil
}

package app

import (
	"context"
	"net/http"

	"github.com/cardvault/cardvault/internal/api/idempotency"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/postgres"
)

// formKeys implements web.Keys with the storage of the API's Idempotency-Key. A user takes the place of a token:
// their identifiers differ.
type formKeys struct{ store *idempotency.Store }

// request returns what identifies a form in the storage.
func (formKeys) request(k web.Key) idempotency.Request {
	return idempotency.Request{AccountID: k.AccountID, TokenID: k.UserID, Key: k.Name, Hash: k.Hash}
}

// Begin implements web.Keys.
func (f formKeys) Begin(ctx context.Context, k web.Key) (claim string, body []byte, err error) {
	claim, response, err := f.store.Begin(ctx, f.request(k))
	if err != nil || response == nil {
		return claim, nil, err
	}
	return "", response.Body, nil
}

// Hook implements web.Keys.
func (f formKeys) Hook(k web.Key, claim string) postgres.TxHook {
	return f.store.MarkCarriedOut(f.request(k), claim)
}

// Finish implements web.Keys.
func (f formKeys) Finish(ctx context.Context, k web.Key, claim string, result []byte) error {
	response := idempotency.Response{Status: http.StatusOK, Body: result}
	return f.store.Finish(ctx, f.request(k), claim, response)
}

// Release implements web.Keys.
func (f formKeys) Release(ctx context.Context, k web.Key, claim string) error {
	return f.store.Release(ctx, f.request(k), claim)
}

-- +goose Up
-- Set by the transaction of the request that holds the claim: it was carried out, whatever becomes of its answer.
ALTER TABLE idempotency_keys ADD COLUMN carried_out boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE idempotency_keys DROP COLUMN carried_out;

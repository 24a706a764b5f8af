-- +goose Up
-- The transaction of the request that holds the claim sets it. The request then never runs again, even if its response
-- is lost.
ALTER TABLE idempotency_keys ADD COLUMN carried_out boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE idempotency_keys DROP COLUMN carried_out;

-- +goose Up
-- The previous secrets of an endpoint whose grace period runs: the newest one in the columns that exist, which earlier
-- versions use, with an identifier, and up to three older ones.
ALTER TABLE webhook_endpoints
    ADD COLUMN previous_secret_id text,
    ADD COLUMN older_secrets jsonb NOT NULL DEFAULT '[]';

-- +goose Down
ALTER TABLE webhook_endpoints
    DROP COLUMN previous_secret_id,
    DROP COLUMN older_secrets;

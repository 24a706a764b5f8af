-- +goose Up
-- Counts the changes of the account's webhook endpoints. Each writer locks the row of the account's clock, so a process
-- can cache the endpoints that it has read at a version until the version changes.
ALTER TABLE account_clock ADD COLUMN endpoints_version bigint NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE account_clock DROP COLUMN endpoints_version;

-- +goose Up
-- Counts the changes of the account's webhook endpoints. Writers hold the clock's row, so that who has
-- read the endpoints at a version knows without looking again what they are as long as it stands.
ALTER TABLE account_clock ADD COLUMN endpoints_version bigint NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE account_clock DROP COLUMN endpoints_version;

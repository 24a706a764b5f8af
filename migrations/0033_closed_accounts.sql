-- +goose NO TRANSACTION
-- +goose Up
-- When the deletion of the account began, by the database's clock: its tokens and users are deleted, and its listings
-- are withdrawn from the marketplaces before its rows are deleted. Null until then.
ALTER TABLE accounts ADD COLUMN IF NOT EXISTS closed_at timestamptz;

-- +goose Down
ALTER TABLE accounts DROP COLUMN IF EXISTS closed_at;

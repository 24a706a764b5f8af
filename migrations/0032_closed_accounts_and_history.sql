-- +goose NO TRANSACTION
-- +goose Up
-- When the deletion of the account began, by the database's clock: its tokens and users are deleted, and its listings
-- are withdrawn from the marketplaces before its rows are deleted. Null until then.
ALTER TABLE accounts ADD COLUMN IF NOT EXISTS closed_at timestamptz;

-- Lists the changes of all cards of an account, newest first. New partitions get the index at once. The program builds
-- it on the existing ones, whose names this migration does not know, without blocking their writers.
CREATE INDEX IF NOT EXISTS card_history_at ON ONLY card_history (account_id, at, card_id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS card_history_default_at ON card_history_default (account_id, at, card_id);
ALTER INDEX card_history_at ATTACH PARTITION card_history_default_at;

-- +goose Down
DROP INDEX IF EXISTS card_history_at;
ALTER TABLE accounts DROP COLUMN IF EXISTS closed_at;

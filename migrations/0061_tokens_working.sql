-- +goose NO TRANSACTION
-- +goose Up
-- Finds the tokens of an account that work, or worked a moment ago, among those that were revoked. Building the index
-- concurrently waits for long transactions without blocking other writers, so it runs without lock_timeout.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS tokens_working;
CREATE INDEX CONCURRENTLY tokens_working ON tokens (account_id, coalesce(revoked_at, 'infinity'));
SET lock_timeout = '2s';

-- +goose Down
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS tokens_working;
SET lock_timeout = '2s';

-- +goose NO TRANSACTION
-- +goose Up
-- Finds the sessions of a user, of which the oldest end. Building the index concurrently waits for long transactions without
-- blocking other writers, so it runs without lock_timeout.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS user_sessions_user;
CREATE INDEX CONCURRENTLY user_sessions_user ON user_sessions (user_id, created_at) WHERE user_id IS NOT NULL;
SET lock_timeout = '2s';

-- +goose Down
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS user_sessions_user;
SET lock_timeout = '2s';

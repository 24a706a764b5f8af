-- +goose NO TRANSACTION
-- +goose Up
-- How many cards of an account were identified lately tells how long those that wait take. Building an index concurrently
-- waits for long transactions without blocking other writers, so it runs without lock_timeout.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS card_candidates_at;
CREATE INDEX CONCURRENTLY card_candidates_at ON card_candidates (account_id, at);
SET lock_timeout = '2s';

-- +goose Down
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS card_candidates_at;
SET lock_timeout = '2s';

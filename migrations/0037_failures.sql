-- +goose NO TRANSACTION
-- +goose Up
-- What failed, newest first: cards with a photo that could not be imported, and listings that did not go live. Both are
-- few, and prices are not part of them, so that their changes stay heap-only. Building an index concurrently waits for
-- long transactions without blocking other writers, so it runs without lock_timeout.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS cards_failed_photo;
CREATE INDEX CONCURRENTLY cards_failed_photo ON cards (account_id, created_at, id)
    WHERE photos @> '[{"status": "failed"}]';
DROP INDEX CONCURRENTLY IF EXISTS listings_failed;
CREATE INDEX CONCURRENTLY listings_failed ON listings (account_id, created_at, id) WHERE status = 'failed';
SET lock_timeout = '2s';

-- +goose Down
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS cards_failed_photo;
DROP INDEX CONCURRENTLY IF EXISTS listings_failed;
SET lock_timeout = '2s';

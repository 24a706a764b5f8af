-- +goose NO TRANSACTION
-- +goose Up
-- Returns the cards of one SKU in the order of lists, like the indexes of status, batch and set. Building the index
-- concurrently waits for long transactions without blocking other writers, so it runs without lock_timeout.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS cards_sku_created;
CREATE INDEX CONCURRENTLY cards_sku_created ON cards (account_id, sku, created_at, id) WHERE sku IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS cards_sku;
SET lock_timeout = '2s';

-- +goose Down
SET lock_timeout = 0;
CREATE INDEX CONCURRENTLY IF NOT EXISTS cards_sku ON cards (account_id, sku) WHERE sku IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS cards_sku_created;
SET lock_timeout = '2s';

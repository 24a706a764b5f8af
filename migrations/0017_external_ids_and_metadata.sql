-- +goose NO TRANSACTION
-- +goose Up
-- Each statement can be repeated, in case that one after it fails. Adding a column with a constant default does not
-- rewrite the table. Processes of the version before neither read nor write the columns.
ALTER TABLE cards ADD COLUMN IF NOT EXISTS external_id text COLLATE "C",
    ADD COLUMN IF NOT EXISTS metadata jsonb NOT NULL DEFAULT '{}';
ALTER TABLE accounts ADD COLUMN IF NOT EXISTS currency text NOT NULL DEFAULT 'USD',
    ADD COLUMN IF NOT EXISTS time_zone text NOT NULL DEFAULT 'UTC';
-- Building an index concurrently waits for long transactions without blocking writers, so without lock_timeout.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS cards_external_id;
CREATE UNIQUE INDEX CONCURRENTLY cards_external_id ON cards (account_id, external_id) WHERE external_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS cards_catalog_id;
CREATE INDEX CONCURRENTLY cards_catalog_id ON cards (account_id, catalog_id, created_at, id)
    WHERE catalog_id IS NOT NULL;
SET lock_timeout = '2s';

-- +goose Down
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS cards_external_id;
DROP INDEX CONCURRENTLY IF EXISTS cards_catalog_id;
SET lock_timeout = '2s';
ALTER TABLE accounts DROP COLUMN IF EXISTS currency, DROP COLUMN IF EXISTS time_zone;
ALTER TABLE cards DROP COLUMN IF EXISTS external_id, DROP COLUMN IF EXISTS metadata;

-- +goose NO TRANSACTION
-- +goose Up
-- The indexes of the keys, and of the cards whose keys are missing: all that exist at first. The processes then compute
-- the keys, 200 cards at a time. Until those of an account are complete, its lists are sorted by card_search_title and
-- cards_location_key, as processes of the version before sort them.
--
-- Building an index concurrently waits for long transactions without blocking writers, so without lock_timeout.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS card_search_title_order;
CREATE INDEX CONCURRENTLY card_search_title_order ON card_search (account_id, coalesce(title_order, ''), card_id);
DROP INDEX CONCURRENTLY IF EXISTS card_search_keys_missing;
CREATE INDEX CONCURRENTLY card_search_keys_missing ON card_search (account_id, card_id)
    WHERE keyed IS DISTINCT FROM hashtextextended((title_key || E'\n' || searched) COLLATE "C", 1);
DROP INDEX CONCURRENTLY IF EXISTS cards_location_order;
CREATE INDEX CONCURRENTLY cards_location_order ON cards (account_id, coalesce(location_order, ''), id);
DROP INDEX CONCURRENTLY IF EXISTS cards_keys_missing;
CREATE INDEX CONCURRENTLY cards_keys_missing ON cards (account_id, id)
    WHERE location_keyed IS DISTINCT FROM '1 ' || location;
SET lock_timeout = '2s';

-- +goose Down
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS cards_keys_missing;
DROP INDEX CONCURRENTLY IF EXISTS cards_location_order;
DROP INDEX CONCURRENTLY IF EXISTS card_search_keys_missing;
DROP INDEX CONCURRENTLY IF EXISTS card_search_title_order;
SET lock_timeout = '2s';

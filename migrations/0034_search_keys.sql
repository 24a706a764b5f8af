-- +goose NO TRANSACTION
-- +goose Up
-- q looks cards up in an index of one account's trigrams. The index before it had one list of cards for each trigram
-- of all accounts together, so that a search read the cards of all. Each statement can be repeated.
--
-- The keys of a card are its trigrams (those of pg_trgm, in lower case), each after the end of the account's
-- identifier. Two accounts can have the same end, so a search compares account_id too. The first key is that end alone,
-- by which a search without a trigram stays within the account. A key of a searched text in ASCII takes eight bytes,
-- with which an entry of the index is as large as before. The body is parsed here, so that the index can be restored
-- with any search_path.
CREATE OR REPLACE FUNCTION card_search_keys(account_id text, searched text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN string_to_array(
    right(account_id, 4) || E'\n' || right(account_id, 4)
        || array_to_string(show_trgm(lower(searched COLLATE "default")), E'\n' || right(account_id, 4)),
    E'\n');

-- Processes of the version before do not need to know of the index: PostgreSQL computes the keys. Their own searches
-- by words read all texts of the account once the index before is dropped, and are as slow as that until they are
-- restarted. The pending list has the minimum size, see 0008. Building an index concurrently waits for long
-- transactions without blocking writers, so without lock_timeout.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS card_search_by_keys;
CREATE INDEX CONCURRENTLY card_search_by_keys ON card_search
    USING gin ((card_search_keys(account_id, searched)) COLLATE "C") WITH (gin_pending_list_limit = 64);
DROP INDEX CONCURRENTLY IF EXISTS card_search_content;
SET lock_timeout = '2s';

-- +goose Down
SET lock_timeout = 0;
CREATE INDEX CONCURRENTLY IF NOT EXISTS card_search_content ON card_search
    USING gin (account_id, lower(searched) gin_trgm_ops) WITH (gin_pending_list_limit = 64);
DROP INDEX CONCURRENTLY IF EXISTS card_search_by_keys;
SET lock_timeout = '2s';
DROP FUNCTION IF EXISTS card_search_keys(text, text);

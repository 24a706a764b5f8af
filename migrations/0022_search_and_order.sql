-- +goose NO TRANSACTION
-- +goose Up
-- q also searches numbers, sets, SKUs and external ids, and lists can be sorted by price, title and location. Each
-- statement can be repeated, in case that one after it fails.
--
-- The texts by which a list is sorted: price_key is the currency and the amount with 11 digits, or empty; title_key the
-- title in lower case, or empty, at most 80 characters, because cursors contain it.
CREATE TABLE IF NOT EXISTS card_prices (
    account_id text COLLATE "C" NOT NULL,
    card_id    text COLLATE "C" NOT NULL,
    price_key  text COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id, card_id)
);
ALTER TABLE card_search ADD COLUMN IF NOT EXISTS title_key text COLLATE "C" NOT NULL DEFAULT '';

-- Processes of the previous version would write only the title. The new name of the column makes those writes fail.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM information_schema.columns
               WHERE table_schema = current_schema() AND table_name = 'card_search' AND column_name = 'content') THEN
        ALTER TABLE card_search RENAME COLUMN content TO searched;
    END IF;
END $$;
-- +goose StatementEnd

-- Each account's cards are read in the order of their key, 5,000 at a time, and each step commits. Cards without a
-- title get their row in card_search.
-- +goose StatementBegin
DO $$
DECLARE
    account text;
    after   text;
    upto    text;
BEGIN
    FOR account IN SELECT id FROM accounts ORDER BY id LOOP
        after := '';
        LOOP
            SELECT max(id) INTO upto FROM (
                SELECT id FROM cards WHERE account_id = account AND id > after ORDER BY id LIMIT 5000
            ) AS step;
            EXIT WHEN upto IS NULL;
            INSERT INTO card_prices (account_id, card_id, price_key)
            SELECT account_id, id, coalesce(asking_currency || lpad(asking_amount::text, 11, '0'), '')
            FROM cards WHERE account_id = account AND id > after AND id <= upto
            ON CONFLICT DO NOTHING;
            INSERT INTO card_search (account_id, card_id, searched, title_key)
            SELECT account_id, id, concat_ws(E'\n', title, number, set, sku, external_id),
                left(lower(coalesce(title, '')), 80)
            FROM cards WHERE account_id = account AND id > after AND id <= upto
            ON CONFLICT (account_id, card_id) DO UPDATE
            SET searched = excluded.searched, title_key = excluded.title_key;
            COMMIT;
            after := upto;
        END LOOP;
    END LOOP;
END $$;
-- +goose StatementEnd

-- Building an index concurrently waits for long transactions without blocking writers, so without lock_timeout.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS card_prices_key;
CREATE INDEX CONCURRENTLY card_prices_key ON card_prices (account_id, price_key, card_id);
DROP INDEX CONCURRENTLY IF EXISTS card_search_title;
CREATE INDEX CONCURRENTLY card_search_title ON card_search (account_id, title_key, card_id);
DROP INDEX CONCURRENTLY IF EXISTS cards_location_key;
CREATE INDEX CONCURRENTLY cards_location_key ON cards (account_id, left(coalesce(location, ''), 80), id);
DROP INDEX CONCURRENTLY IF EXISTS cards_location;
SET lock_timeout = '2s';

-- +goose Down
SET lock_timeout = 0;
CREATE INDEX CONCURRENTLY IF NOT EXISTS cards_location ON cards (account_id, location) WHERE location IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS cards_location_key;
DROP INDEX CONCURRENTLY IF EXISTS card_search_title;
SET lock_timeout = '2s';
ALTER TABLE card_search DROP COLUMN title_key;
ALTER TABLE card_search RENAME COLUMN searched TO content;
DROP TABLE card_prices;

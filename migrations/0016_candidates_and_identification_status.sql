-- +goose NO TRANSACTION
-- +goose Up
-- identification_status is 'none' where nothing was asked for, and 'pending' only for a card in the queue or one that
-- waits for a photo which is being fetched. Processes of the version before write 'pending' for all of these; the next
-- change of such a card that waits for a photo corrects it. No index covers the column. Each account's cards are read in
-- the order of their key, 5,000 at a time, and each step commits. A step locks the account's clock like any writer of
-- cards, so that it sees each card together with its row of the queue. A repeated step finds only what is left.
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
            PERFORM 1 FROM account_clock WHERE account_id = account FOR UPDATE;
            UPDATE cards SET identification_status = 'none'
            WHERE account_id = account AND id > after AND id <= upto AND identification_status = 'pending'
              AND NOT EXISTS (SELECT FROM identifications q WHERE q.account_id = account AND q.card_id = cards.id)
              AND NOT (awaits_identification AND (photos @> '[{"role": "front", "status": "pending"}]'
                OR photos @> '[{"role": "listing", "status": "pending"}]'));
            COMMIT;
            after := upto;
        END LOOP;
    END LOOP;
END $$;
-- +goose StatementEnd

-- What the last identification of each card considered, saved with its result or its failure.
CREATE TABLE IF NOT EXISTS card_candidates (
    account_id text COLLATE "C" NOT NULL,
    card_id    text COLLATE "C" NOT NULL,
    at         timestamptz NOT NULL,
    candidates jsonb       NOT NULL,
    PRIMARY KEY (account_id, card_id)
);

-- The catalogue is searched by set. Building an index concurrently waits for long transactions and blocks no writer.
SET lock_timeout = 0;
CREATE INDEX CONCURRENTLY IF NOT EXISTS catalog_cards_set ON catalog_cards (set_key);
CREATE INDEX CONCURRENTLY IF NOT EXISTS catalog_cards_set_code ON catalog_cards (set_code_key);
SET lock_timeout = '2s';

-- +goose Down
DROP INDEX IF EXISTS catalog_cards_set, catalog_cards_set_code;
DROP TABLE IF EXISTS card_candidates;
UPDATE cards SET identification_status = 'pending' WHERE identification_status = 'none';

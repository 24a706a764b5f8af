-- +goose NO TRANSACTION
-- +goose Up
-- What the owner knows about cards before they are identified. It is given with the import of the cards or with a job,
-- and each identification without hints of its own uses it. An empty text is not known. Processes of the previous
-- version identify without hints.
CREATE TABLE IF NOT EXISTS identification_hints (
    account_id text COLLATE "C" NOT NULL,
    card_id    text COLLATE "C" NOT NULL,
    game       text NOT NULL,
    set        text NOT NULL, -- name or code
    language   text NOT NULL, -- BCP 47 tag
    PRIMARY KEY (account_id, card_id)
);
ALTER TABLE jobs ADD COLUMN IF NOT EXISTS hints text; -- JSON; of kind identify

-- Finds the cards of a game without reading their texts. Building an index concurrently waits for long transactions and
-- blocks no writer.
SET lock_timeout = 0;
CREATE INDEX CONCURRENTLY IF NOT EXISTS catalog_cards_game ON catalog_cards (game, id);
SET lock_timeout = '2s';

-- +goose Down
DROP INDEX IF EXISTS catalog_cards_game;
ALTER TABLE jobs DROP COLUMN IF EXISTS hints;
DROP TABLE IF EXISTS identification_hints;

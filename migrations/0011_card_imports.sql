-- +goose Up
-- Files of cards on their way into the inventory. While a file is checked its rows are staged in chunks. One row in
-- card_imports accepts the import and is the job: from then on each chunk is made into cards in a transaction of its
-- own, which also deletes the chunk. Chunks without a row in card_imports were never accepted and mean nothing.
CREATE TABLE card_imports (
    account_id text COLLATE "C" NOT NULL,
    import_id  text COLLATE "C" NOT NULL,
    due_at     timestamptz NOT NULL,
    claim_id   text,
    attempts   integer     NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, import_id)
) WITH (fillfactor = 70);
CREATE INDEX card_imports_due ON card_imports (account_id, due_at);

CREATE TABLE card_import_chunks (
    account_id text COLLATE "C" NOT NULL,
    import_id  text COLLATE "C" NOT NULL,
    place      integer     NOT NULL, -- of the chunk's first card in the file, from 0
    cards      integer     NOT NULL,
    rows       json        NOT NULL,
    -- The pictures stored for these cards. Until the cards are made, this is what refers to them. The transaction that
    -- makes the cards deletes the chunk, so a search for orphaned pictures must read chunks and cards in one statement,
    -- or the chunks first.
    photo_ids  text[]      NOT NULL,
    staged_at  timestamptz NOT NULL, -- by the database's clock
    PRIMARY KEY (account_id, import_id, place)
);

-- +goose Down
DROP TABLE card_import_chunks, card_imports;

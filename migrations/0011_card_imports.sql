-- +goose Up
-- Imports of cards from files. While the service checks a file, it stores the rows of the file in chunks. A row in
-- card_imports accepts the import and is its job. The job creates the cards of each chunk and deletes the chunk in one
-- transaction per chunk. A chunk without a row in card_imports belongs to an import that was not accepted, and has no
-- effect.
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
    place      integer     NOT NULL, -- position of the chunk's first card in the file, from 0
    cards      integer     NOT NULL,
    rows       json        NOT NULL,
    -- The photos that are stored for these cards. Until the cards exist, only this column refers to the photos. The
    -- transaction that creates the cards deletes the chunk, so a search for orphaned photos must read chunks and cards
    -- in one statement, or the chunks first.
    photo_ids  text[]      NOT NULL,
    staged_at  timestamptz NOT NULL, -- time of the database's clock
    PRIMARY KEY (account_id, import_id, place)
);

-- +goose Down
DROP TABLE card_import_chunks, card_imports;

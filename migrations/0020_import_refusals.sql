-- +goose Up
-- The rows of accepted imports that were not applied, because their cards were changed, listed, sold or deleted after
-- the import was accepted. They are kept for 30 days.
CREATE TABLE card_import_refusals (
    account_id text COLLATE "C" NOT NULL,
    import_id  text COLLATE "C" NOT NULL,
    line       integer     NOT NULL, -- first line of the row in the file, from 1
    message    text        NOT NULL,
    refused_at timestamptz NOT NULL, -- time of the database's clock
    PRIMARY KEY (account_id, import_id, line)
);
CREATE INDEX card_import_refusals_refused ON card_import_refusals (refused_at);

-- +goose Down
DROP TABLE card_import_refusals;

-- +goose Up
-- Fingerprints of photos whose cards their owners have confirmed: one for each card of an account.
CREATE TABLE learned_fingerprints (
    account_id text COLLATE "C" NOT NULL,
    card_id    text COLLATE "C" NOT NULL,
    catalog_id text COLLATE "C" NOT NULL,
    photo_id   text COLLATE "C" NOT NULL,
    hash       bit(512)    NOT NULL,
    learned_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, card_id)
);
CREATE INDEX learned_fingerprints_catalog ON learned_fingerprints (account_id, catalog_id, learned_at);

-- A row is a card whose photo is to be learned.
CREATE TABLE fingerprint_work (
    account_id text COLLATE "C" NOT NULL,
    card_id    text COLLATE "C" NOT NULL,
    due_at     timestamptz NOT NULL,
    claim_id   text,
    attempts   integer     NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, card_id)
) WITH (fillfactor = 70);
CREATE INDEX fingerprint_work_due ON fingerprint_work (account_id, due_at);

-- +goose Down
DROP TABLE fingerprint_work, learned_fingerprints;
DELETE FROM queue_accounts WHERE queue = 'fingerprint_work';

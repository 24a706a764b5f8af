-- +goose Up
-- The cards that a job has deleted, for the time in which it can be undone, with what else is needed to bring them back.
-- No list, no search and no unique key of the table cards knows them. Processes of the version before delete cards at
-- once, and leave jobs that restore cards to new ones.
CREATE TABLE deleted_cards (
    account_id text COLLATE "C" NOT NULL,
    card_id    text COLLATE "C" NOT NULL,
    job_id     text COLLATE "C" NOT NULL, -- the job that has deleted the card
    deleted_at timestamptz NOT NULL,      -- as in card_deletions
    card       jsonb NOT NULL,            -- the card as package cards encodes it, without its photos
    photos     jsonb NOT NULL,            -- as in cards
    fetches    jsonb NOT NULL,            -- the photos that were to be fetched, with their URLs
    PRIMARY KEY (account_id, card_id)
);
CREATE INDEX deleted_cards_job ON deleted_cards (account_id, job_id, card_id);

-- The history of these cards: rows of card_history, which has the rows of existing cards only.
CREATE TABLE deleted_card_history (
    account_id text COLLATE "C" NOT NULL,
    card_id    text COLLATE "C" NOT NULL,
    at         timestamptz NOT NULL,
    version    bigint      NOT NULL,
    actor_type text        NOT NULL,
    actor_id   text        NOT NULL,
    changes    text        NOT NULL,
    PRIMARY KEY (account_id, card_id, at)
);

-- The most cards that a job may change, because its request has said how many it expects. Processes of the version
-- before do not apply it.
ALTER TABLE jobs ADD COLUMN most integer;

-- +goose Down
ALTER TABLE jobs DROP COLUMN most;
DROP TABLE deleted_card_history, deleted_cards;

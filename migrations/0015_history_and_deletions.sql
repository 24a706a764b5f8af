-- +goose Up
-- The changes of each card, newest versions last. A partition holds a month; the program creates them ahead of time and
-- drops them after two years. Times are strictly rising per account, so they identify a change. `changes` is the JSON
-- that GET /cards/{id}/history returns.
CREATE TABLE card_history (
    account_id text COLLATE "C" NOT NULL,
    card_id    text COLLATE "C" NOT NULL,
    at         timestamptz NOT NULL,
    version    bigint      NOT NULL,
    actor_type text        NOT NULL,
    actor_id   text        NOT NULL,
    changes    text        NOT NULL,
    PRIMARY KEY (account_id, card_id, at)
) PARTITION BY RANGE (at);
CREATE TABLE card_history_default PARTITION OF card_history DEFAULT;

-- Cards that were deleted in the last 90 days, in the order of deletion. A partition holds a day.
CREATE TABLE card_deletions (
    account_id text COLLATE "C" NOT NULL,
    deleted_at timestamptz NOT NULL,
    card_id    text COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id, deleted_at, card_id)
) PARTITION BY RANGE (deleted_at);
CREATE TABLE card_deletions_default PARTITION OF card_deletions DEFAULT;

-- +goose Down
DROP TABLE card_deletions, card_history;

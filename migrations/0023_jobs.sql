-- +goose Up
-- Changes to many cards in the background. done + refused is the place of the next card. It advances in the transaction
-- that changes the cards before it. total grows while the cards of a filter are collected.
CREATE TABLE jobs (
    account_id  text COLLATE "C" NOT NULL,
    id          text COLLATE "C" NOT NULL,
    kind        text        NOT NULL,
    status      text        NOT NULL,
    total       integer     NOT NULL,
    done        integer     NOT NULL,
    refused     integer     NOT NULL,
    filter      text,        -- JSON; null once all cards are collected
    after_at    timestamptz, -- created_at and id of the last card that the filter was applied to
    after_id    text COLLATE "C",
    patch       text,        -- JSON; of kind update
    marketplace text,        -- of kind publish
    actor_type  text        NOT NULL,
    actor_id    text        NOT NULL,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    finished_at timestamptz,
    PRIMARY KEY (account_id, id)
);
CREATE INDEX jobs_created ON jobs (account_id, created_at, id);
CREATE INDEX jobs_finished ON jobs (finished_at) WHERE finished_at IS NOT NULL;

-- The cards of unfinished jobs in the order of work. A chunk is deleted with the change of its last card.
CREATE TABLE job_chunks (
    account_id text COLLATE "C" NOT NULL,
    job_id     text COLLATE "C" NOT NULL,
    place      integer NOT NULL, -- of the chunk's first card, from 0
    card_ids   text[]  NOT NULL,
    PRIMARY KEY (account_id, job_id, place)
);

-- The cards that a job could not change. They are kept as long as the job.
CREATE TABLE job_refusals (
    account_id text COLLATE "C" NOT NULL,
    job_id     text COLLATE "C" NOT NULL,
    refused_at timestamptz NOT NULL,
    card_id    text COLLATE "C" NOT NULL,
    code       text        NOT NULL,
    message    text        NOT NULL,
    details    text        NOT NULL, -- JSON: the invalid fields of the patch
    PRIMARY KEY (account_id, job_id, refused_at, card_id)
);

-- The queue of unfinished jobs.
CREATE TABLE job_work (
    account_id text COLLATE "C" NOT NULL,
    job_id     text COLLATE "C" NOT NULL,
    due_at     timestamptz NOT NULL,
    claim_id   text,
    attempts   integer     NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, job_id)
) WITH (fillfactor = 70);
CREATE INDEX job_work_due ON job_work (account_id, due_at);

-- +goose Down
DROP TABLE job_work, job_refusals, job_chunks, jobs;

-- +goose NO TRANSACTION
-- +goose Up
-- What undoes a job. Processes of the previous version keep nothing for it, and leave jobs that undo others to new ones.
ALTER TABLE jobs
    ADD COLUMN IF NOT EXISTS edits     integer NOT NULL DEFAULT 0, -- cards in job_edits
    ADD COLUMN IF NOT EXISTS undoes    text COLLATE "C",           -- the job whose changes this one takes back
    ADD COLUMN IF NOT EXISTS undone_by text COLLATE "C";

-- The values that a job has changed, before and after, of the cards that it has changed in one transaction. They are
-- deleted a day after the job has finished.
CREATE TABLE IF NOT EXISTS job_edits (
    account_id text COLLATE "C" NOT NULL,
    job_id     text COLLATE "C" NOT NULL,
    place      integer NOT NULL, -- of the first card, from 0
    card_ids   text[]  NOT NULL,
    edits      text[]  NOT NULL, -- JSON; of each card
    PRIMARY KEY (account_id, job_id, place)
);

-- Finds the jobs whose edits expire. Building an index concurrently waits for long transactions and blocks no writer.
SET lock_timeout = 0;
CREATE INDEX CONCURRENTLY IF NOT EXISTS jobs_edited ON jobs (finished_at) WHERE edits > 0;
SET lock_timeout = '2s';

-- +goose Down
DROP INDEX IF EXISTS jobs_edited;
DROP TABLE IF EXISTS job_edits;
ALTER TABLE jobs DROP COLUMN IF EXISTS edits, DROP COLUMN IF EXISTS undoes, DROP COLUMN IF EXISTS undone_by;

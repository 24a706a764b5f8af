-- +goose NO TRANSACTION
-- +goose Up
-- Why the rows of the queues wait. waiting_since is when the work was asked for, by the database's clock; work that
-- repeats waits since its last success. wait_reason is a code for customers (package waiting), and last_error the error of
-- the last attempt that failed, for operators: both are null until an attempt fails. last_attempt_at is when the last
-- attempt began. Processes of the version before leave the columns as they are.
--
-- Each table is changed in a transaction of its own, so that no lock is held while another one is waited for.
ALTER TABLE photo_fetches
    ADD COLUMN IF NOT EXISTS waiting_since   timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN IF NOT EXISTS wait_reason     text,
    ADD COLUMN IF NOT EXISTS last_error      text,
    ADD COLUMN IF NOT EXISTS last_attempt_at timestamptz;
ALTER TABLE identifications
    ADD COLUMN IF NOT EXISTS waiting_since   timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN IF NOT EXISTS wait_reason     text,
    ADD COLUMN IF NOT EXISTS last_error      text,
    ADD COLUMN IF NOT EXISTS last_attempt_at timestamptz;
ALTER TABLE fingerprint_work
    ADD COLUMN IF NOT EXISTS waiting_since   timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN IF NOT EXISTS wait_reason     text,
    ADD COLUMN IF NOT EXISTS last_error      text,
    ADD COLUMN IF NOT EXISTS last_attempt_at timestamptz;
ALTER TABLE listing_work
    ADD COLUMN IF NOT EXISTS waiting_since   timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN IF NOT EXISTS wait_reason     text,
    ADD COLUMN IF NOT EXISTS last_error      text,
    ADD COLUMN IF NOT EXISTS last_attempt_at timestamptz;
ALTER TABLE marketplace_polls
    ADD COLUMN IF NOT EXISTS waiting_since   timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN IF NOT EXISTS wait_reason     text,
    ADD COLUMN IF NOT EXISTS last_error      text,
    ADD COLUMN IF NOT EXISTS last_attempt_at timestamptz;
ALTER TABLE card_imports
    ADD COLUMN IF NOT EXISTS waiting_since   timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN IF NOT EXISTS wait_reason     text,
    ADD COLUMN IF NOT EXISTS last_error      text,
    ADD COLUMN IF NOT EXISTS last_attempt_at timestamptz;
ALTER TABLE job_work
    ADD COLUMN IF NOT EXISTS waiting_since   timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN IF NOT EXISTS wait_reason     text,
    ADD COLUMN IF NOT EXISTS last_error      text,
    ADD COLUMN IF NOT EXISTS last_attempt_at timestamptz;
ALTER TABLE account_deletions
    ADD COLUMN IF NOT EXISTS waiting_since   timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN IF NOT EXISTS wait_reason     text,
    ADD COLUMN IF NOT EXISTS last_error      text,
    ADD COLUMN IF NOT EXISTS last_attempt_at timestamptz;
ALTER TABLE account_exports
    ADD COLUMN IF NOT EXISTS wait_reason     text,
    ADD COLUMN IF NOT EXISTS last_error      text,
    ADD COLUMN IF NOT EXISTS last_attempt_at timestamptz;

-- +goose Down
ALTER TABLE photo_fetches
    DROP COLUMN IF EXISTS waiting_since, DROP COLUMN IF EXISTS wait_reason,
    DROP COLUMN IF EXISTS last_error, DROP COLUMN IF EXISTS last_attempt_at;
ALTER TABLE identifications
    DROP COLUMN IF EXISTS waiting_since, DROP COLUMN IF EXISTS wait_reason,
    DROP COLUMN IF EXISTS last_error, DROP COLUMN IF EXISTS last_attempt_at;
ALTER TABLE fingerprint_work
    DROP COLUMN IF EXISTS waiting_since, DROP COLUMN IF EXISTS wait_reason,
    DROP COLUMN IF EXISTS last_error, DROP COLUMN IF EXISTS last_attempt_at;
ALTER TABLE listing_work
    DROP COLUMN IF EXISTS waiting_since, DROP COLUMN IF EXISTS wait_reason,
    DROP COLUMN IF EXISTS last_error, DROP COLUMN IF EXISTS last_attempt_at;
ALTER TABLE marketplace_polls
    DROP COLUMN IF EXISTS waiting_since, DROP COLUMN IF EXISTS wait_reason,
    DROP COLUMN IF EXISTS last_error, DROP COLUMN IF EXISTS last_attempt_at;
ALTER TABLE card_imports
    DROP COLUMN IF EXISTS waiting_since, DROP COLUMN IF EXISTS wait_reason,
    DROP COLUMN IF EXISTS last_error, DROP COLUMN IF EXISTS last_attempt_at;
ALTER TABLE job_work
    DROP COLUMN IF EXISTS waiting_since, DROP COLUMN IF EXISTS wait_reason,
    DROP COLUMN IF EXISTS last_error, DROP COLUMN IF EXISTS last_attempt_at;
ALTER TABLE account_deletions
    DROP COLUMN IF EXISTS waiting_since, DROP COLUMN IF EXISTS wait_reason,
    DROP COLUMN IF EXISTS last_error, DROP COLUMN IF EXISTS last_attempt_at;
ALTER TABLE account_exports
    DROP COLUMN IF EXISTS wait_reason, DROP COLUMN IF EXISTS last_error, DROP COLUMN IF EXISTS last_attempt_at;

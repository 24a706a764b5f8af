-- +goose NO TRANSACTION
-- +goose Up
-- The processes that lease rows. Each one sets seen_at every half second. A process that has set gone_at of another one
-- releases what that one has leased, then deletes the row. No row belongs to an account, so on a distributed database the
-- table stays local.
CREATE TABLE IF NOT EXISTS processes (
    id      bigint PRIMARY KEY,
    seen_at timestamptz NOT NULL, -- by the database's clock
    gone_at timestamptz           -- since when the process is considered dead, by the database's clock
) WITH (fillfactor = 50);

-- Finds the rows of a queue that a process has leased: the first 13 characters of a claim name its process. Building an
-- index concurrently waits for long transactions without blocking other writers, so it runs without lock_timeout. A
-- failed build leaves an invalid index, which the next attempt drops.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS photo_fetches_process;
CREATE INDEX CONCURRENTLY photo_fetches_process ON photo_fetches (left(claim_id, 13)) WHERE claim_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS identifications_process;
CREATE INDEX CONCURRENTLY identifications_process ON identifications (left(claim_id, 13)) WHERE claim_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS fingerprint_work_process;
CREATE INDEX CONCURRENTLY fingerprint_work_process ON fingerprint_work (left(claim_id, 13)) WHERE claim_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS listing_work_process;
CREATE INDEX CONCURRENTLY listing_work_process ON listing_work (left(claim_id, 13)) WHERE claim_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS marketplace_polls_process;
CREATE INDEX CONCURRENTLY marketplace_polls_process ON marketplace_polls (left(claim_id, 13)) WHERE claim_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS card_imports_process;
CREATE INDEX CONCURRENTLY card_imports_process ON card_imports (left(claim_id, 13)) WHERE claim_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS job_work_process;
CREATE INDEX CONCURRENTLY job_work_process ON job_work (left(claim_id, 13)) WHERE claim_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS account_deletions_process;
CREATE INDEX CONCURRENTLY account_deletions_process ON account_deletions (left(claim_id, 13)) WHERE claim_id IS NOT NULL;
SET lock_timeout = '2s';

-- +goose Down
DROP INDEX IF EXISTS photo_fetches_process;
DROP INDEX IF EXISTS identifications_process;
DROP INDEX IF EXISTS fingerprint_work_process;
DROP INDEX IF EXISTS listing_work_process;
DROP INDEX IF EXISTS marketplace_polls_process;
DROP INDEX IF EXISTS card_imports_process;
DROP INDEX IF EXISTS job_work_process;
DROP INDEX IF EXISTS account_deletions_process;
DROP TABLE IF EXISTS processes;

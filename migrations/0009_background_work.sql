-- +goose NO TRANSACTION
-- +goose Up
-- One mark for each account with rows in a queue. A poll finds due work with one index probe, independent of the number
-- of accounts. No row of the account is due before due_at. turn_at is the time of the account's next turn: due_at, or
-- the end of its last turn if further rows were due then. `changes` counts the writes, so that a claim detects rows
-- that were enqueued at the same time.
CREATE TABLE IF NOT EXISTS queue_accounts (
    account_id text COLLATE "C" NOT NULL,
    queue      text COLLATE "C" NOT NULL,
    due_at     timestamptz NOT NULL,
    turn_at    timestamptz NOT NULL,
    changes    bigint      NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, queue)
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
CREATE INDEX IF NOT EXISTS queue_accounts_turn ON queue_accounts (queue, turn_at);

-- Processes of the previous version still enqueue rows without marks. The audit of the workers finds these rows.
INSERT INTO queue_accounts (account_id, queue, due_at, turn_at)
SELECT account_id, 'photo_fetches', min(due_at), min(due_at) FROM photo_fetches GROUP BY account_id
UNION ALL
SELECT account_id, 'identifications', min(due_at), min(due_at) FROM identifications GROUP BY account_id
UNION ALL
SELECT account_id, 'listing_work', min(due_at), min(due_at) FROM listing_work GROUP BY account_id
UNION ALL
SELECT account_id, 'marketplace_polls', min(due_at), min(due_at) FROM marketplace_polls GROUP BY account_id
ON CONFLICT (account_id, queue) DO NOTHING;

-- The progress of the collection of orphaned photos, which visits one account after another: one row, leased until
-- due_at. after_account is the account that was visited last.
CREATE TABLE IF NOT EXISTS photo_collection (
    only_row      boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    after_account text COLLATE "C" NOT NULL,
    due_at        timestamptz NOT NULL
);
INSERT INTO photo_collection (after_account, due_at) VALUES ('', now()) ON CONFLICT (only_row) DO NOTHING;

-- Finds expired keys of all accounts in the order of their expiry. Building or dropping an index concurrently waits for
-- long transactions without blocking other writers, so it runs without lock_timeout.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS idempotency_keys_expiry;
CREATE INDEX CONCURRENTLY idempotency_keys_expiry ON idempotency_keys (due_at);
DROP INDEX CONCURRENTLY IF EXISTS idempotency_keys_due;
SET lock_timeout = '2s';

-- +goose Down
SET lock_timeout = 0;
CREATE INDEX CONCURRENTLY IF NOT EXISTS idempotency_keys_due ON idempotency_keys (account_id, due_at);
DROP INDEX CONCURRENTLY IF EXISTS idempotency_keys_expiry;
SET lock_timeout = '2s';
DROP TABLE IF EXISTS photo_collection, queue_accounts;

-- +goose NO TRANSACTION
-- +goose Up
-- The queue of sales polls: one row for each account and marketplace on which the account has published a card. The
-- next poll reads the sales from `through` on, which is a time of the marketplace's clock. It is null if there was no
-- poll since the first open listing.
CREATE TABLE IF NOT EXISTS marketplace_polls (
    account_id  text COLLATE "C" NOT NULL,
    marketplace text COLLATE "C" NOT NULL,
    through     timestamptz,
    due_at      timestamptz NOT NULL,
    claim_id    text,
    attempts    integer     NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, marketplace)
) WITH (fillfactor = 70);
CREATE INDEX IF NOT EXISTS marketplace_polls_due ON marketplace_polls (account_id, due_at);

-- Finds the oldest open listing on a marketplace among many ended ones. Building it concurrently waits for long
-- transactions without blocking other writers, so it runs without lock_timeout. A failed build leaves an invalid index,
-- which the next attempt drops.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS listings_open;
CREATE INDEX CONCURRENTLY listings_open ON listings (account_id, marketplace, created_at)
    WHERE status IN ('publishing', 'live', 'ending');
SET lock_timeout = '2s';

-- +goose Down
DROP INDEX listings_open;
DROP TABLE marketplace_polls;

-- +goose NO TRANSACTION
-- +goose Up
-- Where sales are learned from: a row for every account and marketplace that something was published
-- on. `through` is what the next question is to start from, by the marketplace's clock; null while
-- nothing was asked since the first listing under way.
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

-- The oldest listing under way on a marketplace, among many that are over. Building it concurrently waits
-- for long transactions, which holds up nobody, so without lock_timeout. One that a failure left is invalid.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS listings_open;
CREATE INDEX CONCURRENTLY listings_open ON listings (account_id, marketplace, created_at)
    WHERE status IN ('publishing', 'live', 'ending');
SET lock_timeout = '2s';

-- +goose Down
DROP INDEX listings_open;
DROP TABLE marketplace_polls;

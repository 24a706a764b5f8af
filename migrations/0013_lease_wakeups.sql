-- +goose NO TRANSACTION
-- +goose Up
-- Removes the index on leased_until, which made every claim of a delivery write three index entries. A wakeup now finds
-- the expired leases of claims, one wakeup for many claims of an endpoint, so a claim is a heap-only update. A delivery
-- that is created with a lease stores the end of this lease in handed_until. This column is written only once, so its
-- index does not slow down claims.
ALTER TABLE deliveries_pending ADD COLUMN IF NOT EXISTS handed_until timestamptz;
CREATE INDEX CONCURRENTLY IF NOT EXISTS deliveries_pending_handed ON deliveries_pending (handed_until) WHERE handed_until IS NOT NULL;

INSERT INTO endpoint_wakeups (account_id, endpoint_id, wake_at, due_from)
SELECT account_id, endpoint_id, max(leased_until), min(due_at) FROM deliveries_pending
WHERE leased_until IS NOT NULL GROUP BY account_id, endpoint_id;
DROP INDEX IF EXISTS deliveries_pending_leased;

-- +goose Down
CREATE INDEX CONCURRENTLY deliveries_pending_leased ON deliveries_pending (leased_until) WHERE leased_until IS NOT NULL;
UPDATE deliveries_pending SET leased_until = handed_until WHERE leased_until IS NULL AND handed_until IS NOT NULL;
DROP INDEX deliveries_pending_handed;
ALTER TABLE deliveries_pending DROP COLUMN handed_until;

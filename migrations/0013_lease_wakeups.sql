-- +goose NO TRANSACTION
-- +goose Up
-- An index on leased_until made every claim of a delivery write three index entries. The end of a claim's leases is
-- found by a wakeup now, one for many claims of an endpoint, so that a claim is a heap-only update. A delivery that is
-- made with a lease has it in a column of its own, which is written once, so that its index costs no claim anything.
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

-- +goose NO TRANSACTION
-- +goose Up
-- A wakeup is a time at which the engine looks at an endpoint's deliveries. A transaction that creates a delivery
-- without a lease also inserts a wakeup. A claim deletes the wakeups that it sees and inserts one for the deliveries
-- that it does not claim. A poll finds due deliveries with one index probe, independent of the number of endpoints. A
-- delivery that is created with a lease needs no wakeup. Rows are never updated, so no transaction waits for another.
CREATE TABLE IF NOT EXISTS endpoint_wakeups (
    account_id  text COLLATE "C" NOT NULL,
    endpoint_id text COLLATE "C" NOT NULL,
    wake_at     timestamptz NOT NULL, -- the time to look
    due_from    timestamptz NOT NULL  -- the earliest due_at of its deliveries
) WITH (
    autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_vacuum_threshold = 500,
    autovacuum_vacuum_insert_scale_factor = 0.2,
    autovacuum_analyze_scale_factor = 0.02,
    autovacuum_analyze_threshold = 500,
    autovacuum_vacuum_cost_delay = 0
);
CREATE INDEX IF NOT EXISTS endpoint_wakeups_at ON endpoint_wakeups (wake_at);
CREATE INDEX IF NOT EXISTS endpoint_wakeups_endpoint ON endpoint_wakeups (account_id, endpoint_id, wake_at);

INSERT INTO endpoint_wakeups (account_id, endpoint_id, wake_at, due_from)
SELECT account_id, endpoint_id, min(due_at), min(due_at) FROM deliveries_pending GROUP BY account_id, endpoint_id;

-- Finds expired leases.
DROP INDEX IF EXISTS deliveries_pending_leased;
CREATE INDEX CONCURRENTLY deliveries_pending_leased ON deliveries_pending (leased_until) WHERE leased_until IS NOT NULL;

-- +goose Down
DROP INDEX deliveries_pending_leased;
DROP TABLE endpoint_wakeups;

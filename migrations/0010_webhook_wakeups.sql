-- +goose NO TRANSACTION
-- +goose Up
-- When to look at an endpoint's deliveries. Whoever makes a delivery that nobody has a lease on inserts a row in
-- the same transaction; a claim deletes the rows that it sees and inserts one for what it leaves. So what is
-- due is found by one probe of an index, whatever the number of endpoints, and deliveries that are sent at
-- once never touch the table. No row is updated and no transaction waits for another's.
CREATE TABLE IF NOT EXISTS endpoint_wakeups (
    account_id  text COLLATE "C" NOT NULL,
    endpoint_id text COLLATE "C" NOT NULL,
    wake_at     timestamptz NOT NULL, -- when to look
    due_from    timestamptz NOT NULL  -- the earliest due_at of what the row stands for
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

-- Leases that have ended are found by this one.
DROP INDEX IF EXISTS deliveries_pending_leased;
CREATE INDEX CONCURRENTLY deliveries_pending_leased ON deliveries_pending (leased_until) WHERE leased_until IS NOT NULL;

-- +goose Down
DROP INDEX deliveries_pending_leased;
DROP TABLE endpoint_wakeups;

-- +goose NO TRANSACTION
-- +goose Up
-- Returns the sales of an order by its number, so that the report of a marketplace can be imported again. Building the
-- index concurrently waits for long transactions without blocking other writers, so it runs without lock_timeout.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS sales_order;
CREATE INDEX CONCURRENTLY sales_order ON sales (account_id, order_reference) WHERE order_reference IS NOT NULL;
SET lock_timeout = '2s';

-- +goose Down
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS sales_order;
SET lock_timeout = '2s';

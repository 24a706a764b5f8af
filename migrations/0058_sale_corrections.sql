-- +goose Up
-- The parts of refunds that are not of the price: refund_parts has an item for each of the first refunds, in their order.
-- It is a column of its own because processes of the version before write refunds without parts. refunded_tax and
-- refunded_fees are the sums for reports; refunded stays the sum of what buyers got back.
ALTER TABLE sales
    ADD COLUMN IF NOT EXISTS refund_parts  jsonb  NOT NULL DEFAULT '[]',
    ADD COLUMN IF NOT EXISTS refunded_tax  bigint NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS refunded_fees bigint NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS voided_at     timestamptz;

-- +goose Down
ALTER TABLE sales
    DROP COLUMN refund_parts,
    DROP COLUMN refunded_tax,
    DROP COLUMN refunded_fees,
    DROP COLUMN voided_at;

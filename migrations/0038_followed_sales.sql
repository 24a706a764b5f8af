-- +goose Up
-- When the account's last sale on the marketplace was recorded. Its orders are read for some time after that, for refunds
-- and cancellations, even if no listing is open.
ALTER TABLE marketplace_polls ADD COLUMN last_sale_at timestamptz;

-- +goose Down
ALTER TABLE marketplace_polls DROP COLUMN last_sale_at;

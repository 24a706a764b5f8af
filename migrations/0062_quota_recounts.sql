-- +goose Up
-- When the counters of the account were last compared with its cards, by the database's clock. Processes compare each
-- account about once a day, because processes of a version that counts nothing may have changed cards.
ALTER TABLE account_clock ADD COLUMN recounted_at timestamptz;

-- +goose Down
ALTER TABLE account_clock DROP COLUMN recounted_at;

-- +goose Up
-- The cards of done that already were as the job would have made them. Processes of the version before count none.
ALTER TABLE jobs ADD COLUMN unchanged integer NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE jobs DROP COLUMN unchanged;

-- +goose Up
-- A revision is a change of the title or the price of a live listing. title and price_amount hold the wanted values from
-- the request on.
ALTER TABLE listings
    ADD COLUMN revision_status  text NOT NULL DEFAULT 'none', -- none, pending, done or failed
    ADD COLUMN revision_code    text, -- why the marketplace refused it
    ADD COLUMN revision_message text;

-- +goose Down
ALTER TABLE listings DROP COLUMN revision_status, DROP COLUMN revision_code, DROP COLUMN revision_message;

-- +goose Up
-- Marketplaces limit how often a listing is revised in a day. revisions is the number on the day revised_on (UTC).
-- revision_delayed_until is set while a revision waits for the next day.
ALTER TABLE listings
    ADD COLUMN revised_on             date,
    ADD COLUMN revisions              integer NOT NULL DEFAULT 0,
    ADD COLUMN revision_delayed_until timestamptz;

-- +goose Down
ALTER TABLE listings DROP COLUMN revised_on, DROP COLUMN revisions, DROP COLUMN revision_delayed_until;

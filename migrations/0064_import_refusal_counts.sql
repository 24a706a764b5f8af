-- +goose Up
-- How many cards, photos and updates of the file each refused row would have been, so that an import reports what it has
-- done. Processes of the version before store 0.
ALTER TABLE card_import_refusals
    ADD COLUMN cards   integer NOT NULL DEFAULT 0,
    ADD COLUMN photos  integer NOT NULL DEFAULT 0,
    ADD COLUMN updates integer NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE card_import_refusals DROP COLUMN cards, DROP COLUMN photos, DROP COLUMN updates;

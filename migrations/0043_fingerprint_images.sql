-- +goose Up
-- The image file from which a fingerprint was computed. Both columns are NULL for an imported fingerprint.
ALTER TABLE catalog_fingerprints ADD COLUMN image_size bigint, ADD COLUMN image_modified timestamptz;

-- +goose Down
ALTER TABLE catalog_fingerprints DROP COLUMN image_size, DROP COLUMN image_modified;

-- +goose Up
-- The version of the catalogue. Each transaction that changes catalog_cards or catalog_fingerprints increments it, at its
-- end. Processes keep what they have read of the catalogue in memory until the version changes.
CREATE TABLE catalog_version (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    version  bigint NOT NULL
);
INSERT INTO catalog_version (version) VALUES (1);

-- +goose Down
DROP TABLE catalog_version;

-- +goose Up
-- The pictures that were uploaded to the marketplace for a listing that is publishing, by the photo's identifier:
-- {"pho_…": {"url": "…", "expires": "…"}}. Null in every other state.
ALTER TABLE listings ADD COLUMN pictures jsonb;

-- +goose Down
ALTER TABLE listings DROP COLUMN pictures;

-- +goose Up
-- The images that sellers uploaded to the picture service.
CREATE TABLE market.images (
    image_id     text COLLATE "C" PRIMARY KEY,
    seller       text COLLATE "C" NOT NULL,
    content_type text        NOT NULL,
    data         bytea       NOT NULL,
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    used         boolean     NOT NULL DEFAULT false -- by a listing; then it does not expire
);
CREATE INDEX market_images_created ON market.images (seller, created_at);
CREATE INDEX market_images_unused ON market.images (expires_at) WHERE NOT used;

-- +goose Down
DROP TABLE market.images;

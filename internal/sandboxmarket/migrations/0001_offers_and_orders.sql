-- +goose Up
-- The tables may exist already: migration 0033 of the service moved those with rows into this schema.

-- One row per SKU: its inventory item, its offer, and the state of its listing.
CREATE TABLE IF NOT EXISTS market.offers (
    sku          text COLLATE "C" PRIMARY KEY,
    seller       text COLLATE "C" NOT NULL,
    item         text        NOT NULL, -- the inventory item as received, JSON
    offer_id     text COLLATE "C" UNIQUE, -- null until there is an offer
    terms        text,                 -- the terms of the offer as received, JSON
    state        text        NOT NULL CHECK (state IN ('draft', 'live', 'sold', 'withdrawn', 'ended')),
    listing_id   text COLLATE "C" UNIQUE, -- of the newest listing; null until the offer is published
    created_at   timestamptz NOT NULL,
    updated_at   timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS market_offers_state ON market.offers (state, updated_at, sku);

-- One row per sale. An SKU is one copy of one card, so it sells once.
CREATE TABLE IF NOT EXISTS market.orders (
    order_id    text COLLATE "C" PRIMARY KEY,
    seller      text COLLATE "C" NOT NULL,
    sku         text COLLATE "C" NOT NULL UNIQUE,
    listing_id  text        NOT NULL,
    title       text        NOT NULL,
    buyer       text        NOT NULL,
    amount      bigint      NOT NULL,
    currency    text        NOT NULL,
    created_at  timestamptz NOT NULL,
    modified_at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS market_orders_modified ON market.orders (seller, modified_at, order_id);
CREATE INDEX IF NOT EXISTS market_orders_created ON market.orders (seller, created_at, order_id);

-- +goose Down
DROP TABLE market.orders;
DROP TABLE market.offers;

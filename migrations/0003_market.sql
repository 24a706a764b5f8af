-- +goose Up
-- The tables of the sandbox marketplace. They represent the system of another company, so they contain sellers and SKUs
-- but no accounts. Other packages do not read them, and they do not refer to other tables.

-- One row per SKU: its inventory item, its offer, and the state of its listing.
CREATE TABLE market_offers (
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
CREATE INDEX market_offers_state ON market_offers (state, updated_at, sku);

-- One row per sale. An SKU is one copy of one card, so it sells once.
CREATE TABLE market_orders (
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
CREATE INDEX market_orders_modified ON market_orders (seller, modified_at, order_id);
CREATE INDEX market_orders_created ON market_orders (seller, created_at, order_id);

-- +goose Down
DROP TABLE market_orders;
DROP TABLE market_offers;

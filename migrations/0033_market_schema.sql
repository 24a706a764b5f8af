-- +goose Up
-- The sandbox marketplace has a schema and migrations of its own (internal/sandboxmarket/migrations), so that a database
-- of production has none of its tables. If it was used in this database, its tables move into that schema with their
-- rows, and its first migration adopts them. Otherwise they are dropped.
-- +goose StatementBegin
DO $$
BEGIN
    LOCK TABLE market_offers, market_orders;
    IF EXISTS (SELECT FROM market_offers) OR EXISTS (SELECT FROM market_orders) THEN
        CREATE SCHEMA IF NOT EXISTS market;
        ALTER TABLE market_offers RENAME TO offers;
        ALTER TABLE market_orders RENAME TO orders;
        ALTER TABLE offers SET SCHEMA market;
        ALTER TABLE orders SET SCHEMA market;
    ELSE
        DROP TABLE market_offers, market_orders;
    END IF;
END
$$;
-- +goose StatementEnd

-- +goose Down
-- The tables come back without rows. Those of the schema market stay there.
CREATE TABLE market_offers (
    sku          text COLLATE "C" PRIMARY KEY,
    seller       text COLLATE "C" NOT NULL,
    item         text        NOT NULL,
    offer_id     text COLLATE "C" UNIQUE,
    terms        text,
    state        text        NOT NULL CHECK (state IN ('draft', 'live', 'sold', 'withdrawn', 'ended')),
    listing_id   text COLLATE "C" UNIQUE,
    created_at   timestamptz NOT NULL,
    updated_at   timestamptz NOT NULL
);
CREATE INDEX market_offers_state ON market_offers (state, updated_at, sku);

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

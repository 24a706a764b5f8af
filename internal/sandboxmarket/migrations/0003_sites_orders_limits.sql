-- +goose Up
ALTER TABLE market.offers
    ADD COLUMN marketplace text NOT NULL DEFAULT 'EBAY_US',
    ADD COLUMN revised_on  text NOT NULL DEFAULT '', -- the day, UTC, of the last revision of a live listing
    ADD COLUMN revisions   integer NOT NULL DEFAULT 0; -- on that day

ALTER TABLE market.orders
    ADD COLUMN marketplace  text   NOT NULL DEFAULT 'EBAY_US',
    ADD COLUMN delivery     bigint NOT NULL DEFAULT 0, -- what the buyer paid for delivery
    ADD COLUMN fee          bigint NOT NULL DEFAULT 0, -- of the marketplace, which the seller pays
    ADD COLUMN refunds      text   NOT NULL DEFAULT '[]', -- JSON, oldest first
    ADD COLUMN refunded     bigint NOT NULL DEFAULT 0, -- their sum
    ADD COLUMN cancelled_at timestamptz;

-- Calls of the API by seller, or by application if it calls for itself, and day, UTC.
CREATE TABLE market.calls (
    caller text COLLATE "C" NOT NULL,
    day    text   NOT NULL,
    calls  bigint NOT NULL,
    PRIMARY KEY (caller, day)
);

-- +goose Down
DROP TABLE market.calls;
ALTER TABLE market.orders DROP COLUMN marketplace, DROP COLUMN delivery, DROP COLUMN fee, DROP COLUMN refunds,
    DROP COLUMN refunded, DROP COLUMN cancelled_at;
ALTER TABLE market.offers DROP COLUMN marketplace, DROP COLUMN revised_on, DROP COLUMN revisions;

-- +goose NO TRANSACTION
-- +goose Up
-- The sales of cards. Amounts are in minor units of `currency`, except the cost. fee_total and refunded are the sums of
-- fees and refunds, for reports.
CREATE TABLE IF NOT EXISTS sales (
    account_id       text COLLATE "C" NOT NULL,
    id               text COLLATE "C" NOT NULL,
    card_id          text COLLATE "C" NOT NULL,
    listing_id       text COLLATE "C",
    channel          text        NOT NULL,
    order_reference  text,
    sold_at          timestamptz NOT NULL,
    currency         text        NOT NULL,
    gross            bigint      NOT NULL,
    shipping_charged bigint      NOT NULL DEFAULT 0,
    shipping_cost    bigint      NOT NULL DEFAULT 0,
    tax              bigint      NOT NULL DEFAULT 0,
    fees             jsonb       NOT NULL DEFAULT '[]',
    fee_total        bigint      NOT NULL DEFAULT 0,
    cost_amount      bigint,
    cost_currency    text,
    card_title       text,
    card_set         text,
    card_number      text,
    buyer_reference  text,
    status           text        NOT NULL,
    refunds          jsonb       NOT NULL DEFAULT '[]',
    refunded         bigint      NOT NULL DEFAULT 0,
    restocked_at     timestamptz,
    shipped_at       timestamptz,
    carrier          text,
    tracking_number  text,
    version          bigint      NOT NULL,
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL,
    PRIMARY KEY (account_id, id)
) WITH (fillfactor = 85);
CREATE INDEX IF NOT EXISTS sales_sold ON sales (account_id, sold_at, id);
CREATE INDEX IF NOT EXISTS sales_updated ON sales (account_id, updated_at, id);
CREATE INDEX IF NOT EXISTS sales_card ON sales (account_id, card_id, sold_at, id);
-- A listing is sold once.
CREATE UNIQUE INDEX IF NOT EXISTS sales_listing ON sales (account_id, listing_id) WHERE listing_id IS NOT NULL;
-- The sale by which a card is sold.
ALTER TABLE cards ADD COLUMN IF NOT EXISTS sale_id text COLLATE "C";

-- A sale for each listing that was sold before. Each account's listings are read in the order of their key, 5,000 at a
-- time, and each step commits. The sale has the unique part of the listing's identifier, so a step that is repeated
-- after a failure makes no second sale.
-- +goose StatementBegin
DO $$
DECLARE
    account text;
    after   text;
    upto    text;
BEGIN
    FOR account IN SELECT id FROM accounts ORDER BY id LOOP
        after := '';
        LOOP
            SELECT max(id) INTO upto FROM (
                SELECT id FROM listings WHERE account_id = account AND id > after ORDER BY id LIMIT 5000
            ) AS step;
            EXIT WHEN upto IS NULL;
            INSERT INTO sales (account_id, id, card_id, listing_id, channel, order_reference, sold_at, currency, gross,
                cost_amount, cost_currency, card_title, card_set, card_number, buyer_reference, status, version,
                created_at, updated_at)
            SELECT l.account_id, 'sale_' || substr(l.id, 5), l.card_id, l.id, l.marketplace, l.buyer_reference, l.sold_at,
                l.sold_currency, l.sold_amount, c.cost_amount, c.cost_currency, coalesce(c.title, l.title), c.set,
                c.number, l.buyer_reference, 'completed', 1, l.updated_at, l.updated_at
            FROM listings l LEFT JOIN cards c ON c.account_id = l.account_id AND c.id = l.card_id
            WHERE l.account_id = account AND l.id > after AND l.id <= upto AND l.status = 'sold'
              AND l.sold_at IS NOT NULL AND l.sold_amount IS NOT NULL
            ON CONFLICT DO NOTHING;
            UPDATE cards c SET sale_id = s.id
            FROM sales s
            WHERE c.account_id = account AND s.account_id = account AND s.listing_id > after AND s.listing_id <= upto
              AND c.id = s.card_id AND c.listing_id = s.listing_id AND c.listing_status = 'sold' AND c.sale_id IS NULL;
            COMMIT;
            after := upto;
        END LOOP;
    END LOOP;
END $$;
-- +goose StatementEnd

-- +goose Down
ALTER TABLE cards DROP COLUMN sale_id;
DROP TABLE sales;

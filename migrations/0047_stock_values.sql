-- +goose Up
-- What the stock of each account was worth at the end of each day, in minor units: one row for each currency in which
-- a card has an asking price or a cost, and one whose currency is '' with the number of all cards. Days are those of the
-- account's time zone. A day without rows was not recorded; a currency without a row on a recorded day had no cards.
CREATE TABLE stock_values (
    account_id text COLLATE "C" NOT NULL,
    day        date NOT NULL,
    currency   text COLLATE "C" NOT NULL,
    cards      bigint NOT NULL,
    asking     bigint NOT NULL,
    cost       bigint NOT NULL,
    change     bigint NOT NULL, -- account_clock.change when the cards were read
    PRIMARY KEY (account_id, day, currency)
);

-- How far the accounts have been recorded.
CREATE TABLE stock_recording (
    only_row      boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    after_account text COLLATE "C" NOT NULL,
    due_at        timestamptz NOT NULL
);
INSERT INTO stock_recording (after_account, due_at) VALUES ('', now());

-- +goose Down
DROP TABLE stock_values, stock_recording;

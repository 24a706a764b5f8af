-- +goose Up
-- How many calls to a marketplace's API each account has made on a day (UTC).
CREATE TABLE marketplace_calls (
    account_id  text COLLATE "C" NOT NULL,
    marketplace text NOT NULL,
    day         date NOT NULL,
    calls       bigint NOT NULL,
    PRIMARY KEY (account_id, marketplace, day)
);

-- +goose Down
DROP TABLE marketplace_calls;

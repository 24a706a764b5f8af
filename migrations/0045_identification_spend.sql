-- +goose Up
-- How many calls to remote identification providers each account has made on a day (UTC), and what they cost, in
-- millionths of a US dollar. The row whose provider is '' has the sum of the day, which the budget limits.
CREATE TABLE identification_spend (
    account_id text COLLATE "C" NOT NULL,
    day        date NOT NULL,
    provider   text NOT NULL,
    calls      bigint NOT NULL,
    micros     bigint NOT NULL,
    PRIMARY KEY (account_id, day, provider)
);

-- +goose Down
DROP TABLE identification_spend;

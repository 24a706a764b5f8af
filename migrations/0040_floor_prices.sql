-- +goose Up
-- The lowest asking price that a card may have, and the settings that an account's owner may change. An account without
-- a setting has that of the operator.
ALTER TABLE cards
    ADD COLUMN floor_amount   bigint,
    ADD COLUMN floor_currency text;
ALTER TABLE accounts ADD COLUMN preferences jsonb NOT NULL DEFAULT '{}';

-- +goose Down
ALTER TABLE cards DROP COLUMN floor_amount, DROP COLUMN floor_currency;
ALTER TABLE accounts DROP COLUMN preferences;

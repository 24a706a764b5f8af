-- +goose Up
-- What an account has, counted with each change of its cards: in the row that the change locks anyway. counted_to is
-- the last card that is counted: processes count the cards of existing accounts in the background, in the order of
-- identifiers, and changes of cards after it are not counted yet. A tilde is after all identifiers.
--
-- quotas are the account's own, such as cards=5000; kinds that are left out have the operator's.
ALTER TABLE account_clock
    ADD COLUMN cards       bigint NOT NULL DEFAULT 0,
    ADD COLUMN card_bytes  bigint NOT NULL DEFAULT 0,
    ADD COLUMN photos      bigint NOT NULL DEFAULT 0,
    ADD COLUMN photo_bytes bigint NOT NULL DEFAULT 0,
    ADD COLUMN counted_to  text COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN quotas      text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE account_clock DROP COLUMN cards, DROP COLUMN card_bytes, DROP COLUMN photos, DROP COLUMN photo_bytes,
    DROP COLUMN counted_to, DROP COLUMN quotas;

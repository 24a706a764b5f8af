-- +goose Up
-- A link with an account is an invitation: its user joins the account with the role. The columns are null for links
-- that only set a password.
ALTER TABLE user_links
    ADD COLUMN account_id text COLLATE "C",
    ADD COLUMN role       text;

-- +goose Down
DELETE FROM user_links WHERE account_id IS NOT NULL;
ALTER TABLE user_links DROP COLUMN account_id, DROP COLUMN role;

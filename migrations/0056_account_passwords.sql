-- +goose Up
-- The password by which a user opens one account only: its argon2id hash, '' if only a log-in at the identity provider
-- opens the account. Null means the user's own password in users, as for all memberships from before.
ALTER TABLE memberships ADD COLUMN account_password text;

-- A link that resets a password: that of the user's account, or of all accounts if account_id is null. Other links with an
-- account are invitations, and those without one are from the version before.
ALTER TABLE user_links ADD COLUMN resets boolean NOT NULL DEFAULT false;

-- Whose session it is, and what the log-in proved. Null for sessions without a user and for those from before.
ALTER TABLE user_sessions
    ADD COLUMN user_id    text COLLATE "C",
    ADD COLUMN proof      text[],
    ADD COLUMN created_at timestamptz NOT NULL DEFAULT now();

-- +goose Down
-- The version before would open these accounts by the password of another account.
DELETE FROM memberships WHERE account_password IS NOT NULL;
DELETE FROM user_links WHERE resets AND account_id IS NOT NULL;
ALTER TABLE memberships DROP COLUMN account_password;
ALTER TABLE user_links DROP COLUMN resets;
ALTER TABLE user_sessions DROP COLUMN user_id, DROP COLUMN proof, DROP COLUMN created_at;

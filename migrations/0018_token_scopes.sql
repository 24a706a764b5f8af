-- +goose Up
-- What a token may do: scopes separated by commas. Earlier tokens, and those that processes of the version before
-- create, may read and write.
ALTER TABLE tokens ADD COLUMN scopes text NOT NULL DEFAULT 'read,write';

-- +goose Down
ALTER TABLE tokens DROP COLUMN scopes;

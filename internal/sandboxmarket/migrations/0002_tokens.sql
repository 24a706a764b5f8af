-- +goose Up
-- One row per consent of a seller to an application, and per token of an application for itself. Codes and tokens are
-- stored as SHA-256.
CREATE TABLE market.grants (
    grant_id           text COLLATE "C" PRIMARY KEY,
    client_id          text        NOT NULL,
    seller             text COLLATE "C" NOT NULL, -- '' for a token of an application for itself
    scopes             text        NOT NULL, -- separated by spaces
    redirect_uri       text        NOT NULL,
    code_hash          bytea UNIQUE,         -- null when the code was exchanged
    code_expires_at    timestamptz,
    refresh_hash       bytea UNIQUE,
    refresh_expires_at timestamptz,
    revoked_at         timestamptz,
    created_at         timestamptz NOT NULL
);
CREATE INDEX market_grants_seller ON market.grants (seller);

CREATE TABLE market.access_tokens (
    token_hash bytea PRIMARY KEY,
    grant_id   text COLLATE "C" NOT NULL REFERENCES market.grants ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
);
CREATE INDEX market_access_tokens_grant ON market.access_tokens (grant_id);

-- +goose Down
DROP TABLE market.access_tokens;
DROP TABLE market.grants;

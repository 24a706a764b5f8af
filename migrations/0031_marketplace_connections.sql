-- +goose Up
-- An account's connection to a marketplace. Its tokens are encrypted with the service's secret key; they are null unless
-- the state is connected. A process that refreshes the access token holds refresh_claim until refresh_until.
CREATE TABLE marketplace_connections (
    account_id            text COLLATE "C" NOT NULL,
    marketplace           text COLLATE "C" NOT NULL,
    state                 text        NOT NULL CHECK (state IN ('connected', 'revoked', 'disconnected')),
    site                  text        NOT NULL, -- as the marketplace names it, such as EBAY_US
    refresh_token         bytea,
    refresh_key_id        text,
    refresh_expires_at    timestamptz,
    access_token          bytea,
    access_key_id         text,
    access_expires_at     timestamptz,
    refresh_claim         text,
    refresh_until         timestamptz,
    location_key          text        NOT NULL DEFAULT '', -- '' until it is chosen, like the policies
    fulfillment_policy_id text        NOT NULL DEFAULT '',
    payment_policy_id     text        NOT NULL DEFAULT '',
    return_policy_id      text        NOT NULL DEFAULT '',
    actor_type            text        NOT NULL, -- who connected the account
    actor_id              text        NOT NULL,
    connected_at          timestamptz NOT NULL,
    ended_at              timestamptz, -- when it was revoked or disconnected
    PRIMARY KEY (account_id, marketplace),
    CHECK ((state = 'connected') = (refresh_token IS NOT NULL)),
    CHECK ((state = 'connected') = (access_token IS NOT NULL)),
    CHECK ((state = 'connected') = (ended_at IS NULL))
);

-- A connection that someone began and did not complete. A new one replaces that of the same person.
CREATE TABLE marketplace_consents (
    account_id  text COLLATE "C" NOT NULL,
    marketplace text COLLATE "C" NOT NULL,
    actor_type  text COLLATE "C" NOT NULL,
    actor_id    text COLLATE "C" NOT NULL,
    state_hash  bytea       NOT NULL, -- SHA-256 of the state that the marketplace returns with its answer
    site        text        NOT NULL,
    expires_at  timestamptz NOT NULL,
    PRIMARY KEY (account_id, marketplace, actor_type, actor_id)
);

-- +goose Down
DROP TABLE marketplace_consents;
DROP TABLE marketplace_connections;

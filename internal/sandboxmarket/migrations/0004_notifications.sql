-- +goose Up
-- The keys that sign notifications. The marketplace creates one when it first needs it.
CREATE TABLE market.signing_keys (
    key_id      text COLLATE "C" PRIMARY KEY,
    private_key bytea       NOT NULL, -- PKCS #8
    created_at  timestamptz NOT NULL
);

-- Per application: the address for alerts, and where notifications are sent.
CREATE TABLE market.configs (
    client_id   text COLLATE "C" PRIMARY KEY,
    alert_email text NOT NULL
);

CREATE TABLE market.destinations (
    destination_id     text COLLATE "C" PRIMARY KEY,
    client_id          text COLLATE "C" NOT NULL,
    name               text NOT NULL,
    status             text NOT NULL,
    endpoint           text NOT NULL,
    verification_token text NOT NULL,
    UNIQUE (client_id, endpoint)
);

CREATE TABLE market.subscriptions (
    subscription_id text COLLATE "C" PRIMARY KEY,
    client_id       text COLLATE "C" NOT NULL,
    seller          text COLLATE "C" NOT NULL,
    topic           text        NOT NULL,
    status          text        NOT NULL,
    destination_id  text COLLATE "C" NOT NULL REFERENCES market.destinations,
    created_at      timestamptz NOT NULL,
    UNIQUE (seller, client_id, topic)
);

-- Notifications that are not delivered yet.
CREATE TABLE market.notifications (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    notification_id text        NOT NULL,
    subscription_id text COLLATE "C" NOT NULL REFERENCES market.subscriptions ON DELETE CASCADE,
    order_id        text        NOT NULL,
    event_at        timestamptz NOT NULL,
    attempts        integer     NOT NULL DEFAULT 0,
    due_at          timestamptz NOT NULL
);
CREATE INDEX market_notifications_due ON market.notifications (due_at, id);

-- +goose Down
DROP TABLE market.notifications;
DROP TABLE market.subscriptions;
DROP TABLE market.destinations;
DROP TABLE market.configs;
DROP TABLE market.signing_keys;

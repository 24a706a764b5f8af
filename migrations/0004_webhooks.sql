-- +goose Up
-- Webhook endpoints, deliveries and their attempts.

-- A deleted endpoint remains as a row without secrets, because its past deliveries are still shown.
CREATE TABLE webhook_endpoints (
    account_id          text COLLATE "C" NOT NULL,
    id                  text COLLATE "C" NOT NULL,
    url                 text        NOT NULL,
    events              text[]      NOT NULL, -- empty: all kinds
    enabled             boolean     NOT NULL,
    secret              bytea       NOT NULL,
    secret_key_id       text        NOT NULL,
    previous_secret     bytea,
    previous_key_id     text,
    previous_expires_at timestamptz,
    created_at          timestamptz NOT NULL,
    updated_at          timestamptz NOT NULL,
    deleted_at          timestamptz,
    PRIMARY KEY (account_id, id)
);

-- Only unfinished deliveries, so that the table that the engine reads and updates stays small. No index contains
-- leased_until or claim_id, so a claim is a heap-only update if the page has room. `event` and `body` are null unless
-- the event may be deleted before the delivery ends.
CREATE TABLE deliveries_pending (
    account_id       text COLLATE "C" NOT NULL,
    id               text COLLATE "C" NOT NULL,
    endpoint_id      text COLLATE "C" NOT NULL,
    event_id         text COLLATE "C" NOT NULL,
    event_created_at timestamptz NOT NULL,
    due_at           timestamptz NOT NULL,
    leased_until     timestamptz,
    claim_id         bigint,
    attempts         integer     NOT NULL DEFAULT 0,
    last_status      integer,
    last_error       text,
    event            text,
    body             text,
    PRIMARY KEY (account_id, id)
) WITH (
    fillfactor = 60,
    autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_vacuum_threshold = 500,
    autovacuum_vacuum_insert_scale_factor = 0.2,
    autovacuum_analyze_scale_factor = 0.02,
    autovacuum_analyze_threshold = 500,
    autovacuum_vacuum_cost_delay = 0
);
CREATE INDEX deliveries_pending_due ON deliveries_pending (account_id, endpoint_id, due_at);

-- Each partition holds one day. The identifiers of an endpoint's deliveries sort by time.
CREATE TABLE deliveries_delivered (
    account_id       text COLLATE "C" NOT NULL,
    id               text COLLATE "C" NOT NULL,
    endpoint_id      text COLLATE "C" NOT NULL,
    event_id         text COLLATE "C" NOT NULL,
    event_created_at timestamptz NOT NULL,
    delivered_at     timestamptz NOT NULL,
    attempts         integer     NOT NULL,
    last_status      integer
) PARTITION BY RANGE (delivered_at);
CREATE TABLE deliveries_delivered_default PARTITION OF deliveries_delivered DEFAULT;
CREATE INDEX deliveries_delivered_endpoint ON deliveries_delivered (account_id, endpoint_id, id);

-- Dropped deliveries are kept longer than their events, so they contain the event.
CREATE TABLE deliveries_dropped (
    account_id       text COLLATE "C" NOT NULL,
    id               text COLLATE "C" NOT NULL,
    endpoint_id      text COLLATE "C" NOT NULL,
    event_id         text COLLATE "C" NOT NULL,
    event_created_at timestamptz NOT NULL,
    event            text        NOT NULL,
    body             text        NOT NULL,
    dropped_at       timestamptz NOT NULL,
    attempts         integer     NOT NULL,
    last_status      integer,
    last_error       text        NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE INDEX deliveries_dropped_at ON deliveries_dropped (account_id, dropped_at, id);

CREATE TABLE delivery_attempts (
    account_id      text COLLATE "C" NOT NULL,
    delivery_id     text COLLATE "C" NOT NULL,
    started_at      timestamptz NOT NULL,
    attempt         integer     NOT NULL,
    duration_micros bigint      NOT NULL,
    status          integer,
    class           text        NOT NULL, -- '' means success
    answer          bytea       NOT NULL
) PARTITION BY RANGE (started_at);
CREATE TABLE delivery_attempts_default PARTITION OF delivery_attempts DEFAULT;
CREATE INDEX delivery_attempts_delivery ON delivery_attempts (account_id, delivery_id, started_at);

-- +goose Down
DROP TABLE delivery_attempts, deliveries_dropped, deliveries_delivered, deliveries_pending, webhook_endpoints;

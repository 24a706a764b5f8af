-- +goose Up
-- Webhook endpoints, deliveries and their attempts.

-- A deleted endpoint stays as a row without secrets, so that its past deliveries can be shown.
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

-- Unfinished deliveries only, so that the table the engine works on stays small. A claim writes
-- leased_until and claim_id, which no index holds, so that it is a heap-only update where the page
-- has room. `event` and `body` are null unless the event itself may
-- be gone before the delivery is done.
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

-- A partition holds a day. Within an endpoint the identifiers sort by time.
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

-- Dropped deliveries outlive their events, so they keep what was to be sent.
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
    class           text        NOT NULL, -- '' is success
    answer          bytea       NOT NULL
) PARTITION BY RANGE (started_at);
CREATE TABLE delivery_attempts_default PARTITION OF delivery_attempts DEFAULT;
CREATE INDEX delivery_attempts_delivery ON delivery_attempts (account_id, delivery_id, started_at);

-- +goose Down
DROP TABLE delivery_attempts, deliveries_dropped, deliveries_delivered, deliveries_pending, webhook_endpoints;

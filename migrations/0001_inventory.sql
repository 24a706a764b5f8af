-- +goose Up
-- The tables of accounts, tokens, batches, cards, listings and events. Except in accounts and token_hashes, account_id
-- is the first column of every key. The service supplies all identifiers and times. There are no triggers.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

CREATE TABLE accounts (
    id         text COLLATE "C" PRIMARY KEY,
    name       text        NOT NULL,
    sandbox    boolean     NOT NULL,
    created_at timestamptz NOT NULL
);

-- One row per account. Each write transaction of the account locks the row first and holds it until it commits, so the
-- account's commits are in order. `change` counts the writes. `endpoints` is the number of webhook endpoints: if it is
-- 0, a write does not read them.
CREATE TABLE account_clock (
    account_id text COLLATE "C" PRIMARY KEY,
    last_at    timestamptz NOT NULL,
    change     bigint      NOT NULL,
    endpoints  integer     NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

CREATE TABLE tokens (
    account_id   text COLLATE "C" NOT NULL,
    id           text COLLATE "C" NOT NULL,
    name         text        NOT NULL,
    last_four    text        NOT NULL,
    limits       text        NOT NULL DEFAULT '',
    created_at   timestamptz NOT NULL,
    last_used_at timestamptz,
    revoked_at   timestamptz,
    PRIMARY KEY (account_id, id)
);

-- Finds a token by the SHA-256 of the secret in a request. The table is small.
CREATE TABLE token_hashes (
    hash       bytea PRIMARY KEY,
    account_id text COLLATE "C" NOT NULL,
    token_id   text COLLATE "C" NOT NULL
);

CREATE TABLE batches (
    account_id   text COLLATE "C" NOT NULL,
    id           text COLLATE "C" NOT NULL,
    name         text        NOT NULL,
    description  text,
    status       text        NOT NULL,
    card_count   integer     NOT NULL,
    completed_at timestamptz,
    version      bigint      NOT NULL,
    created_at   timestamptz NOT NULL,
    updated_at   timestamptz NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE INDEX batches_created ON batches (account_id, created_at, id);
CREATE INDEX batches_updated ON batches (account_id, updated_at, id);

CREATE TABLE cards (
    account_id        text COLLATE "C" NOT NULL,
    id                text COLLATE "C" NOT NULL,
    workflow_status   text        NOT NULL,
    title             text,
    set               text,
    number            text,
    identification_status text    NOT NULL,
    source            text,
    provider          text,
    confidence        double precision,
    identified_at     timestamptz,
    catalog_id        text,
    game              text,
    year              integer,
    variant           text,
    language          text,
    condition         text,
    grade_company     text,
    grade_value       text,
    grade_cert_number text,
    asking_amount     bigint,
    asking_currency   text,
    cost_amount       bigint,
    cost_currency     text,
    priced_at         timestamptz,
    ever_priced       boolean     NOT NULL,
    location          text COLLATE "C",
    batch_id          text COLLATE "C",
    listing_id        text COLLATE "C",
    listing_status    text,
    archived          boolean     NOT NULL,
    auto_identify     boolean     NOT NULL,
    photos            jsonb       NOT NULL,
    sku               text,
    notes             text,
    version           bigint      NOT NULL,
    created_at        timestamptz NOT NULL,
    updated_at        timestamptz NOT NULL,
    PRIMARY KEY (account_id, id)
) WITH (fillfactor = 85);
CREATE INDEX cards_created ON cards (account_id, created_at, id);
CREATE INDEX cards_updated ON cards (account_id, updated_at, id);
CREATE INDEX cards_status ON cards (account_id, workflow_status, created_at, id);
CREATE INDEX cards_batch ON cards (account_id, batch_id, created_at, id) WHERE batch_id IS NOT NULL;
CREATE INDEX cards_location ON cards (account_id, location) WHERE location IS NOT NULL;
CREATE INDEX cards_set ON cards (account_id, set, created_at, id) WHERE set IS NOT NULL;
CREATE INDEX cards_sku ON cards (account_id, sku) WHERE sku IS NOT NULL;
CREATE INDEX cards_title ON cards USING gin (account_id, lower(title) gin_trgm_ops);

-- Each row of a queue table is a job. A worker can claim it from due_at on. A claim sets claim_id and moves due_at to
-- the end of its lease. The transaction that stores the result of the job deletes the row.
CREATE TABLE photo_fetches (
    account_id text COLLATE "C" NOT NULL,
    photo_id   text COLLATE "C" NOT NULL,
    card_id    text COLLATE "C" NOT NULL,
    url        text        NOT NULL,
    due_at     timestamptz NOT NULL,
    claim_id   text,
    attempts   integer     NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, photo_id)
) WITH (fillfactor = 70);
CREATE INDEX photo_fetches_due ON photo_fetches (account_id, due_at);

CREATE TABLE identifications (
    account_id text COLLATE "C" NOT NULL,
    card_id    text COLLATE "C" NOT NULL,
    due_at     timestamptz NOT NULL,
    claim_id   text,
    attempts   integer     NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, card_id)
) WITH (fillfactor = 70);
CREATE INDEX identifications_due ON identifications (account_id, due_at);

CREATE TABLE listings (
    account_id      text COLLATE "C" NOT NULL,
    id              text COLLATE "C" NOT NULL,
    card_id         text COLLATE "C" NOT NULL,
    marketplace     text        NOT NULL,
    status          text        NOT NULL,
    title           text        NOT NULL,
    price_amount    bigint      NOT NULL,
    price_currency  text        NOT NULL,
    external_id     text,
    url             text,
    failure_code    text,
    failure_message text,
    sold_amount     bigint,
    sold_currency   text,
    buyer_reference text,
    end_reason      text,
    published_at    timestamptz,
    sold_at         timestamptz,
    ended_at        timestamptz,
    version         bigint      NOT NULL,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    PRIMARY KEY (account_id, id)
) WITH (fillfactor = 85);
CREATE INDEX listings_created ON listings (account_id, created_at, id);
CREATE INDEX listings_updated ON listings (account_id, updated_at, id);
CREATE INDEX listings_card ON listings (account_id, card_id, created_at, id);
-- A card has at most one open listing.
CREATE UNIQUE INDEX listings_under_way ON listings (account_id, card_id)
    WHERE status IN ('publishing', 'live', 'ending');

-- The queue of listings that need a call to their marketplace.
CREATE TABLE listing_work (
    account_id text COLLATE "C" NOT NULL,
    listing_id text COLLATE "C" NOT NULL,
    due_at     timestamptz NOT NULL,
    claim_id   text,
    attempts   integer     NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, listing_id)
) WITH (fillfactor = 70);
CREATE INDEX listing_work_due ON listing_work (account_id, due_at);

-- Events; body is the JSON that the service sends. Each partition holds one day. The service creates partitions in
-- advance and drops them after 30 days. The default partition takes events whose time is far ahead.
CREATE TABLE events (
    account_id text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    id         text COLLATE "C" NOT NULL,
    event      text        NOT NULL,
    body       text        NOT NULL,
    PRIMARY KEY (account_id, created_at, id)
) PARTITION BY RANGE (created_at);
CREATE TABLE events_default PARTITION OF events DEFAULT;

-- The responses to POST requests with an Idempotency-Key, for requests that are repeated with the same key.
CREATE TABLE idempotency_keys (
    account_id   text COLLATE "C" NOT NULL,
    token_id     text COLLATE "C" NOT NULL,
    key          text COLLATE "C" NOT NULL,
    request_hash bytea       NOT NULL,
    claim_id     text,
    status       integer,
    content_type text,
    headers      jsonb,
    body         bytea,
    due_at       timestamptz NOT NULL,
    PRIMARY KEY (account_id, token_id, key)
);
CREATE INDEX idempotency_keys_due ON idempotency_keys (account_id, due_at);

-- +goose Down
DROP TABLE idempotency_keys, events, listing_work, listings, identifications, photo_fetches, cards, batches,
    token_hashes, tokens, account_clock, accounts;

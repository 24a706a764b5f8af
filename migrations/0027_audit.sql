-- +goose Up
-- What was changed in an account besides its cards: settings, users, tokens and webhooks, and by whom. A partition
-- holds a month; the program creates them ahead of time and drops them after two years. No entry holds a secret.
CREATE TABLE audit_log (
    account_id text COLLATE "C" NOT NULL,
    at         timestamptz NOT NULL,
    id         text COLLATE "C" NOT NULL,
    kind       text        NOT NULL,
    actor_type text        NOT NULL,
    actor_id   text        NOT NULL,
    subject    text        NOT NULL, -- as a reader knows it: the name of a token, the address of a webhook
    detail     text        NOT NULL, -- '' if the kind says it all
    PRIMARY KEY (account_id, at, id)
) PARTITION BY RANGE (at);
CREATE TABLE audit_log_default PARTITION OF audit_log DEFAULT;

-- +goose Down
DROP TABLE audit_log;

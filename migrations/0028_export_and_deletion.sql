-- +goose Up
-- The exports of accounts: archives with everything that an account has. Times are those of the database's clock.
CREATE TABLE account_exports (
    account_id  text COLLATE "C" NOT NULL,
    id          text COLLATE "C" NOT NULL,
    status      text        NOT NULL, -- queued, running, ready or failed
    part        text        NOT NULL, -- the file of the archive that is written at the moment
    written     bigint      NOT NULL, -- objects and photos
    size        bigint      NOT NULL, -- bytes of the archive
    attempts    integer     NOT NULL,
    due_at      timestamptz, -- when a worker may claim it, which moves it to the end of a lease; null once it is finished
    claim_id    text,
    created_at  timestamptz NOT NULL,
    finished_at timestamptz,
    expires_at  timestamptz, -- when the archive and the row are deleted; null until it is finished
    PRIMARY KEY (account_id, id)
);
-- An account has at most one unfinished export.
CREATE UNIQUE INDEX account_exports_unfinished ON account_exports (account_id) WHERE due_at IS NOT NULL;
CREATE INDEX account_exports_due ON account_exports (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX account_exports_expired ON account_exports (expires_at) WHERE expires_at IS NOT NULL;

-- When the account is deleted, by the database's clock; null unless its deletion was asked for.
ALTER TABLE accounts ADD COLUMN delete_at timestamptz;

-- The queue of deletions of accounts. Each row is due when the account is deleted.
CREATE TABLE account_deletions (
    account_id  text COLLATE "C" NOT NULL,
    deletion_id text COLLATE "C" NOT NULL, -- the account's identifier
    due_at      timestamptz NOT NULL,
    claim_id    text,
    attempts    integer     NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, deletion_id)
) WITH (fillfactor = 70);
CREATE INDEX account_deletions_due ON account_deletions (account_id, due_at);

-- +goose Down
DROP TABLE account_deletions;
ALTER TABLE accounts DROP COLUMN delete_at;
DROP TABLE account_exports;

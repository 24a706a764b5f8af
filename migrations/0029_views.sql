-- +goose Up
-- Views of the cards that users have named: filters, order and columns, as the query of the page's address. They belong
-- to the account, at most 50.
CREATE TABLE views (
    account_id text COLLATE "C" NOT NULL,
    id         text COLLATE "C" NOT NULL,
    name       text        NOT NULL,
    query      text        NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX views_name ON views (account_id, name);

-- +goose Down
DROP TABLE views;

-- +goose Up
-- The people who use the dashboard. Like token_hashes, users, user_links and user_sessions belong to no account: they are
-- small directories. A membership lets a user work in an account.
CREATE TABLE users (
    id            text COLLATE "C" PRIMARY KEY,
    email         text        NOT NULL, -- as it was given
    email_key     text COLLATE "C" NOT NULL, -- in lower case
    password_hash text,                 -- argon2id; null until the user opens a link and sets a password
    generation    integer     NOT NULL, -- of sessions: those of earlier generations have ended
    disabled_at   timestamptz,
    last_login_at timestamptz,
    created_at    timestamptz NOT NULL
);
CREATE UNIQUE INDEX users_email ON users (email_key);

CREATE TABLE memberships (
    account_id text COLLATE "C" NOT NULL,
    user_id    text COLLATE "C" NOT NULL,
    role       text        NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, user_id)
);
CREATE INDEX memberships_user ON memberships (user_id, account_id);

-- Links by which users set a password: each works once. The hash is the SHA-256 of the secret in the link.
CREATE TABLE user_links (
    hash       bytea PRIMARY KEY,
    user_id    text COLLATE "C" NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX user_links_user ON user_links (user_id);

-- The hash is that of the token in the cookie.
CREATE TABLE user_sessions (
    hash       text COLLATE "C" PRIMARY KEY,
    data       bytea       NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX user_sessions_expired ON user_sessions (expires_at);

-- +goose Down
DROP TABLE user_sessions, user_links, memberships, users;

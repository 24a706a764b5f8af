-- +goose Up
-- How many requests each token sent in an hour, by rate class, and how many of them were refused with 429. Processes
-- add what they have counted about once a minute. A partition holds a day; the program creates them ahead of time and
-- drops them when the counts are a week old.
CREATE TABLE request_usage (
    account_id     text COLLATE "C" NOT NULL,
    hour           timestamptz NOT NULL, -- its beginning
    token_id       text COLLATE "C" NOT NULL,
    reads          bigint NOT NULL, -- refused ones included
    writes         bigint NOT NULL,
    ai             bigint NOT NULL,
    reads_refused  bigint NOT NULL,
    writes_refused bigint NOT NULL,
    ai_refused     bigint NOT NULL,
    PRIMARY KEY (account_id, hour, token_id)
) PARTITION BY RANGE (hour);
CREATE TABLE request_usage_default PARTITION OF request_usage DEFAULT;

-- +goose Down
DROP TABLE request_usage;

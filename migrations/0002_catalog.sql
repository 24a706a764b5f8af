-- +goose Up
-- The reference catalogue: the printings that identification and price look-up use. It is small, belongs to no account,
-- and only imports write it. On a distributed PostgreSQL these are reference tables.
CREATE TABLE catalog_cards (
    id             text COLLATE "C" PRIMARY KEY,
    game           text    NOT NULL,
    name           text    NOT NULL,
    set            text    NOT NULL,
    set_code       text    NOT NULL,
    number         text    NOT NULL,
    printed_total  integer NOT NULL, -- 0: unknown, or the card prints none
    year           integer NOT NULL, -- 0: unknown
    illustrator    text    NOT NULL,
    hp             integer NOT NULL, -- 0: none
    language       text    NOT NULL,
    rarity         text    NOT NULL,
    variant        text    NOT NULL,
    text           text    NOT NULL,
    price_amount   bigint,
    price_currency text,
    price_as_of    timestamptz,
    -- Search keys, which the service computes from the columns above: lower case, no accents.
    name_key       text    NOT NULL,
    set_key        text COLLATE "C" NOT NULL,
    set_code_key   text COLLATE "C" NOT NULL,
    number_key     text COLLATE "C" NOT NULL, -- also without leading zeros
    words          text[] COLLATE "C" NOT NULL
);
-- fastupdate off: a pending list would slow down the first searches after an import.
CREATE INDEX catalog_cards_name ON catalog_cards USING gin (name_key gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX catalog_cards_number ON catalog_cards (number_key, printed_total);

-- Perceptual hashes. They have their own table because a search reads all of them.
CREATE TABLE catalog_fingerprints (
    card_id text COLLATE "C" PRIMARY KEY REFERENCES catalog_cards (id) ON DELETE CASCADE,
    hash    bit(512) NOT NULL
);

-- The words of the cards and the cards that contain them. Every import that changes catalog_cards rebuilds this table.
CREATE TABLE catalog_words (
    word       text COLLATE "C" PRIMARY KEY,
    weight     double precision NOT NULL, -- ln(1 + cards / cards with the word): rare words weigh more
    card_ids   text[] COLLATE "C" NOT NULL,
    card_count integer NOT NULL
);

-- Finds words despite a typo. Each word is stored in full and with each one of its letters left out.
CREATE TABLE catalog_spellings (
    spelling text COLLATE "C" NOT NULL,
    word     text COLLATE "C" NOT NULL,
    PRIMARY KEY (spelling, word)
);

-- +goose Down
DROP TABLE catalog_spellings, catalog_words, catalog_fingerprints, catalog_cards;

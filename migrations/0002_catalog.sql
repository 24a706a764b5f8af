-- +goose Up
-- The reference catalogue: every printing that identification and price look-up know. It belongs to
-- no account, is small and is written by imports alone (on a distributed PostgreSQL: reference tables).
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
    -- What searches compare, made by the program from the columns above: lower case, no accents.
    name_key       text    NOT NULL,
    set_key        text COLLATE "C" NOT NULL,
    set_code_key   text COLLATE "C" NOT NULL,
    number_key     text COLLATE "C" NOT NULL, -- also no leading zeros
    words          text[] COLLATE "C" NOT NULL
);
-- fastupdate off: a pending list would slow down the first searches after an import.
CREATE INDEX catalog_cards_name ON catalog_cards USING gin (name_key gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX catalog_cards_number ON catalog_cards (number_key, printed_total);

-- Perceptual hashes, apart from the cards: a search reads all of them.
CREATE TABLE catalog_fingerprints (
    card_id text COLLATE "C" PRIMARY KEY REFERENCES catalog_cards (id) ON DELETE CASCADE,
    hash    bit(512) NOT NULL
);

-- The cards' words with where they occur, made anew from catalog_cards by every import that changes it.
CREATE TABLE catalog_words (
    word       text COLLATE "C" PRIMARY KEY,
    weight     double precision NOT NULL, -- ln(1 + cards / cards with the word): rare words weigh more
    card_ids   text[] COLLATE "C" NOT NULL,
    card_count integer NOT NULL
);

-- How words are found by a spelling with a typo: each word, and each word with any one letter left out.
CREATE TABLE catalog_spellings (
    spelling text COLLATE "C" NOT NULL,
    word     text COLLATE "C" NOT NULL,
    PRIMARY KEY (spelling, word)
);

-- +goose Down
DROP TABLE catalog_spellings, catalog_words, catalog_fingerprints, catalog_cards;

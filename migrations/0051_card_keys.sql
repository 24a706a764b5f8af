-- +goose Up
-- Keys of cards that the processes compute: by which lists are sorted by title and location (Unicode's root collation
-- with numbers by their values), and folded forms of the text that q searches, which follow the text in searched.
--
-- keyed and location_keyed tell from which values the keys were computed, and by which version. Processes of the version
-- before write only the values, so that the keys of their cards are missing: NULL, or computed from other values.
ALTER TABLE card_search ADD COLUMN title_order bytea, ADD COLUMN keyed bigint;
ALTER TABLE cards ADD COLUMN location_order bytea, ADD COLUMN location_keyed text COLLATE "C";

-- +goose Down
ALTER TABLE cards DROP COLUMN location_order, DROP COLUMN location_keyed;
ALTER TABLE card_search DROP COLUMN title_order, DROP COLUMN keyed;

-- +goose Up
-- What the last identification of a card read on its photo, or null. A process of the previous version leaves what the
-- identification before read, until a process of this version identifies the card again.
ALTER TABLE card_candidates ADD COLUMN IF NOT EXISTS reading jsonb;

-- +goose Down
ALTER TABLE card_candidates DROP COLUMN IF EXISTS reading;

package identify

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Candidates are the candidates and the text of a card's last identification.
type Candidates struct {
	// At is when the outcome was saved, or nil if there was no identification.
	At *time.Time
	// Found is at most MaxCandidates, best first.
	Found []Found
	// Reading is the text that was read on the photo, or nil if no provider read text.
	Reading *Reading
}

// Grade returns the grade that was read on the label of a slab, or nil if there was none.
func (c Candidates) Grade() *cards.Grade { return c.Reading.grade() }

// Candidates returns the candidates of a card, or card_not_found if the account does not have it.
func (s *Service) Candidates(ctx context.Context, accountID, cardID string) (Candidates, error) {
	card, err := s.cards.Get(ctx, accountID, cardID)
	if err != nil {
		return Candidates{}, err
	}
	var row struct {
		At      time.Time `db:"at"`
		Found   []byte    `db:"candidates"`
		Reading []byte    `db:"reading"`
	}
	err = s.db.Get(ctx, &row, `
		SELECT at, candidates, reading FROM card_candidates WHERE account_id = $1 AND card_id = $2`, accountID, card.ID)
	if errors.Is(err, sql.ErrNoRows) {
		return Candidates{}, nil
	}
	if err != nil {
		return Candidates{}, fmt.Errorf("load candidates: %w", err)
	}
	result := Candidates{At: &row.At}
	err = json.Unmarshal(row.Found, &result.Found)
	if err == nil && row.Reading != nil {
		err = json.Unmarshal(row.Reading, &result.Reading)
	}
	if err != nil {
		return Candidates{}, fmt.Errorf("load candidates: %w", err)
	}
	return result, nil
}

// saveCandidates stores the candidates and the text of an identification with the deferred statements of the
// transaction. It replaces the candidates of the card's previous identification.
func saveCandidates(tx *postgres.Tx, stamp clock.Stamp, cardID string, out Outcome) error {
	candidates, err := json.Marshal(out.Candidates)
	if err != nil {
		return fmt.Errorf("save candidates: %w", err)
	}
	reading, err := json.Marshal(out.Reading()) // the JSON null if nothing was read
	if err != nil {
		return fmt.Errorf("save candidates: %w", err)
	}
	tx.Defer(`
		INSERT INTO card_candidates (account_id, card_id, at, candidates, reading) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (account_id, card_id) DO UPDATE SET
			at = excluded.at, candidates = excluded.candidates, reading = excluded.reading`,
		stamp.AccountID, cardID, stamp.At, postgres.JSON(candidates), postgres.JSON(reading))
	return nil
}

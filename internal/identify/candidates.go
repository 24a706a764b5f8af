package identify

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Candidates are what the last identification of a card considered.
type Candidates struct {
	// At is when the outcome was saved, or nil if there was no identification.
	At *time.Time
	// Found is at most MaxCandidates, best first.
	Found []Found
}

// Candidates returns the candidates of a card, or card_not_found if the account does not have it.
func (s *Service) Candidates(ctx context.Context, accountID, cardID string) (Candidates, error) {
	card, err := s.cards.Get(ctx, accountID, cardID)
	if err != nil {
		return Candidates{}, err
	}
	var row struct {
		At    time.Time `db:"at"`
		Found []byte    `db:"candidates"`
	}
	err = s.db.Get(ctx, &row, `
		SELECT at, candidates FROM card_candidates WHERE account_id = $1 AND card_id = $2`, accountID, card.ID)
	if errors.Is(err, sql.ErrNoRows) {
		return Candidates{}, nil
	}
	if err != nil {
		return Candidates{}, fmt.Errorf("identify.Candidates: %w", err)
	}
	saved := Candidates{At: &row.At}
	if err := json.Unmarshal(row.Found, &saved.Found); err != nil {
		return Candidates{}, fmt.Errorf("identify.Candidates: %w", err)
	}
	return saved, nil
}

// saveCandidates stores the candidates with the deferred statements of the transaction. They replace those of the
// identification before.
func saveCandidates(tx *postgres.Tx, stamp clock.Stamp, cardID string, found []Found) error {
	text, err := json.Marshal(found)
	if err != nil {
		return fmt.Errorf("identify.saveCandidates: %w", err)
	}
	tx.Defer(`
		INSERT INTO card_candidates (account_id, card_id, at, candidates) VALUES ($1, $2, $3, $4)
		ON CONFLICT (account_id, card_id) DO UPDATE SET at = excluded.at, candidates = excluded.candidates`,
		stamp.AccountID, cardID, stamp.At, postgres.JSON(text))
	return nil
}

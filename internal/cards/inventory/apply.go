package inventory

import (
	"context"
	"errors"
	"fmt"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
)

// apply makes the cards of an accepted import. A worker may be doing the same: each chunk is made
// once, by whoever comes first.
func (s *Service) apply(ctx context.Context, staged *staging, progress func(made int)) error {
	last := 0
	_, err := s.applyChunks(ctx, staged.accountID, staged.importID, func(made int) bool {
		last = made
		progress(made)
		return true
	})
	if err != nil {
		return &UnfinishedError{Cards: staged.total(), Made: last, Err: err}
	}
	progress(staged.total())
	return nil
}

// applyChunks makes the cards of an accepted import, chunk by chunk in the file's order, and ends the
// import. After each chunk it calls next with how many of the file's cards are made by then; false
// from next stops it before the end.
func (s *Service) applyChunks(
	ctx context.Context, accountID, importID string, next func(made int) bool,
) (finished bool, err error) {
	for c, err := range chunks(ctx, s.db, accountID, importID) {
		if err == nil {
			err = s.applyChunk(ctx, accountID, importID, c)
		}
		if err != nil {
			return false, fmt.Errorf("inventory.apply: import %s: %w", importID, err)
		}
		if !next(c.end()) {
			return false, nil
		}
	}
	return true, s.imports.Drop(ctx, s.db, accountID, importID)
}

// applyChunk makes the cards of a chunk, unless another process has made them.
func (s *Service) applyChunk(ctx context.Context, accountID, importID string, c *chunk) error {
	return s.clock.Write(ctx, s.db, accountID, func(tx *postgres.Tx, stamp clock.Stamp) error {
		taken, err := takeChunk(ctx, tx, accountID, importID, c.Place)
		if err != nil || !taken {
			return err
		}
		return s.makeCards(ctx, tx, stamp, c)
	})
}

// takeChunk deletes a chunk and reports whether it was there. The transaction must hold the account's
// clock: between two that take the same chunk, the second finds it gone.
func takeChunk(ctx context.Context, tx *postgres.Tx, accountID, importID string, place int) (bool, error) {
	result, err := tx.Exec(ctx, `DELETE FROM card_import_chunks WHERE account_id = $1 AND import_id = $2 AND place = $3`,
		accountID, importID, place)
	if err != nil {
		return false, err
	}
	deleted, err := result.RowsAffected()
	return deleted == 1, err
}

// makeCards makes the cards of a chunk.
func (s *Service) makeCards(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, c *chunk) (err error) {
	drafts := make([]cards.Draft, 0, c.Cards)
	lines := make([]int, 0, c.Cards)
	batchIDs := map[string]string{} // by name
	for _, row := range c.rows {
		draft := row.Row.draft()
		if name := row.Row.Batch; name != nil {
			if batchIDs[*name] == "" {
				if batchIDs[*name], err = s.batches.OpenNamed(ctx, tx, stamp, *name); err != nil {
					return err
				}
			}
			draft.BatchID = cards.Set(batchIDs[*name])
		}
		for copied := range row.Copies {
			if row.Pictures != nil {
				draft.Stored = row.Pictures[copied]
			}
			drafts, lines = append(drafts, draft), append(lines, row.Row.Line)
		}
	}
	_, err = s.cards.CreateIn(ctx, tx, stamp, drafts)
	var item *cards.ItemError
	if errors.As(err, &item) {
		return fmt.Errorf("line %d: %w", lines[item.Index], item.Err)
	}
	return err
}

package cards

import (
	"context"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/paging"
)

// ReviewQueue returns the first cards that need a review, at most limit, oldest first. Unless after is nil, it returns
// those that were created after this card, which may not be in the queue any more. It reads an index.
func (s *Service) ReviewQueue(ctx context.Context, accountID string, after *Card, limit int) ([]Card, error) {
	var position *paging.Position
	if after != nil {
		position = &paging.Position{At: after.CreatedAt, ID: after.ID}
	}
	queue := newSearch(accountID, Filter{Statuses: []Status{NeedsReview}, Sort: byCreation}, position, limit)
	read, err := queue.run(ctx, s.db)
	if err != nil {
		return nil, fmt.Errorf("list cards to review: %w", err)
	}
	found, _ := read.Split(limit)
	return found, nil
}

// ReviewsLeft returns the number of cards that need a review, at most limit. It reads as many entries of an index.
func (s *Service) ReviewsLeft(ctx context.Context, accountID string, limit int) (count int, err error) {
	err = s.db.Get(ctx, &count, `
		SELECT count(*) FROM (
			SELECT created_at FROM cards WHERE account_id = $1 AND workflow_status = $2 ORDER BY created_at LIMIT $3
		) AS waiting`, accountID, string(NeedsReview), limit)
	if err != nil {
		return 0, fmt.Errorf("count cards to review: %w", err)
	}
	return count, nil
}

// Reviewed is what taking a candidate changes of a card.
type Reviewed struct {
	Identification Identification
	Location       *string
}

// Reviewed returns the values that taking a candidate would change.
func (c *Card) Reviewed() Reviewed { return Reviewed{c.Identification, c.Location} }

// UndoIdentification gives a card what it had before its owner took a candidate. A card that had no title needs a
// review again. UndoIdentification fails with version_mismatch if match returns false, with card_sold after a sale, and
// with card_listed if a card that had no title has a listing under way.
func (s *Service) UndoIdentification(
	ctx context.Context, accountID, cardID string, before Reviewed, match Match,
) (Card, error) {
	return s.update(ctx, accountID, cardID, func(c *Card, _ time.Time) ([]events.Data, error) {
		if err := match.Check(c.Version); err != nil {
			return nil, err
		}
		return nil, c.restore(before)
	})
}

// restore gives the card what it had before it was identified.
func (c *Card) restore(before Reviewed) error {
	if !before.Undoable() {
		return fault.New(fault.InvalidRequest,
			"This card had no result of an identification before, so it keeps this one.")
	}
	if c.Sold() || before.Identification.Title == nil {
		if err := c.checkEditable("its identification"); err != nil {
			return err
		}
	}
	c.Identification, c.Location = before.Identification, before.Location
	return nil
}

// Undoable reports whether a card can have the identification again. One that waits for its result cannot.
func (r Reviewed) Undoable() bool {
	status := r.Identification.Status
	return r.Identification.Title != nil && status == IdentificationDone ||
		r.Identification.Title == nil && status == IdentificationFailed
}

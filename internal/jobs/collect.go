package jobs

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
)

// after returns the position up to which the filter was applied.
func (p *plan) after() paging.Position { return paging.Position{At: *p.AfterAt, ID: *p.AfterID} }

// continueAfter sets the position up to which the filter was applied.
func (p *plan) continueAfter(position paging.Position) {
	p.AfterAt, p.AfterID = &position.At, &position.ID
}

// collect appends the next cards that match the filter to the job, unless another worker has done so.
func (s *Service) collect(ctx context.Context, seen *plan) error {
	var filter cards.Filter
	if err := json.Unmarshal([]byte(*seen.Filter), &filter); err != nil {
		return fmt.Errorf("collect cards: %w", err)
	}
	cardIDs, next, err := s.cards.Walk(ctx, seen.AccountID, filter, seen.after())
	if err != nil {
		return fmt.Errorf("collect cards: %w", err)
	}
	return s.clock.Write(ctx, s.db, seen.AccountID, func(tx *postgres.Tx, stamp clock.Stamp) error {
		p, err := find(ctx, tx, seen.AccountID, seen.ID)
		if err != nil || p.Status.Finished() || p.Filter == nil || !samePosition(p.after(), seen.after()) {
			return err
		}
		most := MaxCards
		if p.Most != nil {
			most = *p.Most
		}
		more := cardIDs[:min(len(cardIDs), most-p.Total)]
		if err := insertCards(ctx, tx, &p.Job, p.Total, more); err != nil {
			return err
		}
		p.Status, p.UpdatedAt, p.Total = Running, stamp.At, p.Total+len(more)
		if next == nil || p.Total == most {
			p.Filter = nil
		} else {
			p.continueAfter(*next)
		}
		return s.store(ctx, tx, &p)
	})
}

func samePosition(a, b paging.Position) bool { return a.ID == b.ID && a.At.Equal(b.At) }

package csvfile

import (
	"context"
	"fmt"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/postgres"
)

// rematch finds the cards that were created since the rows of an accepted import were matched, by external id.
// It drops the rows of those that are to be skipped or refused.
func (s *Service) rematch(ctx context.Context, q postgres.Querier, accountID string, rows []*stagedRow) (
	refused []refusal, err error) {
	var externalIDs []string
	known := map[string]bool{}
	for _, row := range rows {
		if known[row.Row.CardID] = true; row.Row.CardID == "" && row.Row.ExternalID.Value() != nil {
			externalIDs = append(externalIDs, *row.Row.ExternalID.Value())
		}
	}
	found, err := s.cards.FindByExternalID(ctx, q, accountID, externalIDs)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	for _, row := range rows {
		external := row.Row.ExternalID.Value()
		if row.Row.CardID != "" || external == nil {
			continue
		}
		card, exists := found[*external]
		switch {
		case !exists:
		case row.Row.OnConflict == cards.SkipConflict:
			row.dropped = true
		case row.Row.OnConflict == cards.UpdateConflict && !known[card.ID]:
			row.Row.CardID = card.ID
		default:
			row.dropped = true
			message := fmt.Sprintf("The card %s has this external_id.", card.ID)
			refused = append(refused, refusal{Refusal{row.Row.Line, message}, row.size()})
		}
	}
	return refused, nil
}

package listings

import (
	"context"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
)

// MaxAtOnce is the number of cards of PublishMany and of listings of EndMany, as the contract limits them.
const MaxAtOnce = 500

// Matching returns the identifiers of the cards that match a filter, newest first, for PublishMany. It fails with
// invalid_request if they are more than MaxAtOnce, and with unexpected_count like cards.CheckExpected.
func (s *Service) Matching(ctx context.Context, accountID string, f cards.Filter, expected *int) ([]string, error) {
	if err := f.Check(); err != nil {
		return nil, fault.Within("filter", err)
	}
	matching := []string{}
	for after := new(cards.Until(s.clock.Time())); after != nil; {
		found, next, err := s.cards.Walk(ctx, accountID, f, *after)
		if err != nil {
			return nil, err
		}
		if matching, after = append(matching, found...), next; len(matching) > MaxAtOnce {
			return nil, fault.Invalid("filter",
				"matches more than %d cards; start a job that publishes them", MaxAtOnce)
		}
	}
	return matching, cards.CheckExpected(expected, int64(len(matching)))
}

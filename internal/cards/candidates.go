package cards

import (
	"context"
	"fmt"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/page"
	"github.com/cardvault/cardvault/internal/postgres"
)

// readCandidates reads the page from ids, which contain every card that can match.
func (s *search) readCandidates(ctx context.Context, q postgres.Querier, ids []string) (page.Read[Card], error) {
	if len(ids) == 0 {
		return page.Read[Card]{Rows: []Card{}}, nil
	}
	l := s.list
	l.ID, l.Leading, l.Filter = "id", nil, s.filter
	source := `unnest($2::text[]) AS candidate CROSS JOIN LATERAL (
		SELECT ` + columns + ` FROM cards WHERE cards.account_id = $1 AND cards.id = candidate OFFSET 0) AS card`
	if s.order.text && s.order.table != "cards" {
		source += fmt.Sprintf(` CROSS JOIN LATERAL (
			SELECT %s FROM %s WHERE account_id = $1 AND card_id = candidate OFFSET 0) AS sorted`,
			s.order.key, s.order.table)
	}
	text, args := l.CandidateStatement(source, []any{pq.Array(ids)}, s.after, s.size)
	return s.read(ctx, q, text, args)
}

package cards

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
)

// readCandidates reads the page from ids, which contain every card that can match. Reading a card takes a hundredth of
// a millisecond, so for the first page of the newest cards it tries only those with the newest identifiers: half more
// than the page has, or an eighth more if all of them match.
func (s *search) readCandidates(ctx context.Context, q postgres.Querier, ids []string) (paging.Read[Card], error) {
	if len(ids) == 0 {
		return paging.Read[Card]{Rows: []Card{}}, nil
	}
	first := 3 * (s.size + 1) / 2
	if len(s.undecided()) == 0 {
		first = 9 * (s.size + 1) / 8
	}
	if len(ids) > first && s.order == orders[byCreation] && !s.list.Ascending && s.after == nil {
		newest := slices.SortedFunc(slices.Values(ids), func(a, b string) int { return strings.Compare(b, a) })
		read, err := s.readCards(ctx, q, newest[:first])
		if err != nil || len(read.Rows) > s.size && createdBefore(newest[first], read.Rows[s.size].CreatedAt) {
			return read, err
		}
	}
	return s.readCards(ctx, q, ids)
}

// writeSpan is longer than the time between the first and the last created_at of one write, which creates at most
// MaxImport cards, a microsecond apart.
const writeSpan = 100 * time.Millisecond

// createdBefore reports whether the card, and each with a lower identifier, was created before at. An identifier has
// the time of the write that creates the card; created_at is at most writeSpan later, or earlier if Restamp changed it.
func createdBefore(cardID string, at time.Time) bool {
	return id.Time(cardID).Add(writeSpan).Before(at)
}

// readCards reads up to size + 1 matching cards from ids.
func (s *search) readCards(ctx context.Context, q postgres.Querier, ids []string) (paging.Read[Card], error) {
	l := s.list
	l.ID, l.Leading, l.Filter = "id", nil, s.undecided()
	read, sorted := columns, ""
	if s.order.key.HasKey() {
		key := s.order.key.Expr + " AS text_key"
		if l.Sort.Expr = "text_key"; s.order.table == "cards" {
			read += ", " + key
		} else {
			sorted = fmt.Sprintf(` CROSS JOIN LATERAL (
				SELECT %s FROM %s WHERE account_id = $1 AND card_id = candidate OFFSET 0) AS sorted`,
				key, s.order.table)
		}
	}
	source := `unnest($2::text[]) AS candidate CROSS JOIN LATERAL (
		SELECT ` + read + ` FROM cards WHERE cards.account_id = $1 AND cards.id = candidate OFFSET 0) AS card` + sorted
	text, args := l.CandidateStatement(source, []any{pq.Array(ids)}, s.after, s.size)
	return s.read(ctx, q, text, args)
}

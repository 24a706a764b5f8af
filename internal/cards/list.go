package cards

import (
	"context"
	"fmt"
	"strings"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/page"
	"github.com/cardvault/cardvault/internal/postgres"
)

// How a page of filtered cards is found at a bounded cost, whatever the filters choose of a million cards. First by a
// glance at the next cards of the list's order, which is enough where many of them match. Else an index may know that
// only few cards can match at all: those are read and sorted. Else the page looks at page.Reach cards and ends there.
const (
	glance = 500
	few    = 5000
)

// list reads a page of the account's cards.
func list(ctx context.Context, db *postgres.DB, accountID string, f Filter, after *page.Position, size int) (
	read page.Read[Card], err error) {
	s := newSearch(accountID, f, after, size)
	if len(s.list.Filter) == 0 {
		text, args := s.list.Statement(after, size)
		return s.read(ctx, db, text, args)
	}
	err = db.Snapshot(ctx, func(snapshot *postgres.Snapshot) error {
		read, err = s.search(ctx, snapshot)
		return err
	})
	return read, err
}

// search is one page being read.
type search struct {
	list    page.List
	after   *page.Position
	size    int
	lookups []*lookup // by which cards may be found otherwise than in the list's order
	filter  []page.Condition
}

func newSearch(accountID string, f Filter, after *page.Position, size int) *search {
	s := &search{after: after, size: size, list: page.List{
		Columns: columns, Table: "cards", Time: "created_at", ID: "id", Account: accountID, Since: f.UpdatedSince,
	}}
	if f.UpdatedSince != nil {
		s.list.Table, s.list.Time, s.list.ID = "card_changes", "updated_at", "card_id"
		s.list.Join = `CROSS JOIN LATERAL (SELECT ` + columns + ` FROM cards
			WHERE cards.account_id = owner AND cards.id = sort_id OFFSET 0) AS card`
	}
	for _, c := range f.conditions() {
		s.filter = append(s.filter, c.Condition)
		if c.lookup.leads() && f.UpdatedSince == nil && s.list.Lead == nil {
			s.list.Lead = &page.Lead{Column: c.lookup.column, Value: c.lookup.ranges[0][0]}
			continue
		}
		s.list.Filter = append(s.list.Filter, c.Condition)
		if c.lookup != nil {
			s.lookups = append(s.lookups, c.lookup)
		}
	}
	return s
}

// leads reports whether the index has the found cards in the order of creation.
func (f *lookup) leads() bool {
	return f != nil && f.column != "location" && len(f.ranges) == 1 && f.ranges[0][0] == f.ranges[0][1]
}

func (s *search) search(ctx context.Context, snapshot *postgres.Snapshot) (page.Read[Card], error) {
	first, err := s.scan(ctx, snapshot, glance)
	if err != nil || first.Full(s.size) {
		return first, err
	}
	if len(first.Rows) < glance/100 {
		for _, by := range s.lookups {
			ids, err := by.few(ctx, snapshot, s.list.Account)
			if err != nil {
				return first, err
			}
			if ids != nil {
				return s.among(ctx, snapshot, ids)
			}
		}
	}
	return s.scan(ctx, snapshot, page.Reach)
}

// scan reads the page in the list's order, as far as it may reach.
func (s *search) scan(ctx context.Context, q postgres.Querier, reach int) (page.Read[Card], error) {
	l := s.list
	l.Reach = reach
	text, args := l.Statement(s.after, s.size)
	return s.read(ctx, q, text, args)
}

// among reads the page out of the cards that alone can match.
func (s *search) among(ctx context.Context, q postgres.Querier, ids []string) (page.Read[Card], error) {
	l := s.list
	l.ID, l.Lead, l.Filter = "id", nil, s.filter
	text, args := l.Among(`unnest($2::text[]) AS candidate CROSS JOIN LATERAL (
		SELECT `+columns+` FROM cards WHERE cards.account_id = $1 AND cards.id = candidate OFFSET 0) AS card`,
		[]any{pq.Array(ids)}, s.after, s.size)
	return s.read(ctx, q, text, args)
}

func (s *search) read(ctx context.Context, q postgres.Querier, text string, args []any) (
	read page.Read[Card], err error) {
	rows, err := q.Query(ctx, text, args...)
	if err != nil {
		return read, err
	}
	defer rows.Close()
	for rows.Next() {
		var c Card
		var mark page.Mark
		if err := scan(rows, &c, &mark.Belongs, &mark.Ends); err != nil {
			return read, err
		}
		read.Add(c, mark)
	}
	return read, rows.Err()
}

// few returns the cards that are found if they are few; else nil.
func (f *lookup) few(ctx context.Context, snapshot *postgres.Snapshot, accountID string) (ids []string, err error) {
	if f.parts != nil {
		err = snapshot.Inverted(ctx, func(q postgres.Querier) error {
			ids, err = f.byParts(ctx, q, accountID)
			return err
		})
	} else {
		ids, err = f.byRanges(ctx, snapshot, accountID)
	}
	if err != nil || len(ids) > few {
		return nil, err
	}
	return append([]string{}, ids...), nil
}

func (f *lookup) byRanges(ctx context.Context, q postgres.Querier, accountID string) (ids []string, err error) {
	for _, r := range f.ranges {
		var more []string
		// The order is the index's own: no other index will do. The column is given as a range, because an order by
		// what is equal anyway would be none.
		err := q.Select(ctx, &more, fmt.Sprintf(`
			SELECT id FROM cards WHERE account_id = $1 AND %s >= $2 AND %[1]s <= $3 ORDER BY %[1]s LIMIT %d`, f.column, few+1),
			accountID, r[0], r[1])
		if ids = append(ids, more...); err != nil || len(ids) > few {
			return ids, err
		}
	}
	return ids, nil
}

func (f *lookup) byParts(ctx context.Context, q postgres.Querier, accountID string) (ids []string, err error) {
	where, args := []string{"account_id = $1"}, []any{accountID}
	for _, part := range f.parts {
		args = append(args, contains(part))
		where = append(where, fmt.Sprintf("lower(content) LIKE $%d", len(args)))
	}
	err = q.Select(ctx, &ids, fmt.Sprintf(`SELECT card_id FROM card_search WHERE %s LIMIT %d`,
		strings.Join(where, " AND "), few+1), args...)
	return ids, err
}

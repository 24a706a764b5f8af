package cards

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
)

// bounds limit how many cards are read for a page of a filtered list, so that its cost is bounded for any filter on a
// million cards. First the next firstScan cards in list order are scanned, which is enough if many match; fewer if the
// cards can be looked up by words. Otherwise, if an index shows that at most maxCandidates cards can match, those are
// read and sorted. Otherwise the page ends after scanning maxScan cards.
type bounds struct{ firstScan, maxCandidates, maxScan int }

var defaultBounds = bounds{firstScan: 500, maxCandidates: 5000, maxScan: paging.MaxScan}

// search reads one page.
type search struct {
	bounds
	scope   string // the list to which its positions belong
	list    paging.List
	after   *paging.Position
	size    int
	order   order
	keys    map[string]string // keys of the cards that were read, by identifier, for an order by texts
	filter  []predicate       // all predicates; list.Filter lacks the predicate of list.Leading
	lookups []*lookup         // ways to find the cards by an index
	found   []string          // what few returned
	decided *lookup           // the lookup of found, if its cards meet its predicate
}

func newSearch(accountID string, f Filter, after *paging.Position, size int) *search {
	s := &search{bounds: defaultBounds, after: after, size: size, list: paging.List{
		Columns: columns, Account: accountID, Since: f.UpdatedSince,
	}}
	s.order, s.list.Ascending = f.order()
	if s.order.key.HasKey() {
		s.keys = map[string]string{}
	}
	s.list.Table, s.list.Sort, s.list.ID = s.order.table, s.order.key, s.order.id
	if s.order.table != "cards" {
		s.list.Join = `CROSS JOIN LATERAL (SELECT ` + columns + ` FROM cards
			WHERE cards.account_id = owner AND cards.id = sort_id OFFSET 0) AS card`
	}
	if s.order == orders[byPrice] {
		s.list.Range = f.priceRange(accountID)
	}
	s.filter = f.predicates(accountID)
	for _, p := range s.filter {
		if p.lookup.ordered() && s.order == orders[byCreation] && s.list.Leading == nil {
			s.list.Leading = &paging.LeadingColumn{Column: p.lookup.column, Value: p.lookup.ranges[0][0]}
			continue
		}
		s.list.Filter = append(s.list.Filter, p.Condition)
		if p.lookup != nil {
			s.lookups = append(s.lookups, p.lookup)
		}
	}
	return s
}

// run reads the page.
func (s *search) run(ctx context.Context, db *postgres.DB) (read paging.Read[Card], err error) {
	if len(s.list.Filter) == 0 {
		text, args := s.list.Statement(s.after, s.size)
		return s.read(ctx, db, text, args)
	}
	err = db.Snapshot(ctx, func(q *postgres.Snapshot) error {
		read, err = s.search(ctx, q)
		return err
	})
	return read, err
}

// Walk returns the identifiers of the next cards that match the filter, newest first, at most paging.MaxLimit, and the
// position of the next call, or nil if there are no more. The first call takes the position of Until.
func (s *Service) Walk(
	ctx context.Context, accountID string, f Filter, after paging.Position,
) (ids []string, next *paging.Position, err error) {
	f.Sort, f.UpdatedSince = "", nil
	by := newSearch(accountID, f, &after, paging.MaxLimit)
	read, err := by.run(ctx, s.db)
	if err != nil {
		return nil, nil, fmt.Errorf("walk cards: %w", err)
	}
	found, last := read.Split(paging.MaxLimit)
	for i := range found {
		ids = append(ids, found[i].ID)
	}
	if last != nil {
		position := by.position(*last)
		next = &position
	}
	return ids, next, nil
}

// Until returns the position from which Walk returns the cards that were created until this time.
func Until(at time.Time) paging.Position {
	return paging.Position{At: at, ID: "~"} // ~ follows all identifiers in byte order
}

// ordered reports whether the index returns the found cards in order of creation.
func (l *lookup) ordered() bool {
	return l != nil && !l.few && l.column != locationKey && len(l.ranges) == 1 && l.ranges[0][0] == l.ranges[0][1]
}

func (s *search) search(ctx context.Context, q postgres.Querier) (paging.Read[Card], error) {
	for _, by := range s.lookups {
		if by.few {
			ids, _, err := by.find(ctx, q, s.list.Account, s.maxCandidates)
			if err != nil {
				return paging.Read[Card]{}, err
			}
			return s.readCandidates(ctx, q, ids)
		}
	}
	first, many, err := s.scanFirst(ctx, q)
	if err != nil || first.Full(s.size) {
		return first, err
	}
	if !many {
		ids, err := s.few(ctx, q)
		if err != nil {
			return first, err
		}
		if ids != nil {
			return s.readCandidates(ctx, q, ids)
		}
	}
	return s.scan(ctx, q, s.maxScan)
}

// scanFirst scans the first cards in list order, and reports whether so many match that scanning more fills the page.
func (s *search) scanFirst(ctx context.Context, q postgres.Querier) (first paging.Read[Card], many bool, err error) {
	limits := []int{s.firstScan}
	if s.byWords() { // such a lookup takes less time than examining the other cards
		limits = []int{max(1, s.firstScan/25), max(1, s.firstScan/5)}
	}
	for _, limit := range limits {
		first, err = s.scan(ctx, q, limit)
		many = 100*len(first.Rows) >= min(5*limit, s.firstScan)
		if err != nil || first.Full(s.size) || !many {
			break
		}
	}
	return first, many, err
}

// few returns the cards of the first lookup that finds at most maxCandidates, or nil if none does. It keeps them.
func (s *search) few(ctx context.Context, q postgres.Querier) ([]string, error) {
	for _, by := range s.lookups {
		ids, complete, err := by.find(ctx, q, s.list.Account, s.maxCandidates)
		if err != nil {
			return nil, err
		}
		if complete {
			s.found = append([]string{}, ids...)
			if by.texts != nil {
				s.decided = by
			}
			break
		}
	}
	return s.found, nil
}

// undecided returns the conditions that the found cards may not meet.
func (s *search) undecided() (conditions []paging.Condition) {
	for _, p := range s.filter {
		if p.lookup == nil || p.lookup != s.decided {
			conditions = append(conditions, p.Condition)
		}
	}
	return conditions
}

// byWords reports whether the cards can be found by the searched text.
func (s *search) byWords() bool {
	return slices.ContainsFunc(s.lookups, func(by *lookup) bool { return by.texts != nil })
}

// scan reads the page in list order and examines at most limit cards.
func (s *search) scan(ctx context.Context, q postgres.Querier, limit int) (paging.Read[Card], error) {
	l := s.list
	l.MaxScan = limit
	text, args := l.Statement(s.after, s.size)
	return s.read(ctx, q, text, args)
}

func (s *search) read(ctx context.Context, q postgres.Querier, text string, args []any) (
	read paging.Read[Card], err error) {
	rows, err := q.Query(ctx, text, args...)
	if err != nil {
		return read, err
	}
	defer rows.Close()
	var scanned paging.Scanned
	var key string
	more := []any{&scanned.Included, &scanned.Last}
	if s.order.key.HasKey() {
		more = append(more, &key)
	}
	reader := newRowReader(more...)
	read.Rows = make([]Card, 0, s.size+1)
	for rows.Next() {
		c, err := reader.read(rows)
		if err != nil {
			return read, err
		}
		if s.order.key.HasKey() {
			s.keys[c.ID] = key
		}
		read.Add(c, scanned)
	}
	return read, rows.Err()
}

// find returns the cards, and whether these are all: it examines at most limit cards. The cards of a lookup by words
// meet its predicate.
func (l *lookup) find(ctx context.Context, q postgres.Querier, accountID string, limit int) (
	ids []string, complete bool, err error) {
	switch {
	case l.ids != nil:
		return l.ids, true, nil
	case l.texts != nil:
		return l.findByTexts(ctx, q, accountID, limit)
	}
	for _, r := range l.ranges {
		var more []string
		// The ORDER BY forces this index. The column is compared by a range, because PostgreSQL drops an ORDER BY
		// column that is compared by equality.
		err := q.Select(ctx, &more, fmt.Sprintf(`
			SELECT id FROM cards WHERE account_id = $1 AND %s >= $2 AND %[1]s <= $3 ORDER BY %[1]s LIMIT %d`,
			l.column, limit+1), accountID, r[0], r[1])
		if ids = append(ids, more...); err != nil || len(ids) > limit {
			return ids, false, err
		}
	}
	return ids, true, nil
}

package cards

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
)

// MaxGroups is the maximum number of groups of a Summary.
const MaxGroups = 1000

// groupColumns are the columns by which Summarize groups, by the name of the grouping.
var groupColumns = map[string]string{
	"status": "workflow_status", "location": "location", "set": "set", "batch": "batch_id", "game": "game",
}

// Summary is the number of cards of a filter and the sums of their prices. It is shared: callers must not change it.
type Summary struct {
	AsOf       time.Time // of the last change that it includes
	Change     int64     // the number of that change, which only rises
	Total      Totals
	Groups     []Group // the MaxGroups groups with the most cards, in order of their number
	GroupCount int     // also of groups that Groups leaves out
}

// Group is the part of a Summary with one value of the field by which it is grouped.
type Group struct {
	Value *string // nil for cards without a value
	Totals
}

// Totals are sums over cards. AskingPrice and Cost have one sum for each currency, in alphabetical order; a sum can
// exceed money.Max.
type Totals struct {
	Count             int64
	AskingPrice, Cost []money.Money
	ByCurrency        map[string]int64 // the number of cards that have an asking price or a cost in the currency
}

// Summarize sums up the cards that match the filter, grouped by status, location, set, batch or game. A summary that
// takes long to compute is kept for a while after cards change; see summaries.
func (s *Service) Summarize(ctx context.Context, accountID string, f Filter, groupBy string) (*Summary, error) {
	column, known := groupColumns[groupBy]
	if !known {
		return nil, errUnknownGrouping()
	}
	if err := f.Check(); err != nil {
		return nil, err
	}
	return s.summaries.get(ctx, s.db, accountID, f.summaryKey(accountID, groupBy), func(ctx context.Context) (
		*Summary, error) {
		return newSearch(accountID, f, nil, 0).summarize(ctx, s.db, column)
	})
}

// SummarizeNow is like Summarize, but always reads the cards and does not keep the result. It is for background work,
// whose summaries would displace the summaries of pages, and for changes that depend on the number of cards.
func (s *Service) SummarizeNow(ctx context.Context, accountID string, f Filter, groupBy string) (*Summary, error) {
	column, known := groupColumns[groupBy]
	if !known {
		return nil, errUnknownGrouping()
	}
	if err := f.Check(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, summaryTimeout)
	defer cancel()
	state, err := stateOf(ctx, s.db, accountID)
	if err != nil {
		return nil, err
	}
	summary, err := newSearch(accountID, f, nil, 0).summarize(ctx, s.db, column)
	if err != nil {
		return nil, err
	}
	summary.AsOf, summary.Change = state.LastAt.UTC(), state.Change
	return summary, nil
}

func errUnknownGrouping() error {
	return fault.Invalid("group_by", "must be status, location, set, batch or game")
}

// summaryKey identifies the summary of the filter among all summaries.
func (f Filter) summaryKey(accountID, groupBy string) string {
	return groupBy + " " + f.scope(accountID)
}

// Summed is a page of a list and the summary of all cards of the list.
type Summed struct {
	paging.Page[Card]
	Places  []string // the cards' places in the list, for Neighbors
	Summary *Summary
}

// ListSummed is List and Summarize for the same filter. The summary uses the lookup of the list, if there was one.
func (s *Service) ListSummed(ctx context.Context, accountID string, f Filter, p paging.Request, groupBy string) (
	result Summed, err error) {
	column, known := groupColumns[groupBy]
	if !known {
		return result, errUnknownGrouping()
	}
	search, err := s.search(ctx, accountID, f, p)
	if err != nil {
		return result, err
	}
	state, err := stateOf(ctx, s.db, accountID) // before the lookup, whose cards the summary reads
	if err != nil {
		return result, err
	}
	if result.Page, err = s.page(ctx, search); err != nil {
		return result, err
	}
	result.Places = s.places(search, result.Data)
	f.Sort = "" // so that all orders share a summary
	compute := func(ctx context.Context) (*Summary, error) { return search.summarize(ctx, s.db, column) }
	result.Summary, err = s.summaries.at(ctx, state, f.summaryKey(accountID, groupBy), compute)
	return result, err
}

// sums are the sums of the cards of one group with the same currencies.
type sums struct {
	Value          *string `db:"value"`
	AskingCurrency *string `db:"asking_currency"`
	CostCurrency   *string `db:"cost_currency"`
	Count          int64   `db:"count"`
	Asking         int64   `db:"asking"`
	Cost           int64   `db:"cost"`
}

// summarize computes the summary of all cards of the search. If a lookup shows that few cards can match, it reads only
// those.
func (s *search) summarize(ctx context.Context, db *postgres.DB, column string) (*Summary, error) {
	ids := s.found
	var err error
	if ids == nil {
		err = db.Snapshot(ctx, func(q *postgres.Snapshot) (err error) {
			ids, err = s.few(ctx, q)
			return err
		})
	}
	var rows []sums
	if err == nil {
		rows, err = s.sumOf(ctx, db, column, ids)
	}
	if err != nil {
		return nil, fmt.Errorf("summarize cards: %w", err)
	}
	return summaryOf(rows), nil
}

// sumOf reads the sums of the cards with these identifiers, or of all cards for nil.
func (s *search) sumOf(ctx context.Context, db *postgres.DB, column string, ids []string) (rows []sums, err error) {
	where, args := []string{"account_id = $1"}, []any{s.list.Account}
	add := func(sql string, values ...any) {
		for _, value := range values {
			args = append(args, value)
			sql = strings.Replace(sql, "?", fmt.Sprintf("$%d", len(args)), 1)
		}
		where = append(where, sql)
	}
	if ids != nil {
		add("id = ANY(?)", pq.Array(ids))
	}
	for _, condition := range s.undecided() {
		add(condition.SQL, condition.Values...)
	}
	if s.list.Since != nil {
		add("updated_at >= ?", s.list.Since.UTC())
	}
	err = db.Select(ctx, &rows, fmt.Sprintf(`
		SELECT %s AS value, asking_currency, cost_currency, count(*) AS count,
			coalesce(sum(asking_amount), 0)::bigint AS asking, coalesce(sum(cost_amount), 0)::bigint AS cost
		FROM cards WHERE %s GROUP BY 1, 2, 3`, column, strings.Join(where, " AND ")), args...)
	return rows, err
}

// summaryOf returns the summary of sums.
func summaryOf(rows []sums) *Summary {
	total, groups := newTally(), map[string]*tally{}
	values := map[string]*string{}
	for _, row := range rows {
		key := "" // no value: no column that groups has empty texts
		if row.Value != nil {
			key = *row.Value
		}
		if groups[key] == nil {
			groups[key], values[key] = newTally(), row.Value
		}
		total.add(row)
		groups[key].add(row)
	}
	summary := &Summary{Total: total.totals(), GroupCount: len(groups)}
	for key, group := range groups {
		summary.Groups = append(summary.Groups, Group{values[key], group.totals()})
	}
	slices.SortFunc(summary.Groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(known(a.Value), known(b.Value)))
	})
	summary.Groups = summary.Groups[:min(len(summary.Groups), MaxGroups)]
	return summary
}

// known returns the text, or "" for nil.
func known(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// tally adds up sums and numbers of cards by currency.
type tally struct {
	count               int64
	asking, cost, cards map[string]int64
}

func newTally() *tally {
	return &tally{asking: map[string]int64{}, cost: map[string]int64{}, cards: map[string]int64{}}
}

func (t *tally) add(row sums) {
	t.count += row.Count
	if row.AskingCurrency != nil {
		t.asking[*row.AskingCurrency] += row.Asking
		t.cards[*row.AskingCurrency] += row.Count
	}
	if row.CostCurrency != nil {
		t.cost[*row.CostCurrency] += row.Cost
		if row.AskingCurrency == nil || *row.AskingCurrency != *row.CostCurrency { // else they are counted
			t.cards[*row.CostCurrency] += row.Count
		}
	}
}

func (t *tally) totals() Totals {
	return Totals{Count: t.count, AskingPrice: amounts(t.asking), Cost: amounts(t.cost), ByCurrency: t.cards}
}

// amounts returns the sums in alphabetical order of the currencies.
func amounts(byCurrency map[string]int64) []money.Money {
	list := make([]money.Money, 0, len(byCurrency))
	for _, currency := range slices.Sorted(maps.Keys(byCurrency)) {
		list = append(list, money.Money{Amount: byCurrency[currency], Currency: currency})
	}
	return list
}

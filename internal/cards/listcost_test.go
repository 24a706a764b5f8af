package cards

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/collation"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// testAccount is the account whose lists are read.
const testAccount = "acc_00000000000000000000000000"

// fillCards inserts cards $1 to $2 for the account $3, or for 150 others. Rare values are in the oldest cards.
const fillCards = `
	WITH made AS (
		INSERT INTO cards (account_id, id, workflow_status, title, set, number, game, condition,
			external_id, catalog_id, language, grade_company, grade_value,
			identification_status, asking_amount, asking_currency, ever_priced, location, batch_id, archived,
			awaits_identification, photos, sku, version, created_at, updated_at)
		SELECT coalesce($3, 'acc_' || lpad((1 + n % 150)::text, 26, '0')), 'card_' || lpad(n::text, 26, '0'),
			CASE WHEN n % 1000 = 1 THEN 'sold' WHEN n % 3 = 0 THEN 'priced' ELSE 'identified' END,
			'Trading Card ' || CASE WHEN n < $2 / 2 THEN 'Unlimited' ELSE 'Ember' END || ' Fox ' || n % 7,
			'Set ' || n % 5, n % 20 || '/20', CASE WHEN n % 2 = 0 THEN 'pokemon' ELSE 'magic' END,
			CASE WHEN n % 3 = 0 THEN 'NM' ELSE 'LP' END,
			'external-' || n, 'catalog-' || n % 6, CASE WHEN n % 4 = 0 THEN 'ja' ELSE 'en' END,
			CASE WHEN n % 2 = 0 THEN 'PSA' END, CASE WHEN n % 2 = 0 THEN (n % 10)::text END, 'identified',
			n % 500, CASE WHEN n % 9 = 0 THEN 'EUR' ELSE 'USD' END, true,
			'Room ' || n % 3 || '/Box ' || n / 50, 'bat_' || lpad((n / 100)::text, 26, '0'),
			false, false, CASE WHEN n % 3 = 1 THEN '[{"status": "ready"}]' ELSE '[]' END::jsonb, 'SKU ' || n % 4, 1,
			timestamptz '2025-01-01' + n * interval '1 second',
			timestamptz '2025-06-01' + (n * 7919 % 100000) * interval '1 second'
		FROM generate_series($1::int, $2::int) AS n
		RETURNING account_id, id, title, updated_at, asking_amount, asking_currency,
			concat_ws(E'\n', title, number, set, sku, external_id) AS searched),
	changed AS (INSERT INTO card_changes SELECT account_id, id, updated_at FROM made),
	priced AS (INSERT INTO card_prices
		SELECT account_id, id, asking_currency || lpad(asking_amount::text, 11, '0') FROM made)
	INSERT INTO card_search SELECT account_id, id, searched, left(lower(title), 80) FROM made`

// openFilled returns a pool of one session to a database with cards of the account and 65 cards of each other account.
// These are about a page, so PostgreSQL prefers to sort them. The statistics include all cards or, if outdated, only
// those of the other accounts.
func openFilled(t *testing.T, cards int, statistics string) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(postgres.Config{URL: pgtest.URL(t), MaxConns: 1, Unprepared: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	run := func(statement string, args ...any) {
		t.Helper()
		if _, err := db.Exec(t.Context(), statement, args...); err != nil {
			t.Fatal(err)
		}
	}
	tables := []string{"cards", "card_changes", "card_prices", "card_search"}
	for _, table := range tables {
		run(`ALTER TABLE ` + table + ` SET (autovacuum_enabled = false)`)
	}
	run(`INSERT INTO accounts (id, name, sandbox, created_at) VALUES ($1, 'Test', false, now())`, testAccount)
	run(fillCards, cards+1, cards+150*65, nil)
	analyze := `ANALYZE ` + strings.Join(tables, ", ")
	if statistics == "outdated" {
		run(analyze)
	}
	run(fillCards, 1, cards, testAccount)
	fillKeys(t, db)
	if statistics != "outdated" {
		run(analyze)
	}
	return db
}

// fillKeys computes the keys of the account's cards. The titles and the locations are few, and their keys are written
// by one statement each.
func fillKeys(t *testing.T, db *postgres.DB) {
	t.Helper()
	for table, column := range map[string]string{"card_search": "title_order", "cards": "location_order"} {
		source, key := "split_part(searched, E'\n', 1)", collation.Key
		if table == "cards" {
			source, key = "location", collation.PathKey
		}
		var texts []string
		err := db.Select(t.Context(), &texts,
			`SELECT DISTINCT `+source+` FROM `+table+` WHERE account_id = $1`, testAccount)
		if err != nil {
			t.Fatal(err)
		}
		keys := make([]string, len(texts))
		for i, text := range texts {
			keys[i] = bytea(key(text))
		}
		_, err = db.Exec(t.Context(), `UPDATE `+table+` SET `+column+` = k.key
			FROM unnest($2::text[], $3::bytea[]) AS k (text, key)
			WHERE account_id = $1 AND `+source+` = k.text`, testAccount, pq.Array(texts), pq.Array(keys))
		if err != nil {
			t.Fatal(err)
		}
	}
}

// everyFilterSet makes TestList_CostIsBoundedForEveryCombinationOfFilters test every set of filters. make soak sets it.
var everyFilterSet = flag.Bool("every-filter-set", false,
	"test many sets of filters, not only those of up to three; takes some minutes")

// testFilter sets one filter. Only one filter of each parameter can be set at a time.
type testFilter struct {
	name      string
	set       func(*Filter)
	parameter string // if it is not the name
}

// of returns the parameter.
func (f testFilter) of() string { return cmp.Or(f.parameter, f.name) }

// testFilters has values for all filters. Most match many cards alone and few or none in combination.
func testFilters() []testFilter {
	text := func(s string) *string { return &s }
	number := func(n int64) *int64 { return &n }
	since := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	return []testFilter{
		{"sku", func(f *Filter) { f.SKU = text("SKU 1") }, ""},
		{"batch", func(f *Filter) { f.Batch = text("bat_00000000000000000000000001") }, ""},
		{"location", func(f *Filter) { f.Location = text("Room 2") }, ""},
		{"place", func(f *Filter) { f.Location = text("Room 1/Box 0") }, "location"},
		{"set", func(f *Filter) { f.Set = text("Set 3") }, ""},
		{"set, typed", func(f *Filter) { f.Set, f.Typed = text("Set 3 "), true }, "set"},
		{"game", func(f *Filter) { f.Game = text("magic") }, ""},
		{"number", func(f *Filter) { f.Number = text("6/20") }, ""},
		{"condition", func(f *Filter) { f.Condition = text("NM") }, ""},
		{"identification", func(f *Filter) { f.Identification = text("failed") }, ""},
		{"words", func(f *Filter) { f.Query = text("unlimited fox") }, ""},
		{"no such words", func(f *Filter) { f.Query = text("trading cards fox") }, "words"},
		{"letters", func(f *Filter) { f.Query = text("x 6") }, "words"},
		{"accents", func(f *Filter) { f.Query = text("éMbér föx") }, "words"},
		{"status", func(f *Filter) { f.Statuses = []Status{Sold} }, ""},
		{"statuses", func(f *Filter) { f.Statuses = []Status{Sold, Priced, Listed} }, "status"},
		{"external id", func(f *Filter) { f.ExternalID = text("external-7") }, ""},
		{"ids", func(f *Filter) { f.IDs = []string{"card_00000000000000000000000007", "x"} }, ""},
		{"catalog id", func(f *Filter) { f.CatalogID = text("catalog-5") }, ""},
		{"language", func(f *Filter) { f.Language = text("ja") }, ""},
		{"grade", func(f *Filter) { f.Grade = text("PSA 8") }, ""},
		{"ungraded", func(f *Filter) { f.Grade = text("none") }, "grade"},
		{"has photo", func(f *Filter) { photo := true; f.HasPhoto = &photo }, ""},
		{"currency", func(f *Filter) { f.Currency = text("EUR") }, ""},
		{"min price", func(f *Filter) { f.MinPrice = number(495) }, ""},
		{"max price", func(f *Filter) { f.MaxPrice = number(3) }, ""},
		{"since", func(f *Filter) { f.UpdatedSince = &since }, "order"},
		{"by price", func(f *Filter) { f.Sort = "price" }, "order"},
		{"by title, reversed", func(f *Filter) { f.Sort = "-title" }, "order"},
		{"by location", func(f *Filter) { f.Sort = "location" }, "order"},
		{"by title, without keys", func(f *Filter) { f.Sort, f.plain = "title", true }, "order"},
		{"by location, without keys", func(f *Filter) { f.Sort, f.plain = "-location", true }, "order"},
		{"oldest first", func(f *Filter) { f.Sort = "created_at" }, "order"},
		{"last changed first", func(f *Filter) { f.Sort = "-updated_at" }, "order"},
	}
}

// combinations calls its function with every combination of up to the given number of filters.
func combinations(most int, with func(name string, f Filter)) {
	all := testFilters()
	var extend func(from, most int, name string, f Filter)
	extend = func(from, most int, name string, f Filter) {
		with(strings.TrimPrefix(name, ", "), f)
		for i := from; i < len(all) && most > 0; i++ {
			more := f
			all[i].set(&more)
			extend(i+1, most-1, name+", "+all[i].name, more)
		}
	}
	extend(0, most, "", Filter{})
}

// mostFilterSets is the maximum number of sets of filters that are tested.
const mostFilterSets = 1 << 14

// filterSets calls its function with mostFilterSets different sets of filters, or with all if there are fewer. The
// values of a parameter alternate.
func filterSets(with func(name string, f Filter)) {
	byParameter := map[string][]testFilter{}
	var parameters []string
	for _, f := range testFilters() {
		if byParameter[f.of()] == nil {
			parameters = append(parameters, f.of())
		}
		byParameter[f.of()] = append(byParameter[f.of()], f)
	}
	for i := range min(1<<len(parameters), mostFilterSets) {
		set := i * 0x9E3779B1 & (1<<len(parameters) - 1) // an odd factor: each set at most once
		var f Filter
		var names []string
		for i, parameter := range parameters {
			if set&(1<<i) != 0 {
				values := byParameter[parameter]
				value := values[bits.OnesCount(uint(set))%len(values)]
				value.set(&f)
				names = append(names, value.name)
			}
		}
		with(strings.Join(names, ", "), f)
	}
}

func TestList_CostIsBoundedForEveryCombinationOfFilters(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		plans, statistics string
		filters           int // at most combined
	}{
		"values known":                        {"force_custom_plan", "current", 2},
		"values known, statistics outdated":   {"force_custom_plan", "outdated", 2},
		"values unknown":                      {"force_generic_plan", "current", 3},
		"values unknown, statistics outdated": {"force_generic_plan", "outdated", 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, threes := openFilled(t, 12_000, tc.statistics), 0
			check := func(name string, f Filter) {
				e := &explainer{Querier: db, plans: tc.plans}
				if err := e.list(t.Context(), db, f); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if e.rows > mostRows || e.blocks > 6*mostRows {
					t.Errorf("%s: %d rows and %d blocks read, want at most %d and %d; the last plan:\n%s",
						name, e.rows, e.blocks, mostRows, 6*mostRows, e.plan)
				}
			}
			if *everyFilterSet {
				filterSets(check)
			}
			combinations(tc.filters, func(name string, f Filter) {
				if strings.Count(name, ", ") == 2 {
					if threes++; threes%8 != 0 {
						return // each takes 10 ms, and there are hundreds
					}
				}
				check(name, f)
			})
		})
	}
}

// smallBounds are bounds for accounts of thousands of cards instead of a million.
var smallBounds = bounds{firstScan: 50, maxCandidates: 250, maxScan: 500}

// mostRows is the maximum number of rows that a page may read within smallBounds, from two tables for each card that
// is looked up: the first scan, five lookups, the candidates of the last, or the longest scan. A list without a filter
// reads at most 201.
var mostRows = 2*smallBounds.firstScan + 5*(smallBounds.maxCandidates+1) + 3*smallBounds.maxCandidates +
	2*smallBounds.maxScan + 2*201

// The pages of a list together contain every matching card once, in order, for any way of reading them.
func TestList_PagesHoldEveryMatchInOrder(t *testing.T) {
	t.Parallel()
	const cards, size = 150, 7
	db, ctx := openFilled(t, cards, "current"), t.Context()
	combinations(2, func(name string, f Filter) {
		where, args := []string{"account_id = $1"}, []any{testAccount}
		for _, p := range f.predicates(testAccount) {
			text := p.SQL
			for _, value := range p.Values {
				args = append(args, value)
				text = strings.Replace(text, "?", fmt.Sprintf("$%d", len(args)), 1)
			}
			where = append(where, text)
		}
		by, ascending := f.order()
		const titleOrder = "(SELECT title_order FROM card_search s WHERE s.account_id = $1 AND card_id = id)"
		expressions := map[string]string{
			"price_key":                 "asking_currency || lpad(asking_amount::text, 11, '0')",
			"title_key":                 "lower(title)",
			orders[byTitle].key.Expr:    titleOrder,
			orders[byLocation].key.Expr: "location_order",
		}
		key := cmp.Or(expressions[by.key.Expr], by.key.Expr)
		order := key + ` COLLATE "C" DESC, id DESC`
		if by.key.Type != paging.SortText {
			order = key + " DESC, id DESC"
		}
		if ascending {
			order = strings.ReplaceAll(order, " DESC", "")
		}
		want := []string{}
		statement := `SELECT id FROM cards WHERE ` + strings.Join(where, " AND ") + ` ORDER BY ` + order
		err := db.Select(ctx, &want, statement, args...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := readAll(ctx, db, f, size)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%s: cards (-want +got):\n%s", name, diff)
		}
	})
}

// readAll reads a list page by page, each within bounds of a few cards.
func readAll(ctx context.Context, db *postgres.DB, f Filter, size int) ([]string, error) {
	cursors, err := paging.NewCursors(make([]byte, 32))
	if err != nil {
		return nil, err
	}
	all, request := []string{}, paging.Request{Limit: size}
	for {
		after, err := cursors.Start("", request)
		if err != nil {
			return nil, err
		}
		s := newSearch(testAccount, f, after, size)
		s.bounds = bounds{firstScan: 10, maxCandidates: 30, maxScan: 45}
		read, err := s.run(ctx, db)
		if err != nil {
			return nil, err
		}
		p := paging.Cut(cursors, "", read, size, s.position)
		for _, c := range p.Data {
			all = append(all, c.ID)
		}
		if p.NextCursor == nil {
			return slices.Clip(all), nil
		}
		request.Cursor = *p.NextCursor
	}
}

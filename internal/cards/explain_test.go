package cards

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/collation"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
)

// explainer runs statements and counts the rows that they read, using EXPLAIN.
type explainer struct {
	postgres.Querier
	plans        string // plan_cache_mode
	rows, blocks int
	plan         string // of the last statement
}

// list reads a page from the middle of the list, as search.run does.
func (e *explainer) list(ctx context.Context, db *postgres.DB, f Filter) error {
	at := time.Date(2025, 1, 1, 2, 0, 0, 0, time.UTC)
	if f.UpdatedSince != nil {
		at = time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC)
	}
	middle := &paging.Position{At: at}
	switch strings.TrimPrefix(f.Sort, "-") {
	case byPrice:
		middle.Key = "USD00000000250"
	case byTitle:
		middle.Key = string(collation.Key("Trading card unlimited"))
	case byLocation:
		middle.Key = string(collation.PathKey("Room 1/Box 100"))
	}
	if f.plain {
		middle.Key = map[string]string{"title": "trading card unlimited", "-location": "Room 1/Box 100"}[f.Sort]
	}
	s := newSearch(testAccount, f, middle, 20)
	s.bounds = smallBounds
	if len(s.list.Filter) == 0 {
		text, args := s.list.Statement(s.after, s.size)
		_, err := s.read(ctx, e, text, args)
		return err
	}
	return db.Snapshot(ctx, func(snapshot *postgres.Snapshot) error {
		db := e.Querier
		defer func() { e.Querier = db }()
		e.Querier = snapshot
		_, err := s.search(ctx, e)
		return err
	})
}

// Query implements postgres.Querier.
func (e *explainer) Query(ctx context.Context, query string, args ...any) (*postgres.Rows, error) {
	if err := e.explain(ctx, query, args); err != nil {
		return nil, err
	}
	return e.Querier.Query(ctx, query, args...)
}

// Get implements postgres.Querier.
func (e *explainer) Get(ctx context.Context, dest any, query string, args ...any) error {
	if err := e.explain(ctx, query, args); err != nil {
		return err
	}
	return e.Querier.Get(ctx, dest, query, args...)
}

// Select implements postgres.Querier.
func (e *explainer) Select(ctx context.Context, dest any, query string, args ...any) error {
	if err := e.explain(ctx, query, args); err != nil {
		return err
	}
	return e.Querier.Select(ctx, dest, query, args...)
}

// node is a node of a query plan.
type node struct {
	Type     string  `json:"Node Type"`
	Index    string  `json:"Index Name"`
	Rows     float64 `json:"Actual Rows"`
	Loops    float64 `json:"Actual Loops"`
	Filtered float64 `json:"Rows Removed by Filter"`
	Hit      int     `json:"Shared Hit Blocks"`
	Read     int     `json:"Shared Read Blocks"`
	Plans    []node
}

// explain runs a statement under EXPLAIN and adds its rows and blocks.
func (e *explainer) explain(ctx context.Context, query string, args []any) error {
	literals := make([]string, len(args))
	for i, arg := range args {
		literals[i] = literal(arg)
	}
	for _, statement := range []string{"SET plan_cache_mode = " + e.plans, "PREPARE explained AS " + query} {
		if _, err := e.Exec(ctx, statement); err != nil {
			return err
		}
	}
	var explained string
	err := e.Querier.Get(ctx, &explained, "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) EXECUTE explained("+
		strings.Join(literals, ", ")+")")
	if err != nil {
		return err
	}
	var plan []struct{ Plan node }
	if err := json.Unmarshal([]byte(explained), &plan); err != nil {
		return err
	}
	e.add(plan[0].Plan)
	e.blocks += plan[0].Plan.Hit + plan[0].Plan.Read
	e.plan = query + "\n" + explained
	_, err = e.Exec(ctx, "DEALLOCATE explained")
	return err
}

// add counts the rows that table scans examined. For an inverted index it counts the blocks of its result.
func (e *explainer) add(n node) {
	if strings.HasSuffix(n.Type, "Scan") && n.Type != "Subquery Scan" && n.Type != "Bitmap Index Scan" {
		e.rows += int((n.Rows + n.Filtered) * max(n.Loops, 1))
	}
	for _, part := range n.Plans {
		e.add(part)
	}
}

// literal returns an argument as an SQL literal.
func literal(arg any) string {
	if valuer, ok := arg.(driver.Valuer); ok {
		value, err := valuer.Value()
		if err != nil {
			panic(err)
		}
		arg = value
	}
	switch v := arg.(type) {
	case time.Time:
		return pq.QuoteLiteral(v.Format(time.RFC3339Nano))
	case int, int64:
		return fmt.Sprint(v)
	case []byte:
		return pq.QuoteLiteral(bytea(v))
	default:
		return pq.QuoteLiteral(fmt.Sprint(v))
	}
}

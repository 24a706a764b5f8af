package main

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
)

// sameAnswers checks that the baseline does the same work: both programs must return the same cards with the same
// fields.
func sameAnswers(ctx context.Context, o operation, token string, service, baseline *process) error {
	var a, b any
	if err := fetch(ctx, service, o.check, token, &a); err != nil {
		return err
	}
	if err := fetch(ctx, baseline, o.check, token, &b); err != nil {
		return err
	}
	if where := difference(a, b); where != "" {
		return fmt.Errorf("%s: service and baseline answer differently at %s", o.check, where)
	}
	return nil
}

// sameChanges checks that the baseline writes the same rows for a change of a price: the same history, the same key to
// sort by and as many events. It leaves the card without a price.
func sameChanges(ctx context.Context, s settings, cardID string, service, baseline *process) error {
	db, err := sql.Open("postgres", s.database)
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := changePrice(ctx, db, s, cardID, service); err != nil { // its first price fires one more event
		return err
	}
	a, err := changePrice(ctx, db, s, cardID, service)
	if err != nil {
		return err
	}
	b, err := changePrice(ctx, db, s, cardID, baseline)
	if err != nil {
		return err
	}
	if !slices.Equal(a, b) {
		return fmt.Errorf("PATCH /cards/%s: service and baseline write different rows: %+v and %+v", cardID, a, b)
	}
	return nil
}

// written counts the rows that a change of a price wrote.
type written struct {
	history, priceKey string
	events            int
}

// changePrice sets and clears the price of a card and returns what each of the two changes wrote. Times are left out.
func changePrice(ctx context.Context, db *sql.DB, s settings, cardID string, p *process) (all []written, err error) {
	c, err := dial(ctx, p.addr)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	for _, price := range []string{`{"amount":1234,"currency":"USD"}`, "null"} {
		body := `{"pricing":{"asking_price":` + price + `}}`
		if err := c.do(request("PATCH", "/cards/"+cardID, s.token, body)); err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		var w written
		err := db.QueryRowContext(ctx, `
			SELECT regexp_replace(h.changes, '[0-9-]{10}T[0-9:.]{15}Z', 'time', 'g'), p.price_key,
			       (SELECT count(*) FROM events e WHERE e.account_id = h.account_id AND e.created_at = h.at)
			FROM card_history h JOIN card_prices p USING (account_id, card_id)
			WHERE h.account_id = $1 AND h.card_id = $2
			ORDER BY h.at DESC LIMIT 1`, s.account, cardID).Scan(&w.history, &w.priceKey, &w.events)
		if err != nil {
			return nil, fmt.Errorf("%s: the history of %s: %w", p.name, cardID, err)
		}
		all = append(all, w)
	}
	return all, nil
}

// made are fields whose values differ between the programs.
var made = []string{"url", "next_cursor", "created_at", "updated_at", "identified_at", "priced_at"}

// difference returns where two JSON values differ, or "" where they agree.
func difference(a, b any) string {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || !slices.Equal(slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b))) {
			return "its fields"
		}
		for name := range a {
			if slices.Contains(made, name) {
				if (a[name] == nil) != (b[name] == nil) {
					return name
				}
			} else if where := difference(a[name], b[name]); where != "" {
				return name + ": " + where
			}
		}
		return ""
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return "its length"
		}
		for i := range a {
			if where := difference(a[i], b[i]); where != "" {
				return fmt.Sprintf("%d: %s", i, where)
			}
		}
		return ""
	}
	if a != b {
		return fmt.Sprintf("%v and %v", a, b)
	}
	return ""
}

package cards_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/postgres"
)

// written counts the rows that a transaction wrote to a table.
type written struct {
	Table    string `db:"relname"`
	Updated  int    `db:"n_tup_upd"`
	HeapOnly int    `db:"n_tup_hot_upd"` // updates that wrote no index
}

func TestUpdate_WritesOnlyAffectedIndexes(t *testing.T) {
	t.Parallel()
	i := setup(t)
	for name, tc := range map[string]struct {
		change func(*cards.Card)
		want   []written
	}{
		"price": {func(c *cards.Card) { price := usd(700); c.Pricing.AskingPrice = &price },
			[]written{{"card_changes", 1, 0}, {"card_prices", 1, 0}, {"card_search", 0, 0}, {"cards", 1, 1}}},
		"status": {func(c *cards.Card) { c.Pricing.AskingPrice = nil },
			[]written{{"card_changes", 1, 0}, {"card_prices", 1, 0}, {"card_search", 0, 0}, {"cards", 1, 0}}},
		"title": {func(c *cards.Card) { title := "Frost Fox"; c.Identification.Title = &title },
			[]written{{"card_changes", 1, 0}, {"card_prices", 0, 0}, {"card_search", 1, 0}, {"cards", 1, 1}}},
		"hidden field": {func(c *cards.Card) { c.AutoIdentify = true },
			[]written{{"card_changes", 0, 0}, {"card_prices", 0, 0}, {"card_search", 0, 0}, {"cards", 1, 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			price := cards.Patch{Title: cards.Set("Ember Fox"), AskingPrice: cards.Set(usd(500))}
			got := i.writes(t, i.create(t, cards.Draft{Patch: price}).ID, tc.change)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("rows written (-want +got):\n%s", diff)
			}
		})
	}
}

// writes updates a card and returns what the transaction wrote to the tables of cards.
func (i inventory) writes(t *testing.T, cardID string, change func(*cards.Card)) (tables []written) {
	t.Helper()
	ctx := t.Context()
	err := i.db.InTx(ctx, func(tx *postgres.Tx) error {
		stamp, err := i.takeClock(ctx, tx)
		if err != nil {
			return err
		}
		// The statistics may include earlier writes of the session.
		if tables, err = readWritten(ctx, tx); err != nil {
			return err
		}
		_, err = i.cards.UpdateIn(ctx, tx, stamp, cardID, func(c *cards.Card, _ time.Time) ([]events.Data, error) {
			change(c)
			return nil, nil
		})
		if err != nil {
			return err
		}
		before := tables
		if tables, err = readWritten(ctx, tx); err != nil {
			return err
		}
		for i, b := range before {
			tables[i].Updated -= b.Updated
			tables[i].HeapOnly -= b.HeapOnly
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

func readWritten(ctx context.Context, tx *postgres.Tx) (tables []written, err error) {
	err = tx.Select(ctx, &tables, `
		SELECT relname, n_tup_upd, n_tup_hot_upd FROM pg_stat_xact_user_tables
		WHERE relname IN ('cards', 'card_changes', 'card_prices', 'card_search') ORDER BY 1`)
	return tables, err
}

package postgres_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The indexes have the cards whose keys are missing: those that exist, and those that processes of the version before
// write. The migration can be repeated.
func TestMigration0052_IndexesCardsWithoutKeys(t *testing.T) {
	t.Parallel()
	db, provider := migratedTo(t, 50)
	write := func(cardID, title string) {
		t.Helper()
		_, err := db.Exec(t.Context(), `
			INSERT INTO card_search (account_id, card_id, searched, title_key) VALUES ('acc_1', $1, $2, lower($2))
			ON CONFLICT (account_id, card_id) DO UPDATE
			SET searched = excluded.searched, title_key = excluded.title_key`, cardID, title)
		if err != nil {
			t.Fatal(err)
		}
	}
	write("card_old", "Ember")
	if _, err := provider.UpTo(t.Context(), 52); err != nil {
		t.Fatal(err)
	}
	for _, cardID := range []string{"card_changed", "card_keyed"} {
		write(cardID, "Ember")
	}
	mustExec(t, db, `UPDATE card_search SET title_order = '\x01',
		keyed = hashtextextended((title_key || E'\n' || searched) COLLATE "C", 1) WHERE card_id <> 'card_old'`)
	write("card_changed", "Amber")
	write("card_new", "Ember")
	check := func() {
		t.Helper()
		var got []string
		err := db.Select(t.Context(), &got, `
			SELECT card_id FROM card_search WHERE account_id = 'acc_1'
				AND keyed IS DISTINCT FROM hashtextextended((title_key || E'\n' || searched) COLLATE "C", 1)
			ORDER BY card_id`)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"card_changed", "card_new", "card_old"}, got); diff != "" {
			t.Errorf("cards (-want +got):\n%s", diff)
		}
		var indexes []string
		if err := db.Select(t.Context(), &indexes, `
			SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
			WHERE indisvalid AND (relname LIKE 'card%keys_missing' OR relname LIKE 'card%\_order')
			ORDER BY 1`); err != nil {
			t.Fatal(err)
		}
		want := []string{
			"card_search_keys_missing", "card_search_title_order", "cards_keys_missing", "cards_location_order",
		}
		if diff := cmp.Diff(want, indexes); diff != "" {
			t.Errorf("indexes (-want +got):\n%s", diff)
		}
	}
	check()
	interrupted(t, db, provider, 52)
	check()
}

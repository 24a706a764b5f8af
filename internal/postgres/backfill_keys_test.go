package postgres_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The index has the cards that exist, and those that processes of the previous version write.
func TestMigration0034_IndexesTheKeysOfExistingCards(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db, provider := migratedTo(t, 33)
	mustExec(t, db, `INSERT INTO card_search (account_id, card_id, searched, title_key)
		SELECT 'acc_' || n % 9, 'card_' || n, 'Ember Fox ' || n || E'\nDawn', '' FROM generate_series(1000, 9000) n`)
	if _, err := provider.UpTo(ctx, 34); err != nil {
		t.Fatal(err)
	}
	mustExec(t, db, `INSERT INTO card_search (account_id, card_id, searched, title_key)
		VALUES ('acc_1', 'card_new', 'ÉMBER FOX 2800', ''), ('acc_2', 'card_new', 'Ember Fox 2800', '')`)
	check := func() {
		t.Helper()
		var got []string
		err := db.Select(ctx, &got, `
			SELECT card_id FROM card_search
			WHERE account_id = 'acc_1' AND card_search_keys(account_id, searched) COLLATE "C"
				@> ARRAY(SELECT right('acc_1', 4) || t FROM unnest(ARRAY['mbe', 'fox', '280', '800']) t)
			ORDER BY 1`)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"card_2800", "card_new"}, got); diff != "" {
			t.Errorf("cards (-want +got):\n%s", diff)
		}
		var indexes []string
		if err := db.Select(ctx, &indexes, `
			SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
			WHERE indrelid = 'card_search'::regclass AND indisvalid ORDER BY 1`); err != nil {
			t.Fatal(err)
		}
		want := []string{"card_search_by_keys", "card_search_pkey", "card_search_title"}
		if diff := cmp.Diff(want, indexes); diff != "" {
			t.Errorf("indexes (-want +got):\n%s", diff)
		}
	}
	check()
	interrupted(t, db, provider, 34)
	check()
}

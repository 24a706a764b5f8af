package postgres_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"github.com/cardvault/cardvault/internal/postgres"
)

// cardsBefore0022 are cards of two accounts with the same identifiers, and their rows in card_search. More cards than a
// step of the migration reads come before them.
var cardsBefore0022 = []string{
	twoAccounts,
	`INSERT INTO cards (account_id, id, workflow_status, identification_status, ever_priced, archived,
		awaits_identification, photos, version, created_at, updated_at, title, set, number, sku, external_id,
		asking_amount, asking_currency, location)
	SELECT c.account, c.id, 'imported', 'none', false, false, false, '[]', 1, now(), now(), c.title, c.set, c.number,
		c.sku, c.external, c.amount, c.currency, c.location FROM (VALUES
		('acc_a', 'card_full', 'ÉMBER Fox', 'Dawn', '54/167', 'SKU-1', 'Shop-1', 1250, 'USD', 'Room A'),
		('acc_a', 'card_long', repeat('Ab', 100), NULL, NULL, NULL, NULL, 99999999999, 'EUR', NULL),
		('acc_a', 'card_none', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
		('acc_a', 'card_numbered', NULL, NULL, '7', NULL, NULL, 0, 'JPY', 'Room B'),
		('acc_b', 'card_full', 'Jade Owl', NULL, NULL, 'SKU-9', NULL, 5, 'GBP', NULL)
	) AS c (account, id, title, set, number, sku, external, amount, currency, location)`,
	`INSERT INTO cards (account_id, id, workflow_status, title, identification_status, ever_priced, archived,
		awaits_identification, photos, version, created_at, updated_at)
	SELECT 'acc_a', 'card_' || n, 'identified', 'Fox ' || n, 'identified', false, false, false, '[]', 1, now(), now()
	FROM generate_series(10000, 15000) n`,
	`INSERT INTO card_search (account_id, card_id, content)
	SELECT account_id, id, title FROM cards WHERE title IS NOT NULL`,
}

// derivedRow is a card's rows in card_prices and card_search.
type derivedRow struct {
	Account  string `db:"account_id"`
	Card     string `db:"card_id"`
	PriceKey string `db:"price_key"`
	Searched string `db:"searched"`
	TitleKey string `db:"title_key"`
}

// Existing cards get the same derived rows as new ones. Writes of a process of the previous version fail.
func TestMigration0022_FillsTheDerivedTables(t *testing.T) {
	t.Parallel()
	db, provider := migratedTo(t, 21)
	mustExec(t, db, cardsBefore0022...)
	if _, err := provider.UpTo(t.Context(), 22); err != nil {
		t.Fatal(err)
	}
	checkDerived(t, db)
	t.Run("repeated after a failure", func(t *testing.T) {
		mustExec(t, db, `DELETE FROM card_prices WHERE account_id = 'acc_b'`,
			`UPDATE card_search SET searched = 'Jade Owl', title_key = '' WHERE account_id = 'acc_b'`)
		interrupted(t, db, provider, 22)
		checkDerived(t, db)
	})
	_, err := db.Exec(t.Context(), `
		INSERT INTO card_search (account_id, card_id, content) VALUES ('acc_a', 'card_new', 'Owl')`)
	if pq.As(err, pqerror.UndefinedColumn) == nil {
		t.Errorf("write of the previous version = %v, want an error", err)
	}
}

// checkDerived compares the derived rows of the cards, and those of the many other cards with their titles.
func checkDerived(t *testing.T, db *postgres.DB) {
	t.Helper()
	var got []derivedRow
	if err := db.Select(t.Context(), &got, `
		SELECT account_id, card_id, price_key, searched, title_key
		FROM card_prices FULL JOIN card_search USING (account_id, card_id)
		WHERE card_id NOT LIKE 'card\_1%' ORDER BY 1, 2`); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("Ab", 100)
	want := []derivedRow{
		{"acc_a", "card_full", "USD00000001250", "ÉMBER Fox\n54/167\nDawn\nSKU-1\nShop-1", "émber fox"},
		{"acc_a", "card_long", "EUR99999999999", long, strings.ToLower(long[:80])},
		{"acc_a", "card_none", "", "", ""},
		{"acc_a", "card_numbered", "JPY00000000000", "7", ""},
		{"acc_b", "card_full", "GBP00000000005", "Jade Owl\nSKU-9", "jade owl"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("derived rows (-want +got):\n%s", diff)
	}
	var wrong int
	if err := db.Get(t.Context(), &wrong, `
		SELECT count(*) FROM cards c
		LEFT JOIN card_prices p ON p.account_id = c.account_id AND p.card_id = c.id
		LEFT JOIN card_search s ON s.account_id = c.account_id AND s.card_id = c.id
		WHERE c.id LIKE 'card\_1%'
			AND (p.price_key, s.searched, s.title_key) IS DISTINCT FROM ('', c.title, lower(c.title))`); err != nil {
		t.Fatal(err)
	}
	if wrong > 0 {
		t.Errorf("%d of the other cards have wrong rows", wrong)
	}
}

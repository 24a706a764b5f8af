package postgres_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/postgres"
)

// soldBefore0019 are cards and listings of two accounts with the same identifiers. More listings than a step of the
// migration reads come before them.
var soldBefore0019 = []string{
	twoAccounts,
	`INSERT INTO cards (account_id, id, workflow_status, title, set, number, cost_amount, cost_currency, listing_id,
		listing_status, identification_status, ever_priced, archived, awaits_identification, photos, version,
		created_at, updated_at)
	SELECT c.*, 'identified', true, false, false, '[]', 3, now(), now() FROM (VALUES
		('acc_a', 'card_sold', 'sold', 'Ember Fox', 'Dawn', '54/167', 300, 'USD', 'lst_sold', 'sold'),
		('acc_a', 'card_untitled', 'sold', NULL, NULL, NULL, NULL, NULL, 'lst_untitled', 'sold'),
		('acc_a', 'card_live', 'listed', 'Frost Fox', NULL, NULL, 100, 'USD', 'lst_live', 'live'),
		('acc_a', 'card_unknown', 'sold', 'Dusk Fox', NULL, NULL, NULL, NULL, 'lst_unknown', 'sold'),
		('acc_b', 'card_sold', 'sold', 'Jade Owl', NULL, '7', 250, 'GBP', 'lst_sold', 'sold')
	) AS c`,
	`INSERT INTO listings (account_id, id, card_id, marketplace, status, title, price_amount, price_currency,
		version, created_at, updated_at)
	SELECT 'acc_a', 'lst_' || n, 'card_sold', 'ebay', 'ended', 'Ember Fox', 1500, 'USD', 2, now(), now()
	FROM generate_series(10000, 15000) n`,
	`INSERT INTO listings (account_id, id, card_id, marketplace, status, title, price_amount, price_currency,
		sold_amount, sold_currency, buyer_reference, sold_at, version, created_at, updated_at)
	SELECT l.account, l.id, l.card, l.marketplace, l.status, 'Offer', 1400, 'USD', l.amount, l.currency, l.buyer,
		l.sold_at::timestamptz, 4, '2026-05-01T00:00:00Z', '2026-05-12T08:00:00.5Z' FROM (VALUES
		('acc_a', 'lst_sold', 'card_sold', 'ebay', 'sold', 1250, 'USD', 'order-1', '2026-05-11T15:32:01.123456Z'),
		('acc_a', 'lst_untitled', 'card_untitled', 'sandbox', 'sold', 99999999999, 'JPY', NULL, '2026-05-11T15:32:02Z'),
		('acc_a', 'lst_deleted', 'card_deleted', 'ebay', 'sold', 5, 'USD', 'order-2', '2026-05-11T15:32:03Z'),
		('acc_a', 'lst_live', 'card_live', 'ebay', 'live', NULL, NULL, NULL, NULL),
		('acc_a', 'lst_unknown', 'card_unknown', 'ebay', 'sold', NULL, NULL, NULL, '2026-05-11T15:32:03Z'),
		('acc_a', 'lst_undated', 'card_unknown', 'ebay', 'sold', 9, 'USD', NULL, NULL),
		('acc_a', 'lst_cancelled', 'card_live', 'ebay', 'ended', 9, 'USD', 'order-4', '2026-05-11T15:32:03Z'),
		('acc_b', 'lst_sold', 'card_sold', 'sandbox', 'sold', 700, 'EUR', 'order-3', '2026-05-11T15:32:04Z')
	) AS l (account, id, card, marketplace, status, amount, currency, buyer, sold_at)`,
}

// backfilledSale is a sale that the migration creates.
type backfilledSale struct {
	Account   string    `db:"account_id"`
	ID        string    `db:"id"`
	Card      string    `db:"card_id"`
	Listing   string    `db:"listing_id"`
	Channel   string    `db:"channel"`
	Order     *string   `db:"order_reference"`
	Buyer     *string   `db:"buyer_reference"`
	SoldAt    time.Time `db:"sold_at"`
	Gross     int64     `db:"gross"`
	Currency  string    `db:"currency"`
	Cost      *int64    `db:"cost_amount"`
	CostIn    *string   `db:"cost_currency"`
	Title     *string   `db:"card_title"`
	Set       *string   `db:"card_set"`
	Number    *string   `db:"card_number"`
	Status    string    `db:"status"`
	UpdatedAt time.Time `db:"updated_at"`
	// Rest are the columns without a value in listings.
	Rest string `db:"rest"`
}

func backfilledSales(t *testing.T, db *postgres.DB) (all []backfilledSale) {
	t.Helper()
	if err := db.Select(t.Context(), &all, `
		SELECT account_id, id, card_id, listing_id, channel, order_reference, buyer_reference, sold_at, gross, currency,
			cost_amount, cost_currency, card_title, card_set, card_number, status, updated_at,
			concat_ws(' ', version, shipping_charged, shipping_cost, tax, fees, fee_total, refunds, refunded,
				restocked_at, shipped_at, carrier, tracking_number, created_at = updated_at) AS rest
		FROM sales ORDER BY account_id, sold_at`); err != nil {
		t.Fatal(err)
	}
	return all
}

// text returns a pointer to a text.
func text(s string) *string { return &s }

// salesOf0019 returns the sales that the migration creates of soldBefore0019.
func salesOf0019() []backfilledSale {
	at := func(second, microsecond int) time.Time {
		return time.Date(2026, 5, 11, 15, 32, second, microsecond*1000, time.UTC)
	}
	changed := time.Date(2026, 5, 12, 8, 0, 0, 5e8, time.UTC)
	cost, costOfB := int64(300), int64(250)
	const rest = "1 0 0 0 [] 0 [] 0 t"
	return []backfilledSale{
		{
			"acc_a", "sale_sold", "card_sold", "lst_sold", "ebay", text("order-1"), text("order-1"), at(1, 123456),
			1250, "USD", &cost, text("USD"), text("Ember Fox"), text("Dawn"), text("54/167"), "completed", changed,
			rest,
		},
		{
			"acc_a", "sale_untitled", "card_untitled", "lst_untitled", "sandbox", nil, nil, at(2, 0),
			99_999_999_999, "JPY", nil, nil, text("Offer"), nil, nil, "completed", changed, rest,
		},
		{
			"acc_a", "sale_deleted", "card_deleted", "lst_deleted", "ebay", text("order-2"), text("order-2"), at(3, 0),
			5, "USD", nil, nil, text("Offer"), nil, nil, "completed", changed, rest,
		},
		{
			"acc_b", "sale_sold", "card_sold", "lst_sold", "sandbox", text("order-3"), text("order-3"), at(4, 0),
			700, "EUR", &costOfB, text("GBP"), text("Jade Owl"), nil, text("7"), "completed", changed, rest,
		},
	}
}

// Each sold listing gets a sale with what its card cost, and a card that is sold refers to its sale.
func TestMigration0019_CreatesSales(t *testing.T) {
	t.Parallel()
	db, provider := migratedTo(t, 18)
	mustExec(t, db, soldBefore0019...)
	if _, err := provider.UpTo(t.Context(), 19); err != nil {
		t.Fatal(err)
	}
	checkSales(t, db)
	t.Run("repeated after a failure", func(t *testing.T) {
		mustExec(t, db, `DELETE FROM sales WHERE account_id = 'acc_b'`,
			`UPDATE cards SET sale_id = NULL WHERE account_id = 'acc_b'`)
		interrupted(t, db, provider, 19)
		checkSales(t, db)
	})
}

// checkSales compares the sales, and the sale of each card.
func checkSales(t *testing.T, db *postgres.DB) {
	t.Helper()
	if diff := cmp.Diff(salesOf0019(), backfilledSales(t, db)); diff != "" {
		t.Errorf("sales (-want +got):\n%s", diff)
	}
	var got []string
	if err := db.Select(t.Context(), &got, `
		SELECT concat_ws(' ', account_id, id, sale_id) FROM cards ORDER BY account_id, id`); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"acc_a card_live", "acc_a card_sold sale_sold", "acc_a card_unknown", "acc_a card_untitled sale_untitled",
		"acc_b card_sold sale_sold",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sales of the cards (-want +got):\n%s", diff)
	}
}

// A listing of before has no revision, and processes of the version before can add listings.
func TestMigration0021_KeepsListings(t *testing.T) {
	t.Parallel()
	db, provider := migratedTo(t, 20)
	add := func(id string) {
		mustExec(t, db, `
			INSERT INTO listings (account_id, id, card_id, marketplace, status, title, price_amount, price_currency,
				version, created_at, updated_at)
			VALUES ('acc_a', '`+id+`', '`+id+`', 'ebay', 'live', 'Ember Fox', 1250, 'USD', 2, now(), now())`)
	}
	add("lst_before")
	if _, err := provider.UpTo(t.Context(), 21); err != nil {
		t.Fatal(err)
	}
	add("lst_during")
	var got []string
	if err := db.Select(t.Context(), &got, `
		SELECT concat_ws(' ', id, status, revision_status, revision_code, revision_message)
		FROM listings ORDER BY id`); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"lst_before live none", "lst_during live none"}, got); diff != "" {
		t.Errorf("listings (-want +got):\n%s", diff)
	}
}

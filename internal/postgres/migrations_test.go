package postgres_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"github.com/pressly/goose/v3"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/migrations"
)

// migratedTo returns a database with the schema of a version, and what migrates it further.
func migratedTo(t *testing.T, version int64) (*postgres.DB, *goose.Provider) {
	t.Helper()
	db := pgtest.New(t)
	provider, err := goose.NewProvider(goose.DialectPostgres, db.SQL(), migrations.Files)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.DownTo(t.Context(), version); err != nil {
		t.Fatal(err)
	}
	return db, provider
}

const twoAccounts = `
	INSERT INTO accounts (id, name, sandbox, created_at)
	VALUES ('acc_a', 'Shop', false, now()), ('acc_b', 'Other shop', false, now())`

// interrupted makes the migration to a version run again, as after a failure before its end.
func interrupted(t *testing.T, db *postgres.DB, provider *goose.Provider, version int64) {
	t.Helper()
	if _, err := db.Exec(t.Context(), `DELETE FROM goose_db_version WHERE version_id = $1`, version); err != nil {
		t.Fatal(err)
	}
	if _, err := provider.UpTo(t.Context(), version); err != nil {
		t.Fatal(err)
	}
}

// Existing cards get the same derived rows as new ones. Writes of a process of the previous version fail, so that no
// card changes without its row in card_changes.
func TestMigration0008_FillsTheDerivedTables(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db, provider := migratedTo(t, 7)
	const before = `
		INSERT INTO cards (account_id, id, workflow_status, title, identification_status, ever_priced, archived,
			auto_identify, photos, version, created_at, updated_at)
		VALUES ('acc_a', $1, 'imported', $2, 'pending', false, false, false, '[]', 1, $3, $3)`
	at := time.Date(2026, 5, 11, 15, 32, 1, 123456000, time.UTC)
	for card, title := range map[string]any{"card_a": "Ember Fox", "card_b": nil} {
		if _, err := db.Exec(ctx, before, card, title, at); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := provider.UpTo(ctx, 8); err != nil {
		t.Fatal(err)
	}
	type row struct {
		Card    string     `db:"card_id"`
		Changed *time.Time `db:"updated_at"`
		Content *string    `db:"content"`
	}
	var got []row
	if err := db.Select(ctx, &got, `
		SELECT card_id, updated_at, content
		FROM card_changes LEFT JOIN card_search USING (account_id, card_id) ORDER BY 1`); err != nil {
		t.Fatal(err)
	}
	title := "Ember Fox"
	if diff := cmp.Diff([]row{{"card_a", &at, &title}, {"card_b", &at, nil}}, got); diff != "" {
		t.Errorf("derived rows (-want +got):\n%s", diff)
	}
	for _, statement := range []string{
		before,
		`UPDATE cards SET auto_identify = $2 = $1, updated_at = $3 WHERE id = $1`,
	} {
		if _, err := db.Exec(ctx, statement, "card_c", "Frost Fox", at); pq.As(err, pqerror.UndefinedColumn) == nil {
			t.Errorf("write of the previous version = %v, want an error", err)
		}
	}
}

// pending stays only where an identification is queued or waits for a photo that is being fetched.
func TestMigration0016_CorrectsIdentificationStatus(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db, provider := migratedTo(t, 15)
	for _, statement := range []string{
		`INSERT INTO accounts (id, name, sandbox, created_at) VALUES ('acc_a', 'Shop', false, now())`,
		`INSERT INTO cards (account_id, id, workflow_status, identification_status, ever_priced, archived,
			awaits_identification, photos, version, created_at, updated_at)
		SELECT 'acc_a', id, 'imported', status, false, false, awaits, photos::jsonb, 1, now(), now() FROM (VALUES
			('card_done', 'identified', false, '[]'), ('card_failed', 'failed', false, '[]'),
			('card_fetched', 'pending', true, '[{"role": "front", "status": "pending"}]'),
			('card_nothing', 'pending', true, '[]'),
			('card_notasked', 'pending', false, '[{"role": "front", "status": "pending"}]'),
			('card_queued', 'pending', false, '[{"role": "front", "status": "ready"}]'),
			('card_unfetched', 'pending', true, '[{"role": "front", "status": "failed"}]')
		) AS c (id, status, awaits, photos)`,
		`INSERT INTO identifications (account_id, card_id, due_at) VALUES ('acc_a', 'card_queued', now())`,
	} {
		if _, err := db.Exec(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := provider.Up(ctx); err != nil {
		t.Fatal(err)
	}
	var got []string
	if err := db.Select(ctx, &got, `
		SELECT substr(id, 6) || ' ' || identification_status FROM cards ORDER BY id`); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"done identified", "failed failed", "fetched pending", "notasked none", "nothing none", "queued pending",
		"unfetched none",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
}

func TestMigration0014_RenamesStoredProvider(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db, provider := migratedTo(t, 13)
	for _, account := range []string{"acc_a", "acc_b"} {
		_, err := db.Exec(ctx, `
			INSERT INTO accounts (id, name, sandbox, created_at) VALUES ($1, 'Shop', false, now())`, account)
		if err != nil {
			t.Fatal(err)
		}
		// More than one batch of the migration, and every kind of provider in each.
		if _, err := db.Exec(ctx, `
			INSERT INTO cards (account_id, id, workflow_status, identification_status, provider, ever_priced, archived,
				awaits_identification, photos, version, created_at, updated_at)
			SELECT $1, 'card_' || n, 'identified', 'done', (ARRAY['reading', 'fingerprint', NULL])[1 + n % 3],
				false, false, false, '[]', 1, now(), now()
			FROM generate_series(1, 6000) n`, account); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := provider.Up(ctx); err != nil {
		t.Fatal(err)
	}
	type row struct {
		Account  string  `db:"account_id"`
		Provider *string `db:"provider"`
		Cards    int     `db:"cards"`
	}
	var got []row
	if err := db.Select(ctx, &got, `
		SELECT account_id, provider, count(*) AS cards FROM cards GROUP BY 1, 2 ORDER BY 1, 2 NULLS LAST`); err != nil {
		t.Fatal(err)
	}
	fingerprint, ocr := "fingerprint", "ocr"
	want := []row{
		{"acc_a", &fingerprint, 2000}, {"acc_a", &ocr, 2000}, {"acc_a", nil, 2000},
		{"acc_b", &fingerprint, 2000}, {"acc_b", &ocr, 2000}, {"acc_b", nil, 2000},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("providers (-want +got):\n%s", diff)
	}
}

// The tables of the sandbox marketplace move with their rows into its schema if it was used, and are dropped if not.
func TestMigration0033_RemovesTheMarket(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		insert string
		want   []string
	}{
		"unused": {"SELECT 1", nil},
		"used": {`INSERT INTO market_offers (sku, seller, item, state, created_at, updated_at)
			VALUES ('lst1', 'acc_a', '{}', 'draft', now(), now())`, []string{"market.offers 1", "market.orders 0"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, provider := migratedTo(t, 30)
			if _, err := db.Exec(t.Context(), tc.insert); err != nil {
				t.Fatal(err)
			}
			if _, err := provider.Up(t.Context()); err != nil {
				t.Fatal(err)
			}
			var got []string
			err := db.Select(t.Context(), &got, `
				SELECT n.nspname || '.' || c.relname || ' ' || (xpath('/row/n/text()',
					query_to_xml(format('SELECT count(*) AS n FROM %I.%I', n.nspname, c.relname), false, true, '')))[1]
				FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
				WHERE c.relkind = 'r' AND (n.nspname = 'market' OR c.relname LIKE 'market\_%'
					AND c.relname NOT IN ('marketplace_polls', 'marketplace_calls')) ORDER BY 1`)
			if diff := cmp.Diff(tc.want, got); err != nil || diff != "" {
				t.Errorf("tables of the marketplace: %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

package cards

import (
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

const fillHistory = `
	INSERT INTO card_history (account_id, card_id, at, version, actor_type, actor_id, changes)
	SELECT 'acc_' || n % 5, 'card_' || n % 37, timestamptz '2026-01-01' + n * interval '10 minutes', n, 'user', '', '[]'
	FROM generate_series(1, 12000) AS n`

// A page costs the same however many changes the account has: no partition is read whole.
func TestHistoryList_ReadsIndexInOrder(t *testing.T) {
	t.Parallel()
	db, err := postgres.Open(postgres.Config{URL: pgtest.URL(t), MaxConns: 1, Unprepared: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	ctx := t.Context()
	if err := historyTable.Make(ctx, db, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), 3); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(ctx, fillHistory); err != nil {
		t.Fatal(err)
	}
	text, _ := historyList("acc_1").Statement(&paging.Position{}, 50)
	for _, statement := range []string{
		"ANALYZE card_history", "SET plan_cache_mode = force_generic_plan", "PREPARE page AS " + text,
	} {
		if _, err := db.SQL().ExecContext(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	var plan []string
	err = db.Select(ctx, &plan, `
		EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) EXECUTE page('acc_1', '2026-03-01', 'card_1', 51)`)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(plan, "\n")
	if !strings.Contains(got, "$1") || strings.Contains(got, "->  Sort ") || strings.Contains(got, "Seq Scan") ||
		!strings.Contains(got, "account_id_at_card_id_idx") {
		t.Errorf("the plan does not read the index in order:\n%s", got)
	}
}

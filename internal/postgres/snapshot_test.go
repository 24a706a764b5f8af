package postgres_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

func TestDB_SnapshotSeesOneState(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	mustExec(t, db, "CREATE TABLE things (name text)")
	count := func(q postgres.Querier) (n int) {
		if err := q.Get(ctx, &n, "SELECT count(*) FROM things"); err != nil {
			t.Fatal(err)
		}
		return n
	}
	err := db.Snapshot(ctx, func(q *postgres.Snapshot) error {
		before := count(q)
		mustExec(t, db, "INSERT INTO things VALUES ('a')")
		if after := count(q); before != 0 || after != 0 {
			t.Errorf("%d and then %d rows in the snapshot, want none", before, after)
		}
		return nil
	})
	if err != nil || count(db) != 1 {
		t.Errorf("%v, and %d rows afterwards, want 1", err, count(db))
	}
}

// A snapshot has its settings, also after one that failed, and leaves the connection as it was.
func TestDB_SnapshotSettingsEndWithIt(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	db.SQL().SetMaxOpenConns(1)
	settings := func(q postgres.Querier) (values []string) {
		err := q.Select(ctx, &values, `
			SELECT setting FROM pg_settings WHERE name IN (
				'enable_incremental_sort', 'enable_seqscan', 'enable_sort', 'jit', 'plan_cache_mode',
				'transaction_isolation', 'transaction_read_only') ORDER BY name`)
		if err != nil {
			t.Fatal(err)
		}
		return values
	}
	outside, boom := settings(db), errors.New("boom")
	for _, fails := range []bool{false, true, false} {
		var inside []string
		err := db.Snapshot(ctx, func(q *postgres.Snapshot) error {
			if inside = settings(q); !fails {
				return nil
			}
			if _, err := q.Exec(ctx, "DELETE FROM pg_class"); err == nil {
				t.Error("a snapshot deleted rows")
			}
			return boom
		})
		if errors.Is(err, boom) != fails {
			t.Error(err)
		}
		want := []string{"off", "off", "off", "off", "force_generic_plan", "repeatable read", "on"}
		if diff := cmp.Diff(want, inside); diff != "" {
			t.Errorf("settings of the snapshot (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(outside, settings(db)); diff != "" {
			t.Errorf("settings after the snapshot (-want +got):\n%s", diff)
		}
	}
}

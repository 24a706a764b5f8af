package partitions_test

import (
	"sync"
	"testing"
	"time"
)

const indexed = `
	SELECT count(*) FROM pg_inherits h JOIN pg_index x ON x.indexrelid = h.inhrelid
	WHERE h.inhparent = 'things_at'::regclass AND x.indisvalid`

// Partitions that were there before the index get it, and later ones have it from the start. An interrupted attempt and
// calls at the same time do no harm.
func TestTable_BuildIndexes(t *testing.T) {
	t.Parallel()
	db, noon := setup(t), time.Date(2026, 2, 27, 12, 0, 0, 0, time.UTC)
	if err := things.Make(t.Context(), db, noon, 1); err != nil {
		t.Fatal(err)
	}
	mustExec(t, db, "CREATE INDEX things_at ON ONLY things (at)")
	mustExec(t, db, "CREATE INDEX things_20260227_at ON things_20260227 (at)")
	mustExec(t, db, "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'things_20260227_at'::regclass")
	if err := things.Make(t.Context(), db, noon, 2); err != nil {
		t.Fatal(err)
	}
	if n := count(t, db, indexed); n != 1 {
		t.Fatalf("%d partitions have the index, want the new one", n)
	}
	var builders sync.WaitGroup
	for range 3 {
		builders.Go(func() {
			if err := things.BuildIndexes(t.Context(), db); err != nil {
				t.Error(err)
			}
		})
	}
	builders.Wait()
	if n := count(t, db, indexed); n != 1+3 {
		t.Errorf("%d partitions have the index, want 4", n)
	}
	if n := count(t, db, "SELECT count(*) FROM pg_index WHERE NOT indisvalid"); n != 0 {
		t.Errorf("%d indexes are invalid, want none", n)
	}
	if n := count(t, db, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 566263621"); n != 0 {
		t.Errorf("%d advisory locks are held", n)
	}
}

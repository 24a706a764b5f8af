package partitions_test

import (
	"sync"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/partitions"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

var things = partitions.Table{Name: "things", Key: "at"}

func setup(t *testing.T) *postgres.DB {
	t.Helper()
	db := pgtest.New(t)
	mustExec(t, db, "CREATE TABLE things (at timestamptz NOT NULL) PARTITION BY RANGE (at)")
	mustExec(t, db, "CREATE TABLE things_default PARTITION OF things DEFAULT")
	return db
}

func mustExec(t *testing.T, db *postgres.DB, query string, args ...any) {
	t.Helper()
	if _, err := db.Exec(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

func count(t *testing.T, db *postgres.DB, query string) (n int) {
	t.Helper()
	if err := db.Get(t.Context(), &n, query); err != nil {
		t.Fatal(err)
	}
	return n
}

const partitionCount = "SELECT count(*) FROM pg_inherits WHERE inhparent = 'things'::regclass"

func TestDaysAreMadeAheadAndDroppedBehind(t *testing.T) {
	t.Parallel()
	db := setup(t)
	noon := time.Date(2026, 2, 27, 12, 0, 0, 0, time.UTC)
	for range 2 { // again changes nothing
		if err := things.Make(t.Context(), db, noon, 3); err != nil {
			t.Fatal(err)
		}
	}
	if n := count(t, db, partitionCount); n != 1+4 {
		t.Fatalf("%d partitions", n)
	}
	for _, at := range []time.Time{noon, noon.AddDate(0, 0, 2), noon.AddDate(0, 0, 9), noon.AddDate(0, 0, -9)} {
		mustExec(t, db, "INSERT INTO things VALUES ($1)", at)
	}
	if n := count(t, db, "SELECT count(*) FROM things_default"); n != 2 {
		t.Fatalf("%d rows outside the days", n)
	}
	// The day of the limit itself stays whole; of the default partition goes what is older.
	if err := things.DropBefore(t.Context(), db, noon.AddDate(0, 0, 2)); err != nil {
		t.Fatal(err)
	}
	if left, rows := count(t, db, partitionCount), count(t, db, "SELECT count(*) FROM things"); left != 1+2 || rows != 2 {
		t.Fatalf("%d partitions, %d rows", left, rows)
	}
}

func TestADayThatTheDefaultPartitionHoldsStaysThere(t *testing.T) {
	t.Parallel()
	db := setup(t)
	noon := time.Date(2026, 2, 27, 12, 0, 0, 0, time.UTC)
	mustExec(t, db, "INSERT INTO things VALUES ($1)", noon)
	if err := things.Make(t.Context(), db, noon, 1); err != nil {
		t.Fatal(err)
	}
	if n := count(t, db, partitionCount); n != 1+1 {
		t.Fatalf("%d partitions", n)
	}
}

func TestSeveralProcessesMayMakeTheSameDays(t *testing.T) {
	t.Parallel()
	db := setup(t)
	var makers sync.WaitGroup
	for range 4 {
		makers.Go(func() {
			if err := things.Make(t.Context(), db, time.Now(), 5); err != nil {
				t.Error(err)
			}
		})
	}
	makers.Wait()
	if n := count(t, db, partitionCount); n != 1+6 {
		t.Fatalf("%d partitions", n)
	}
}

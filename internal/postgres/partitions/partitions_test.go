package partitions_test

import (
	"fmt"
	"math"
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

func TestTable_MakesAndDropsDays(t *testing.T) {
	t.Parallel()
	db := setup(t)
	noon := time.Date(2026, 2, 27, 12, 0, 0, 0, time.UTC)
	for range 2 { // the second call changes nothing
		if err := things.Make(t.Context(), db, noon, 3); err != nil {
			t.Fatal(err)
		}
	}
	if n := count(t, db, partitionCount); n != 1+4 {
		t.Fatalf("%d partitions, want the default one and 4 days", n)
	}
	for _, at := range []time.Time{noon, noon.AddDate(0, 0, 2), noon.AddDate(0, 0, 9), noon.AddDate(0, 0, -9)} {
		mustExec(t, db, "INSERT INTO things VALUES ($1)", at)
	}
	if n := count(t, db, "SELECT count(*) FROM things_default"); n != 2 {
		t.Fatalf("%d rows in the default partition, want 2", n)
	}
	// The day of the limit stays complete, while the default partition loses all older rows.
	if err := things.DropBefore(t.Context(), db, noon.AddDate(0, 0, 2)); err != nil {
		t.Fatal(err)
	}
	left, rows := count(t, db, partitionCount), count(t, db, "SELECT count(*) FROM things")
	if left != 1+2 || rows != 2 {
		t.Fatalf("%d partitions, %d rows, want 3 and 2", left, rows)
	}
}

func TestTable_MakesAndDropsMonths(t *testing.T) {
	t.Parallel()
	db := setup(t)
	monthly := partitions.Table{Name: "things", Key: "at", Period: partitions.Month}
	last := time.Date(2026, 12, 31, 23, 59, 59, 0, time.UTC)
	mustExec(t, db, "INSERT INTO things VALUES ($1)", last)
	if err := monthly.Make(t.Context(), db, last, 2); err != nil {
		t.Fatal(err)
	}
	for _, at := range []time.Time{last.Add(time.Second), last.AddDate(0, 0, 31), last.AddDate(0, 0, 32)} {
		mustExec(t, db, "INSERT INTO things VALUES ($1)", at)
	}
	var rows []struct {
		Partition string `db:"partition"`
		Rows      int    `db:"rows"`
	}
	const perPartition = `
		SELECT tableoid::regclass::text AS partition, count(*) AS rows FROM things GROUP BY 1 ORDER BY 1`
	if err := db.Select(t.Context(), &rows, perPartition); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(rows), "[{things_20261201 1} {things_20270101 2} {things_20270201 1}]"; got != want {
		t.Errorf("rows by partition: %s, want %s", got, want)
	}
	if err := monthly.DropBefore(t.Context(), db, last.AddDate(0, 0, 20)); err != nil {
		t.Fatal(err)
	}
	if left := count(t, db, partitionCount); left != 1+2 {
		t.Errorf("%d partitions, want the default one and two months", left)
	}
	if left := count(t, db, "SELECT count(*) FROM things"); left != 3 {
		t.Errorf("%d rows, want 3", left)
	}
}

// Rows of today and of a distant day move from the default partition to partitions of their own. Later rows of these
// days go there too, and readers miss no row meanwhile.
func TestTable_MovesRowsOutOfDefault(t *testing.T) {
	t.Parallel()
	db := setup(t)
	mustExec(t, db, "CREATE INDEX things_at ON things (at)")
	noon := time.Date(2026, 2, 27, 12, 0, 0, 0, time.UTC)
	far := noon.AddDate(3, 0, 0)
	for _, at := range []time.Time{noon, far} {
		mustExec(t, db, `
			INSERT INTO things
			SELECT $1::timestamptz + i * interval '1 microsecond' FROM generate_series(1, 5000) i`, at)
	}
	done := make(chan struct{})
	reader := readAll(t, db, done)
	if err := things.Make(t.Context(), db, noon, 1); err != nil {
		t.Fatal(err)
	}
	close(done)
	if least := <-reader; least < 10_000 {
		t.Errorf("a reader saw only %d of 10000 rows", least)
	}
	for _, at := range []time.Time{noon, far} {
		mustExec(t, db, "INSERT INTO things VALUES ($1)", at)
	}
	rows, misplaced := count(t, db, "SELECT count(*) FROM things"), count(t, db, "SELECT count(*) FROM things_default")
	if rows != 10_002 || misplaced != 0 {
		t.Errorf("%d rows, %d of them in the default partition, want 10002 and 0", rows, misplaced)
	}
	if n := count(t, db, partitionCount); n != 1+2+1 {
		t.Errorf("%d partitions, want 4", n)
	}
	if n := count(t, db, "SELECT count(*) FROM pg_inherits WHERE inhparent = 'things_at'::regclass"); n != 1+2+1 {
		t.Errorf("%d partitions have the index, want 4", n)
	}
}

// readAll counts the rows until done is closed, and returns the smallest count.
func readAll(t *testing.T, db *postgres.DB, done <-chan struct{}) <-chan int {
	t.Helper()
	least := make(chan int, 1)
	go func() {
		smallest := math.MaxInt
		for {
			var n int
			if err := db.Get(t.Context(), &n, "SELECT count(*) FROM things"); err != nil {
				t.Error(err)
			}
			smallest = min(smallest, n)
			select {
			case <-done:
				least <- smallest
				return
			default:
			}
		}
	}()
	return least
}

// Old rows in the default partition are deleted in batches, each in a transaction of its own.
func TestTable_DeletesFromDefaultInBatches(t *testing.T) {
	t.Parallel()
	db := setup(t)
	noon := time.Date(2026, 2, 27, 12, 0, 0, 0, time.UTC)
	const rows = 100_000 // 443 blocks, so 4 batches
	mustExec(t, db, `
		INSERT INTO things
		SELECT $1::timestamptz + i * interval '1 microsecond' FROM generate_series(1, $2::int) i`, noon, rows)
	mustExec(t, db, "CREATE TABLE deleted (transaction xid8, rows bigint)")
	mustExec(t, db, `CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN INSERT INTO deleted SELECT pg_current_xact_id(), count(*) FROM gone; RETURN NULL; END $$`)
	mustExec(t, db, `CREATE TRIGGER note AFTER DELETE ON things_default REFERENCING OLD TABLE AS gone
		FOR EACH STATEMENT EXECUTE FUNCTION note()`)
	if err := things.DropBefore(t.Context(), db, noon.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if n := count(t, db, "SELECT count(*) FROM things"); n != 0 {
		t.Errorf("%d rows left, want none", n)
	}
	most := count(t, db, "SELECT max(sum) FROM (SELECT sum(rows) FROM deleted GROUP BY transaction) d")
	if most > rows/3 {
		t.Errorf("one transaction deleted %d of %d rows, want at most a third", most, rows)
	}
}

func TestTable_MakeIsSafeForConcurrentUse(t *testing.T) {
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
		t.Fatalf("%d partitions, want the default one and 6 days", n)
	}
}

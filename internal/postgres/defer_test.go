package postgres_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// The second transaction repeats the statements of the first, so that they run unprepared and prepared.
func TestTx_DeferredStatementsRunAtCommit(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	mustExec(t, db, "CREATE TABLE things (name text PRIMARY KEY, size int NOT NULL)")
	mustExec(t, db, "CREATE TABLE parts (name text PRIMARY KEY, of text)")
	for _, name := range []string{"a", "b"} {
		err := db.InTx(t.Context(), func(tx *postgres.Tx) error {
			tx.Defer("INSERT INTO things (name, size) VALUES ($1, $2)", name, 7)
			tx.Defer("INSERT INTO parts (of, name) SELECT $1, unnest(ARRAY[$2, $3])", name, name+"1", name+"2")
			tx.Defer("DELETE FROM parts WHERE name = $1", "z")
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	got := selected(t, db, "SELECT name || size FROM things ORDER BY name")
	if diff := cmp.Diff([]string{"a7", "b7"}, got); diff != "" {
		t.Errorf("things (-want +got):\n%s", diff)
	}
	got = selected(t, db, "SELECT of || name FROM parts ORDER BY name")
	if diff := cmp.Diff([]string{"aa1", "aa2", "bb1", "bb2"}, got); diff != "" {
		t.Errorf("parts (-want +got):\n%s", diff)
	}
}

// Calls of DeferRows with the same query share a statement only if their strings are the same.
func TestTx_DeferRowsKeepsStrings(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	mustExec(t, db, "CREATE TABLE things (name text PRIMARY KEY, size int NOT NULL)")
	mustExec(t, db, "INSERT INTO things VALUES ('a', 0), ('b', 0)")
	err := db.InTx(t.Context(), func(tx *postgres.Tx) error {
		for _, row := range []struct {
			name  string
			sizes pq.Int64Array
		}{{"a", pq.Int64Array{2, 7}}, {"b", pq.Int64Array{3}}, {"a", pq.Int64Array{5}}} {
			tx.DeferRows("UPDATE things SET size = (SELECT max(n) FROM unnest($2::int[]) AS n) WHERE name = $1",
				row.name, row.sizes)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	got := selected(t, db, "SELECT name || size FROM things ORDER BY name")
	if diff := cmp.Diff([]string{"a7", "b3"}, got); diff != "" {
		t.Errorf("things (-want +got):\n%s", diff)
	}
}

func TestTx_StatementsSeeEarlierDeferredOnes(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	mustExec(t, db, "CREATE TABLE things (name text PRIMARY KEY)")
	err := db.InTx(t.Context(), func(tx *postgres.Tx) error {
		tx.Defer("INSERT INTO things VALUES ($1)", "a")
		var n int
		if err := tx.Get(t.Context(), &n, "SELECT count(*) FROM things"); err != nil || n != 1 {
			t.Errorf("%d things, %v, want 1", n, err)
		}
		tx.Defer("INSERT INTO things VALUES ($1)", "b")
		return tx.CopyIn(t.Context(), "things", []string{"name"}, func(yield func([]any) bool) { yield([]any{"c"}) })
	})
	got := selected(t, db, "SELECT name FROM things ORDER BY name")
	if err != nil || !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("things: %v, %v, want a, b and c", got, err)
	}
}

func TestTx_FailedDeferredStatementRollsBack(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	mustExec(t, db, "CREATE TABLE things (name text PRIMARY KEY)")
	committed := false
	err := db.InTx(t.Context(), func(tx *postgres.Tx) error {
		tx.AfterCommit(func() { committed = true })
		if _, err := tx.Exec(t.Context(), "INSERT INTO things VALUES ('a')"); err != nil {
			return err
		}
		tx.Defer("INSERT INTO things VALUES ($1)", "a")
		return nil
	})
	if !errors.Is(err, postgres.ErrDuplicate) || committed {
		t.Errorf("InTx = %v, AfterCommit ran: %v, want a duplicate and no commit", err, committed)
	}
	boom := errors.New("boom")
	err = db.InTx(t.Context(), func(tx *postgres.Tx) error {
		tx.Defer("INSERT INTO things VALUES ($1)", "b")
		return boom
	})
	if got := selected(t, db, "SELECT name FROM things"); !errors.Is(err, boom) || len(got) != 0 {
		t.Errorf("things: %v, %v, want none and the error of the function", got, err)
	}
}

func selected(t *testing.T, db *postgres.DB, query string) (found []string) {
	t.Helper()
	if err := db.Select(t.Context(), &found, query); err != nil {
		t.Fatal(err)
	}
	return found
}

func TestTx_DeferRowsMergesRows(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	mustExec(t, db, "CREATE TABLE things (name text, size bigint, at timestamptz)")
	mustExec(t, db, "CREATE TABLE statements (n int)")
	mustExec(t, db, `
		CREATE FUNCTION noted() RETURNS trigger LANGUAGE plpgsql AS
		$$ BEGIN INSERT INTO statements VALUES (1); RETURN NULL; END $$`)
	mustExec(t, db, "CREATE TRIGGER noted AFTER INSERT ON things FOR EACH STATEMENT EXECUTE FUNCTION noted()")
	at := time.Date(2026, 5, 11, 15, 32, 1, 120_000_000, time.FixedZone("", 3600))
	const query = "INSERT INTO things SELECT * FROM unnest($1::text[], $2::bigint[], $3::timestamptz[])"
	first := append(make(pq.StringArray, 0, 5), "a", `b"},{'`)
	err := db.InTx(t.Context(), func(tx *postgres.Tx) error {
		tx.DeferRows(query, first, pq.Int64Array{1, 2},
			pq.StringArray{timestamp.Format(at), timestamp.Format(at.Add(time.Microsecond))})
		tx.Defer("INSERT INTO statements VALUES ($1)", 2)
		tx.DeferRows(query, pq.StringArray{"c"}, pq.Int64Array{3},
			pq.StringArray{timestamp.Format(at.Add(time.Second))})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a1 14:32:01.12", `b"},{'2 14:32:01.120001`, "c3 14:32:02.12"}
	got := selected(t, db, `
		SELECT name || size || ' ' || to_char(at AT TIME ZONE 'UTC', 'HH24:MI:SS.') || rtrim(to_char(at, 'US'), '0')
		FROM things ORDER BY size`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("things (-want +got):\n%s", diff)
	}
	if got := selected(t, db, "SELECT n::text FROM statements ORDER BY n"); !slices.Equal(got, []string{"1", "2"}) {
		t.Errorf("statements: %v, want one for the three rows and the other one", got)
	}
	if first[:3][2] != "" {
		t.Errorf("the caller's array changed to %v", first[:3])
	}
}

// A statement that cannot be combined with others fails alone too, so that its first test finds it.
func TestTx_DeferRefusesStatement(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	mustExec(t, db, "CREATE TABLE things (name text PRIMARY KEY)")
	const insert = "INSERT INTO things SELECT * FROM unnest($1::text[])"
	for name, fn := range map[string]func(*postgres.Tx){
		"pattern":          func(tx *postgres.Tx) { tx.Defer("DELETE FROM things WHERE name ~ '^a$'") },
		"literal":          func(tx *postgres.Tx) { tx.Defer("DELETE FROM things WHERE name = '$1'", "a") },
		"dollar quotes":    func(tx *postgres.Tx) { tx.Defer("DELETE FROM things WHERE name = $$a$$") },
		"no such argument": func(tx *postgres.Tx) { tx.Defer("DELETE FROM things WHERE name = $2", "a") },
		"argument 0":       func(tx *postgres.Tx) { tx.Defer("DELETE FROM things WHERE name = $0", "a") },
		"column": func(tx *postgres.Tx) {
			tx.DeferRows(insert, pq.Float64Array{1})
		},
		"other column": func(tx *postgres.Tx) {
			tx.DeferRows(insert, pq.StringArray{"a"})
			tx.DeferRows(insert, pq.Int64Array{1})
		},
		"more columns": func(tx *postgres.Tx) {
			tx.DeferRows(insert, pq.StringArray{"a"})
			tx.DeferRows(insert, pq.StringArray{"b"}, pq.StringArray{"c"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := db.InTx(t.Context(), func(tx *postgres.Tx) error {
				tx.Defer("INSERT INTO things VALUES ($1)", name)
				fn(tx)
				return nil
			})
			alone := db.InTx(t.Context(), func(tx *postgres.Tx) error { fn(tx); return nil })
			if got := selected(t, db, "SELECT name FROM things"); err == nil || alone == nil || len(got) != 0 {
				t.Errorf("InTx = %v, alone %v, things %v, want errors and no row", err, alone, got)
			}
		})
	}
}

// Literals with quotes and casts stay as they are.
func TestTx_DeferKeepsLiterals(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	mustExec(t, db, "CREATE TABLE things (name text PRIMARY KEY, size bigint)")
	err := db.InTx(t.Context(), func(tx *postgres.Tx) error {
		tx.Defer("INSERT INTO things VALUES ('it''s ' || $2::text, $1)", 1, "a")
		tx.Defer("INSERT INTO things VALUES ($1||'-'||$1, '2'::bigint)", "b")
		return nil
	})
	got := selected(t, db, "SELECT name || size FROM things ORDER BY size")
	if diff := cmp.Diff([]string{"it's a1", "b-b2"}, got); err != nil || diff != "" {
		t.Errorf("InTx = %v, things (-want +got):\n%s", err, diff)
	}
}

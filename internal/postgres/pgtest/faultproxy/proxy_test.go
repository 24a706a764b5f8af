package faultproxy_test

import (
	"database/sql"
	"testing"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/postgres/pgtest/faultproxy"
)

// A connection freezes at its COMMIT, before or after the server receives it.
func TestProxy_LosesCommit(t *testing.T) {
	t.Parallel()
	proxy := pgtest.Proxy(t)
	through, direct := open(t, proxy.URL()), open(t, proxy.Direct())
	exec(t, direct, "CREATE TABLE things (name text)")
	for _, c := range []struct {
		name   string
		freeze func(string) <-chan *faultproxy.Link
		stored bool
	}{{"before", proxy.FreezeBefore, false}, {"after", proxy.FreezeAfter, true}} {
		t.Run(c.name, func(t *testing.T) {
			exec(t, direct, "TRUNCATE things")
			tx, err := through.Begin()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := tx.Exec("INSERT INTO things VALUES ('a')"); err != nil {
				t.Fatal(err)
			}
			frozen := c.freeze("COMMIT")
			committed := make(chan error, 1)
			go func() { committed <- tx.Commit() }()
			<-frozen
			stored := count(t, direct) == 1
			for c.stored && !stored { // the server has received the statement and executes it
				stored = count(t, direct) == 1
			}
			if stored != c.stored || len(committed) > 0 {
				t.Errorf("stored = %v, want %v; response arrived: %v", stored, c.stored, len(committed) > 0)
			}
			proxy.Thaw()
			if err := <-committed; err != nil {
				t.Errorf("commit after the thaw: %v", err)
			}
		})
	}
}

func count(t *testing.T, db *sql.DB) (n int) {
	t.Helper()
	if err := db.QueryRow("SELECT count(*) FROM things").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestProxy_FreezesAtPreparedStatement(t *testing.T) {
	t.Parallel()
	proxy := pgtest.Proxy(t)
	through := open(t, proxy.URL())
	stmt, err := through.Prepare("SELECT 40 + $1::int")
	if err != nil {
		t.Fatal(err)
	}
	hit := proxy.FreezeBefore("SELECT 40")
	responses := make(chan int, 1)
	go func() {
		var n int
		stmt.QueryRow(2).Scan(&n)
		responses <- n
	}()
	link := <-hit
	var one int
	if err := through.QueryRow("SELECT 1").Scan(&one); err != nil { // another connection
		t.Fatal(err)
	}
	select {
	case n := <-responses:
		t.Errorf("response %d arrived on a frozen connection", n)
	default:
	}
	link.Thaw()
	if n := <-responses; n != 42 {
		t.Errorf("response %d after the thaw, want 42", n)
	}
}

func TestProxy_CutEndsConnections(t *testing.T) {
	t.Parallel()
	proxy := pgtest.Proxy(t)
	through := open(t, proxy.URL())
	tx, err := through.Begin()
	if err != nil {
		t.Fatal(err)
	}
	proxy.Cut()
	if _, err := tx.Exec("SELECT 1"); err == nil {
		t.Error("a statement succeeded on a cut connection")
	}
	exec(t, through, "SELECT 1")
}

func open(t *testing.T, databaseURL string) *sql.DB {
	t.Helper()
	db, err := sql.Open("postgres", databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func exec(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

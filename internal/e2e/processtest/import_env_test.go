package processtest

import (
	"bufio"
	"bytes"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// importing is the application_name of the imports' database connections.
const importing = "cards_import"

// importEnv is an account and a file to import into it. The test can hold locks in the database meanwhile.
type importEnv struct {
	*account
	t    *testing.T
	db   *postgres.DB
	rows int
	file string
}

func newImport(t *testing.T, rows, notes int) *importEnv {
	t.Helper()
	address := pgtest.URL(t)
	db, err := postgres.Open(postgres.Config{URL: address})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	e := &importEnv{
		account: newSettings(t, address).account(t),
		t:       t, db: db, rows: rows, file: filepath.Join(t.TempDir(), "cards.csv"),
	}
	e.write(strings.Repeat("n", notes))
	return e
}

// write writes the file: one card per row, whose title has the row's number from 0.
func (e *importEnv) write(notes string) {
	e.t.Helper()
	file, err := os.Create(e.file)
	if err != nil {
		e.t.Fatal(err)
	}
	out := bufio.NewWriter(file)
	fmt.Fprintln(out, "title,notes")
	for i := range e.rows {
		fmt.Fprintf(out, "Card %d,%s\n", i, notes)
	}
	if err := out.Flush(); err != nil {
		e.t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		e.t.Fatal(err)
	}
}

// begin starts the command that imports the file.
func (e *importEnv) begin() *server {
	e.t.Helper()
	address, err := url.Parse(e.settings["CARDVAULT_DATABASE_URL"])
	if err != nil {
		e.t.Fatal(err)
	}
	query := address.Query()
	query.Set("application_name", importing)
	address.RawQuery = query.Encode()
	settings := e.settings.with("CARDVAULT_DATABASE_URL", address.String())
	return settings.start(e.t, "cards", "import", "--account", e.id, e.file)
}

// heldLock are the locks of a transaction of the test.
type heldLock struct {
	tx  *sql.Tx
	pid int // of the transaction's backend
}

// release ends the transaction.
func (l heldLock) release() { _ = l.tx.Rollback() } // fails if the end of the test has rolled it back

// lock executes a statement and holds its locks.
func (e *importEnv) lock(statement string, args ...any) (held heldLock) {
	e.t.Helper()
	tx, err := e.db.SQL().BeginTx(e.t.Context(), &sql.TxOptions{})
	if err == nil { // an import on a busy machine can take longer than the session's timeout to reach the lock
		_, err = tx.Exec(`SET LOCAL idle_in_transaction_session_timeout = 0`)
	}
	if err == nil {
		err = tx.QueryRow(`SELECT pg_backend_pid()`).Scan(&held.pid)
	}
	if err == nil {
		_, err = tx.Exec(statement, args...)
	}
	if err != nil {
		e.t.Fatal(err)
	}
	held.tx = tx
	return held
}

// lockClock locks the account's clock, which blocks every write of the account.
func (e *importEnv) lockClock() heldLock {
	e.t.Helper()
	return e.lock(`SELECT FROM account_clock WHERE account_id = $1 FOR UPDATE`, e.id)
}

// lockChunk locks the chunk that begins at the card with number place.
func (e *importEnv) lockChunk(place int) heldLock {
	e.t.Helper()
	return e.lock(`SELECT FROM card_import_chunks WHERE place = $1 FOR UPDATE`, place)
}

func (e *importEnv) count(query string) (n int) {
	e.t.Helper()
	if err := e.db.Get(e.t.Context(), &n, query); err != nil {
		e.t.Fatal(err)
	}
	return n
}

// awaitStaged waits until all rows are staged and the import waits for the account's clock.
func (e *importEnv) awaitStaged(clock heldLock) {
	e.t.Helper()
	eventually(e.t, "all rows are staged", func() bool {
		return e.count(`SELECT coalesce(sum(cards), 0) FROM card_import_chunks`) == e.rows
	})
	e.awaitBlocked(clock)
}

// awaitBlocked waits until the import waits for a lock of the test.
func (e *importEnv) awaitBlocked(held heldLock) {
	e.t.Helper()
	eventually(e.t, "the import waits for the lock", func() bool {
		return e.count(fmt.Sprintf(`
			SELECT count(*) FROM pg_stat_activity
			WHERE application_name = '%s' AND %d = ANY(pg_blocking_pids(pid))`, importing, held.pid)) > 0
	})
}

// awaitChunk waits until the import waits for the locked chunk that begins at the card with number place, and returns
// the number of cards that it has created.
func (e *importEnv) awaitChunk(chunk heldLock, place int) (created int) {
	e.t.Helper()
	e.awaitBlocked(chunk)
	created = e.count(`SELECT count(*) FROM cards`)
	if created > place || place > 0 && created == 0 {
		e.t.Errorf("the import created %d cards before it reached card %d", created, place)
	}
	if accepted := e.count(`SELECT count(*) FROM card_imports`); accepted != 1 {
		e.t.Errorf("%d imports are accepted, want 1", accepted)
	}
	return created
}

// finishByWorker starts a worker, waits until it has finished the import, and checks the result.
func (e *importEnv) finishByWorker() {
	e.t.Helper()
	e.settings.work(e.t)
	eventually(e.t, "a worker finishes the import", func() bool {
		return e.count(`SELECT count(*) FROM card_imports`) == 0
	})
	e.complete()
}

// complete checks that every row of the file is one card, in the order of the rows, with one event of each of two
// kinds.
func (e *importEnv) complete() {
	e.t.Helper()
	var titles []string
	if err := e.db.Select(e.t.Context(), &titles, `SELECT title FROM cards ORDER BY updated_at`); err != nil {
		e.t.Fatal(err)
	}
	for i, title := range titles {
		if want := fmt.Sprintf("Card %d", i); title != want {
			e.t.Fatalf("card %d is %q, want %q", i, title, want)
		}
	}
	events := e.count(`SELECT count(DISTINCT (event, body::json->'data'->>'card_id')) FROM events`)
	if all := e.count(`SELECT count(*) FROM events`); len(titles) != e.rows || events != 2*e.rows || all != events {
		e.t.Errorf("%d cards and %d events, %d of them distinct; want %d cards and %d events",
			len(titles), all, events, e.rows, 2*e.rows)
	}
	if left := e.count(`SELECT count(*) FROM card_import_chunks`); left != 0 {
		e.t.Errorf("%d chunks are left", left)
	}
}

// backendMemory returns the private memory of the import's largest backend in KiB.
func (e *importEnv) backendMemory() (largest int) {
	e.t.Helper()
	var pids []int
	err := e.db.Select(e.t.Context(), &pids, `SELECT pid FROM pg_stat_activity WHERE application_name = $1`, importing)
	if err != nil {
		e.t.Fatal(err)
	}
	for _, pid := range pids {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil { // the backend has ended
			continue
		}
		_, rest, found := bytes.Cut(status, []byte("RssAnon:"))
		if !found { // the backend is ending and has no memory any more
			continue
		}
		line, _, _ := bytes.Cut(rest, []byte("kB"))
		size, err := strconv.Atoi(strings.TrimSpace(string(line)))
		if err != nil {
			e.t.Fatalf("the memory of process %d: %v", pid, err)
		}
		largest = max(largest, size)
	}
	return largest
}

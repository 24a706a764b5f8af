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

	"github.com/cardvault/cardvault/internal/e2e/program"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// memoryFactor is how many times its usual memory the program may take as it is built.
func memoryFactor() int {
	if program.Race {
		return 3
	}
	return 1
}

// importing is the name that the connections of imports have in the database.
const importing = "cards_import"

// importEnv is an account into which a file is imported while the test holds locks in the database.
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
		account: newSettings(t, address).account(t), t: t, db: db, rows: rows, file: filepath.Join(t.TempDir(), "cards.csv"),
	}
	e.write(strings.Repeat("n", notes))
	return e
}

// write writes the file: one card a row, titled by its place.
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

// begin starts the import.
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

// lock holds what a statement locks until the returned function is called.
func (e *importEnv) lock(statement string, args ...any) (unlock func()) {
	e.t.Helper()
	tx, err := e.db.SQL().BeginTx(e.t.Context(), &sql.TxOptions{})
	if err == nil {
		_, err = tx.Exec(statement, args...)
	}
	if err != nil {
		e.t.Fatal(err)
	}
	return func() { _ = tx.Rollback() } // the test's end has done it, else
}

// holdClock keeps everybody from writing in the account.
func (e *importEnv) holdClock() (release func()) {
	e.t.Helper()
	return e.lock(`SELECT FROM account_clock WHERE account_id = $1 FOR UPDATE`, e.id)
}

func (e *importEnv) count(query string) (n int) {
	e.t.Helper()
	if err := e.db.Get(e.t.Context(), &n, query); err != nil {
		e.t.Fatal(err)
	}
	return n
}

// untilStaged waits until all rows are staged and the import waits for something.
func (e *importEnv) untilStaged() {
	e.t.Helper()
	eventually(e.t, "all rows are staged", func() bool {
		return e.count(`SELECT coalesce(sum(cards), 0) FROM card_import_chunks`) == e.rows
	})
	e.untilBlocked("UPDATE account_clock")
}

// untilBlocked waits until the import waits for a lock with a statement that begins like this.
func (e *importEnv) untilBlocked(statement string) {
	e.t.Helper()
	eventually(e.t, "the import waits for a lock with "+statement, func() bool {
		return e.count(`
			SELECT count(*) FROM pg_stat_activity
			WHERE application_name = '`+importing+`' AND wait_event_type = 'Lock' AND query ~ '^\s*`+statement+`'`) > 0
	})
}

// untilAt waits until the import comes to a chunk that is locked, and returns how many cards it has made.
func (e *importEnv) untilAt(place int) (made int) {
	e.t.Helper()
	e.untilBlocked("DELETE FROM card_import_chunks")
	made = e.count(`SELECT count(*) FROM cards`)
	if accepted := e.count(`SELECT count(*) FROM card_imports`); accepted != 1 || made > place || place > 0 && made == 0 {
		e.t.Errorf("%d cards are made and %d imports accepted when the import comes to card %d", made, accepted, place)
	}
	return made
}

// finished starts a worker and waits until it has finished the import.
func (e *importEnv) finished() {
	e.t.Helper()
	e.settings.work(e.t)
	eventually(e.t, "a worker finishes the import", func() bool {
		return e.count(`SELECT count(*) FROM card_imports`) == 0
	})
	e.whole()
}

// whole checks that every row of the file is a card once, in order, with each of its two events once.
func (e *importEnv) whole() {
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
		e.t.Errorf("%d cards and %d events, of which %d are different; want %d and %d",
			len(titles), all, events, e.rows, 2*e.rows)
	}
	if left := e.count(`SELECT count(*) FROM card_import_chunks`); left != 0 {
		e.t.Errorf("%d chunks are left", left)
	}
}

// backendMemory is what the largest backend of the import holds beside the shared buffers, in KiB.
func (e *importEnv) backendMemory() (largest int) {
	e.t.Helper()
	var pids []int
	err := e.db.Select(e.t.Context(), &pids, `SELECT pid FROM pg_stat_activity WHERE application_name = $1`, importing)
	if err != nil {
		e.t.Fatal(err)
	}
	for _, pid := range pids {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil { // gone meanwhile
			continue
		}
		_, rest, alive := bytes.Cut(status, []byte("RssAnon:"))
		if !alive { // it has given its memory back already
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

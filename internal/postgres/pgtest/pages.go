package pgtest

import (
	"encoding/json"
	"testing"

	"github.com/cardvault/cardvault/internal/postgres"
)

// PagesRead runs a statement and returns the number of table and index pages that it reads, from memory or
// from disk. This measure of its cost does not depend on the load of the machine.
func PagesRead(t testing.TB, db *postgres.DB, statement string, args ...any) int {
	t.Helper()
	var plan string
	err := db.Unprepared().Get(t.Context(), &plan, `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) `+statement, args...)
	if err != nil {
		t.Fatal(err)
	}
	var plans []struct {
		Plan struct {
			Hit  int `json:"Shared Hit Blocks"`
			Read int `json:"Shared Read Blocks"`
		}
	}
	if err := json.Unmarshal([]byte(plan), &plans); err != nil {
		t.Fatal(err)
	}
	return plans[0].Plan.Hit + plans[0].Plan.Read
}

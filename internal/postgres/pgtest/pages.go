package pgtest

import (
	"encoding/json"
	"testing"

	"github.com/cardvault/cardvault/internal/postgres"
)

// PagesRead runs a statement and returns how many pages of tables and indexes it reads, from memory or
// from disk: a measure of its cost that no load of the machine changes.
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

package postgres_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/postgres"
)

func TestNamedQuery_Bind(t *testing.T) {
	t.Parallel()
	args := postgres.NamedArgs{"account": "acc_1", "limit": 5, "lease_time": 7}
	for name, tc := range map[string]struct {
		query, text string
		values      []any
	}{
		"none":     {"SELECT 'it''s'", "SELECT 'it''s'", []any{}},
		"repeated": {"SELECT @account, @limit::int, @account", "SELECT $1, $2::int, $1", []any{"acc_1", 5}},
		"order":    {"SELECT @lease_time*2 + @limit", "SELECT $1*2 + $2", []any{7, 5}},
		"at start": {"@limit", "$1", []any{5}},
	} {
		text, values := postgres.NewNamedQuery(tc.query).Bind(args)
		if diff := cmp.Diff([]any{tc.text, tc.values}, []any{text, values}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestNamedQuery_Panics(t *testing.T) {
	t.Parallel()
	for name, fn := range map[string]func(){
		"operator":      func() { postgres.NewNamedQuery("SELECT a @> b") },
		"literal":       func() { postgres.NewNamedQuery("SELECT 'a@example.com'") },
		"end":           func() { postgres.NewNamedQuery("SELECT @") },
		"missing value": func() { postgres.NewNamedQuery("SELECT @a, @b").Bind(postgres.NamedArgs{"a": 1}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			fn()
		})
	}
}

package postgres_test

import (
	"database/sql"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

func TestTx_InsertRowsKeepsValues(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	if _, err := db.Exec(ctx, `CREATE TABLE things (
		"the name" text NOT NULL, n bigint, part double precision, at timestamptz, list jsonb, ok boolean
	)`); err != nil {
		t.Fatal(err)
	}
	type thing struct {
		Name string `db:"the name"`
		N    *int64
		Part *float64
		At   *time.Time
		List *string
		OK   *bool
	}
	n, part, yes := int64(1<<62), 0.1, true
	at, list := time.Date(2026, 1, 2, 3, 4, 5, 678901000, time.UTC), `[{"a": "<&>"}]`
	want := []thing{
		{"quote \" slash \\ <&> \t line\n é 漢 \u2028", &n, &part, &at, &list, &yes},
		{Name: ""},
	}
	rows := [][]any{
		{want[0].Name, sql.NullInt64{Int64: n, Valid: true}, &part, at, postgres.JSON(list), true},
		{"", sql.NullInt64{}, nil, (*time.Time)(nil), nil, nil},
	}
	err := db.InTx(ctx, func(tx *postgres.Tx) error {
		return tx.InsertRows(ctx, "things", []string{"the name", "n", "part", "at", "list", "ok"}, slices.Values(rows))
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []thing
	err = db.Select(ctx, &got, `SELECT "the name", n, part, at, list, ok FROM things ORDER BY n NULLS LAST`)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmp.Comparer(time.Time.Equal)); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

package e2e

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"testing"
)

// snapshot is everything the service has stored: of each table how many rows and a hash over all of
// them, and how many photo files.
type snapshot map[string]string

// volatile are the columns that a request or a loop may change without anything having happened.
var volatile = map[string]string{"tokens": "last_used_at"}

// untold are the tables that say nothing about the inventory: answers kept for repeated requests,
// when a marketplace was asked last, in which order accounts have their turns, and how far collecting has come.
var untold = []string{"idempotency_keys", "marketplace_polls", "queue_accounts", "photo_collection"}

// snapshot reads all tables, whatever they are.
func (s *service) snapshot(t testing.TB) snapshot {
	t.Helper()
	var tables []string
	err := s.DB.Select(t.Context(), &tables, `
		SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition`)
	if err != nil || len(tables) == 0 {
		t.Fatalf("%d tables, %v", len(tables), err)
	}
	now := snapshot{"photo files": s.photoFiles(t)}
	for _, table := range tables {
		if slices.Contains(untold, table) {
			continue
		}
		var row string
		err := s.DB.Get(t.Context(), &row, fmt.Sprintf(`
			SELECT count(*) || ' rows, ' || coalesce(md5(string_agg(r::text, E'\n' ORDER BY r::text)), '')
			FROM (SELECT to_jsonb(t) - '%s' AS r FROM %s t) rows`, volatile[table], table))
		if err != nil {
			t.Fatal(err)
		}
		now[table] = row
	}
	return now
}

func (s *service) photoFiles(t testing.TB) string {
	t.Helper()
	files := 0
	err := fs.WalkDir(os.DirFS(s.Config.PhotoStore), ".", func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(files)
}

// unchanged fails the test if anything is stored otherwise than before.
func (s *service) unchanged(t testing.TB, before snapshot) {
	t.Helper()
	after := s.snapshot(t)
	for _, table := range slices.Sorted(maps.Keys(after)) {
		if before[table] != after[table] {
			t.Errorf("%s: %s before, %s after", table, before[table], after[table])
		}
	}
}

// TestASnapshotSeesEveryChange is the test of the tests' own witness.
func TestASnapshotSeesEveryChange(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	made := c.create(`{"identify":false}`)
	before := s.snapshot(t)
	s.unchanged(t, before)
	c.do("PATCH", "/cards/"+made.ID, `{"notes":"x"}`).want(t, 200, nil)
	after := s.snapshot(t)
	if maps.Equal(before, after) || before["cards"] == after["cards"] || before["account_clock"] == after["account_clock"] {
		t.Errorf("a changed card is not seen: %v, %v", before, after)
	}
	c.do("PUT", "/cards/"+made.ID+"/photos/front", picture(t, 0), "Content-Type: image/jpeg").want(t, 200, nil)
	if again := s.snapshot(t); again["photo files"] == after["photo files"] {
		t.Errorf("a photo is not seen: %v", again)
	}
}

package e2e

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// snapshot describes everything that the service stores: for each table the number of rows and a hash of all of them,
// and the number of photo files.
type snapshot map[string]string

// volatileColumns are the columns, by table, that a request that changes nothing or a background loop may change.
var volatileColumns = map[string]string{"tokens": "last_used_at"}

// excludedTables do not describe the inventory: stored responses to repeated requests, the times of the last polls of
// marketplaces and the numbers of calls to them, the order in which queues take accounts, when engines look for
// deliveries, which processes run, the progress of the collection of photos, and the value of the stock, which a loop
// records.
var excludedTables = []string{
	"idempotency_keys", "marketplace_polls", "marketplace_calls", "queue_accounts", "endpoint_wakeups", "processes",
	"photo_collection", "stock_recording", "stock_values",
}

// snapshot reads all tables of the database except excludedTables.
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
		if slices.Contains(excludedTables, table) {
			continue
		}
		var row string
		err := s.DB.Get(t.Context(), &row, fmt.Sprintf(`
			SELECT count(*) || ' rows, ' || coalesce(md5(string_agg(r::text, E'\n' ORDER BY r::text)), '')
			FROM (SELECT to_jsonb(t) - '%s' AS r FROM %s t) rows`, volatileColumns[table], table))
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

// unchanged reports an error if anything that the service stores differs from before, except the tables named.
func (s *service) unchanged(t testing.TB, before snapshot, except ...string) {
	t.Helper()
	excepted := cmpopts.IgnoreMapEntries(func(table, _ string) bool { return slices.Contains(except, table) })
	if diff := cmp.Diff(before, s.snapshot(t), excepted); diff != "" {
		t.Errorf("the stored data has changed (-before +after):\n%s", diff)
	}
}

// TestSnapshot_SeesEveryChange guards the tests that rely on unchanged.
func TestSnapshot_SeesEveryChange(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	made := c.create(`{"identify":false}`)
	before := s.snapshot(t)
	s.unchanged(t, before)
	c.do("PATCH", "/cards/"+made.ID, `{"notes":"x"}`).want(t, 200, nil)
	after := s.snapshot(t)
	if maps.Equal(before, after) || before["cards"] == after["cards"] ||
		before["account_clock"] == after["account_clock"] {
		t.Errorf("the snapshot does not show a changed card: %v before, %v after", before, after)
	}
	c.do("PUT", "/cards/"+made.ID+"/photos/front", picture(t, 0), "Content-Type: image/jpeg").want(t, 200, nil)
	if again := s.snapshot(t); again["photo files"] == after["photo files"] {
		t.Errorf("the snapshot does not show a new photo: %v", again)
	}
}

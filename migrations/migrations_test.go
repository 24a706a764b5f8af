package migrations

import (
	"bytes"
	"io/fs"
	"regexp"
	"slices"
	"testing"
)

var (
	newTable = regexp.MustCompile(`CREATE TABLE (?:IF NOT EXISTS )?(\w+)`)
	newIndex = regexp.MustCompile(`CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?(?:IF NOT EXISTS )?(\w+) ON (ONLY )?(\w+)`)
)

// An index on a table that is in use is built concurrently: otherwise the table's writers wait until it is done. Going
// down is for development.
func TestIndexesOnExistingTables_AreConcurrent(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(Files, "*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	indexes := 0
	for _, file := range files {
		text, err := fs.ReadFile(Files, file)
		if err != nil {
			t.Fatal(err)
		}
		text, _, _ = bytes.Cut(text, []byte("-- +goose Down"))
		var made []string
		for _, table := range newTable.FindAllSubmatch(text, -1) {
			made = append(made, string(table[1]))
		}
		for _, index := range newIndex.FindAllSubmatch(text, -1) {
			indexes++
			if len(index[3]) > 0 { // of a partitioned table without its partitions, which has no rows
				continue
			}
			if table := string(index[4]); len(index[1]) == 0 && !slices.Contains(made, table) {
				t.Errorf("%s builds %s on %s without CONCURRENTLY", file, index[2], table)
			}
		}
	}
	if indexes == 0 {
		t.Error("no index was found")
	}
}

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// Loading the catalogue does not need the key that encrypts customers' secrets.
func TestCatalogImport_NeedsNoSecretKey(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "catalogue.csv")
	rows := "id,name,set,number\nember-54,Ember Fox,Dawn of Cinders,54/167\n"
	if err := os.WriteFile(path, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, failures bytes.Buffer
	cmd := catalogImportCmd{Format: "csv", Path: path}
	err := cmd.Run(t.Context(), &config.Config{DatabaseURL: pgtest.URL(t)}, &terminal{&out, &failures})
	if err != nil || !strings.HasPrefix(out.String(), "1 read: 1 new") {
		t.Errorf("%v; printed %q, and on errors %q", err, &out, &failures)
	}
}

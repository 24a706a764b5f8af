package main

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// The aims for imports, and how many rows the CSV has.
const (
	maxCardsImport     = 5 * time.Second
	maxCatalogueImport = 10 * time.Second
	importedRows       = 5000
)

// importsDatabase is where imports are measured: a copy of the seeded database, which stays as it is.
const importsDatabase = "cardvault_bench_imports"

func measureImports(ctx context.Context, s settings, t *table) error {
	database, drop, err := copyDatabase(ctx, s.database)
	if err != nil {
		return fmt.Errorf("copying the database: %w", err)
	}
	defer drop()
	file := filepath.Join(s.work, "import.csv")
	if err := writeCSV(file); err != nil {
		return err
	}
	took, err := command(ctx, s, database, "cards", "import", "--account", s.account, file)
	if err != nil {
		return err
	}
	t.add(fmt.Sprintf("cardvault cards import, %d rows", importedRows), seconds(took), "", "", "≤ "+seconds(maxCardsImport), took <= maxCardsImport)
	if s.catalogue == "" {
		t.note("cardvault catalog import: not measured, pokemon-tcg-data.zip is not here", "", "", "")
		return nil
	}
	if took, err = command(ctx, s, database, "catalog", "import", "--format", "pokemon-tcg-data", s.catalogue); err != nil {
		return err
	}
	t.add("cardvault catalog import of pokemon-tcg-data", seconds(took), "", "", "≤ "+seconds(maxCatalogueImport), took <= maxCatalogueImport)
	return nil
}

// copyDatabase copies the database beside itself and returns the copy's address and how to drop it.
// Nobody may be connected to the original.
func copyDatabase(ctx context.Context, database string) (copied string, drop func(), err error) {
	original, err := url.Parse(database)
	if err != nil {
		return "", nil, err
	}
	name := original.Path[1:]
	maintenance, copyOf := *original, *original
	maintenance.Path, copyOf.Path = "/postgres", "/"+importsDatabase
	db, err := sql.Open("postgres", maintenance.String())
	if err != nil {
		return "", nil, err
	}
	for _, statement := range []string{
		`DROP DATABASE IF EXISTS ` + importsDatabase,
		`CREATE DATABASE ` + importsDatabase + ` TEMPLATE "` + name + `"`,
		`CHECKPOINT`, // writing the copy to disk is not the imports' to wait for
	} {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			db.Close()
			return "", nil, err
		}
	}
	return copyOf.String(), func() {
		if _, err := db.Exec(`DROP DATABASE ` + importsDatabase); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
		}
		db.Close()
	}, nil
}

// command runs a command of the product and returns how long it took.
func command(ctx context.Context, s settings, database string, args ...string) (time.Duration, error) {
	run := exec.CommandContext(ctx, s.service, args...)
	run.Env = environment(s, database, "127.0.0.1:0", "127.0.0.1:0")
	began := time.Now()
	said, err := run.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("cardvault %s: %w: %s", args[0], err, said)
	}
	fmt.Fprintf(os.Stderr, "bench: cardvault %s %s: %s", args[0], args[1], said)
	return time.Since(began), nil
}

func writeCSV(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	out := bufio.NewWriter(file)
	fmt.Fprintln(out, "title,set,number,game,year,condition,asking_price,location,sku")
	for i := range importedRows {
		fmt.Fprintf(out, "Harbour Golem %d,Verdant Dunes,%d/202,pokemon,2024,NM,%d.%02d USD,Room B/Shelf %d/%d,IMPORT-%05d\n",
			i, i%202+1, 1+i%90, i%100, i%40+1, i, i)
	}
	return out.Flush()
}

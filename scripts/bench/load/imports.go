package main

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/cardvault/cardvault/scripts/bench/measure"
)

// The aims for imports, and how many rows the files have.
const (
	maxCardsImport     = 5 * time.Second
	maxCatalogueImport = 10 * time.Second
	importedRows       = 5000

	largeImport     = 50_000
	maxImportMemory = 200 << 20 // bytes
	maxImportWait   = 500 * time.Millisecond
)

// importsDatabase is the database for imports: a copy, because the seeded database must not change.
const importsDatabase = "cardvault_bench_imports"

func measureImports(ctx context.Context, s settings, t *table) error {
	database, drop, err := createDatabase(ctx, s.database, importsDatabase, copied)
	if err != nil {
		return fmt.Errorf("copying the database: %w", err)
	}
	defer drop()
	b := s.build
	b.database = database
	file, err := writeCSV(s.work, importedRows)
	if err != nil {
		return err
	}
	took, _, err := b.run(ctx, s, "cards", "import", "--account", s.account, file)
	if err != nil {
		return err
	}
	t.add(fmt.Sprintf("cardvault cards import, %d rows", importedRows), seconds(took), "", "",
		"≤ "+seconds(maxCardsImport), took <= maxCardsImport)
	if err := measureLargeImport(ctx, s, b, t); err != nil {
		return err
	}
	if s.catalogue == "" {
		t.note("cardvault catalog import: not measured, pokemon-tcg-data.zip is not here", "", "", "")
		return nil
	}
	if err := emptyCatalogue(ctx, database); err != nil {
		return err
	}
	if took, _, err = b.run(ctx, s, "catalog", "import", "--format", "pokemon-tcg-data", s.catalogue); err != nil {
		return err
	}
	t.add("cardvault catalog import of pokemon-tcg-data", seconds(took), "", "", "≤ "+seconds(maxCatalogueImport),
		took <= maxCatalogueImport)
	return nil
}

// measureLargeImport imports a large file while another writer of the account changes prices, one after the other.
func measureLargeImport(ctx context.Context, s settings, b build, t *table) error {
	file, err := writeCSV(s.work, largeImport)
	if err != nil {
		return err
	}
	service, err := startService(ctx, s, "service", b)
	if err != nil {
		return err
	}
	defer service.stop()
	stock, err := readAccount(ctx, service, b.token)
	if err != nil {
		return err
	}
	c, err := dial(ctx, service.addr)
	if err != nil {
		return err
	}
	defer c.Close()
	writing, stopWriting := context.WithCancel(ctx)
	defer stopWriting()
	var waits []time.Duration
	writer := make(chan error, 1)
	go func() {
		next := toggles(stock, rand.New(rand.NewPCG(9, 10)), 1, b.token)[0]
		for writing.Err() == nil {
			if err := c.timed(next(), &waits); err != nil {
				writer <- err
				return
			}
		}
		writer <- nil
	}()
	took, memory, err := b.run(ctx, s, "cards", "import", "--account", b.account, file)
	stopWriting()
	if err := errors.Join(err, <-writer); err != nil {
		return err
	}
	name := fmt.Sprintf("cardvault cards import, %d rows: ", largeImport)
	longest := measure.Percentile(waits, 1)
	t.note(name+"time", seconds(took), "", "")
	t.add(name+"resident memory", mebibytes(memory), "", "", "≤ "+mebibytes(maxImportMemory), memory <= maxImportMemory)
	t.add(name+"another writer's longest wait", measure.Milliseconds(longest), "", "",
		"≤ "+measure.Milliseconds(maxImportWait), longest <= maxImportWait)
	return nil
}

// emptyCatalogue removes the catalogue of the copied database, so that its import inserts all cards.
func emptyCatalogue(ctx context.Context, database string) error {
	db, err := sql.Open("postgres", database)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, `
		TRUNCATE catalog_cards, catalog_fingerprints, catalog_words, catalog_spellings;
		UPDATE catalog_version SET version = version + 1`)
	return err
}

// command prepares a command of a build.
func (b build) command(ctx context.Context, s settings, args ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, b.program, args...)
	command.Env = environment(s, b.database, "127.0.0.1:0", "127.0.0.1:0")
	return command
}

// run runs a command of a build and returns how long it took and the most memory that it had resident, in bytes.
func (b build) run(ctx context.Context, s settings, args ...string) (took time.Duration, memory int64, err error) {
	command := b.command(ctx, s, args...)
	began := time.Now()
	said, err := command.CombinedOutput()
	if err != nil {
		return 0, 0, fmt.Errorf("cardvault %s: %w: %s", args[0], err, said)
	}
	fmt.Fprintf(os.Stderr, "bench: cardvault %s %s: %s", args[0], args[1], said)
	usage := command.ProcessState.SysUsage().(*syscall.Rusage) // as on every Unix
	return time.Since(began), usage.Maxrss << 10, nil
}

// writeCSV writes a file of a number of cards and returns its path.
func writeCSV(folder string, rows int) (string, error) {
	file, err := os.Create(filepath.Join(folder, "import.csv"))
	if err != nil {
		return "", err
	}
	defer file.Close()
	out := bufio.NewWriter(file)
	fmt.Fprintln(out, "title,set,number,game,year,condition,asking_price,location,sku")
	for i := range rows {
		fmt.Fprintf(out, "Harbour Golem %d,Verdant Dunes,%d/202,pokemon,2024,NM,%d.%02d USD,"+
			"Room B/Shelf %d/%d,IMPORT-%d-%05d\n",
			i, i%202+1, 1+i%90, i%100, i%40+1, i, rows, i)
	}
	return file.Name(), out.Flush()
}

package main

import (
	"context"
	"fmt"

	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/config"
)

type catalogCmd struct {
	Import      catalogImportCmd      `cmd:"" help:"Import cards into the reference catalogue. Safe to repeat."`
	Fingerprint catalogFingerprintCmd `cmd:"" help:"Compute fingerprints from pictures of cards. Safe to repeat."`
}

type catalogImportCmd struct {
	output
	Format string `required:"" enum:"pokemon-tcg-data,scryfall,csv,fingerprints" help:"The format: ${enum}."`
	Path   string `arg:"" type:"existingpath" help:"The file: JSON or CSV. For pokemon-tcg-data, a folder or zip file."`
}

// Run implements the command. It needs only the database: no secret key, no photo store.
func (cmd catalogImportCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	app.SetUpLog(c.LogLevel)
	db, err := app.OpenMigrated(ctx, c)
	if err != nil {
		return err
	}
	defer db.Close()
	progress := t.progress("Importing the catalogue")
	report, err := catalog.New(db).Import(ctx, catalog.Format(cmd.Format), cmd.Path, progress)
	if err != nil {
		return err
	}
	for _, p := range report.Problems {
		fmt.Fprintf(t.err, "line %d: %s\n", p.Line, p.Message)
	}
	if more := report.Skipped - len(report.Problems); more > 0 {
		fmt.Fprintf(t.err, "and %d more\n", more)
	}
	return cmd.print(t, report, fmt.Sprintf("%d read: %d new, %d changed, %d as they were, %d refused.",
		report.Read, report.Inserted, report.Updated, report.Unchanged, report.Skipped))
}

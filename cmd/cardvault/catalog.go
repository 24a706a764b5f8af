package main

import (
	"context"
	"fmt"
	"strings"

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
	Format   string `required:"" enum:"${formats}" help:"The format: ${enum}."`
	Language string `help:"Import only cards in this language, such as de. Cards whose file names none are in it."`
	Path     string `arg:"" type:"existingpath" help:"The file: JSON or CSV. For some formats, a folder or zip file."`
}

// catalogFormats returns the formats as the values of a flag.
func catalogFormats() string {
	var names []string
	for _, format := range catalog.Formats() {
		names = append(names, string(format))
	}
	return strings.Join(names, ",")
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
	report, err := catalog.New(db).Import(ctx, catalog.Format(cmd.Format), cmd.Path, progress,
		catalog.InLanguage(cmd.Language))
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

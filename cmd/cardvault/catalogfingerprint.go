package main

import (
	"context"
	"fmt"

	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/identify/imagefolder"
)

type catalogFingerprintCmd struct {
	output
	Images string `required:"" type:"existingdir" placeholder:"DIR" help:"The folder, with files such as swsh4-25.png."`
}

// Run implements the command. It needs only the database: no secret key, no photo store.
func (cmd catalogFingerprintCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	app.SetUpLog(c.LogLevel)
	db, err := app.OpenMigrated(ctx, c)
	if err != nil {
		return err
	}
	defer db.Close()
	progress := t.progress("Computing fingerprints")
	report, err := imagefolder.Fingerprint(ctx, catalog.New(db), cmd.Images, progress)
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("stopped with %d fingerprints saved; run the command again to continue", report.Saved)
	}
	if err != nil {
		return err
	}
	for _, p := range report.Problems {
		fmt.Fprintf(t.err, "%s: %s\n", p.File, p.Message)
	}
	if more := report.Skipped - len(report.Problems); more > 0 {
		fmt.Fprintf(t.err, "and %d more\n", more)
	}
	return cmd.print(t, report, fmt.Sprintf(
		"%d images: %d fingerprints saved, %d as they were, %d smaller images of the same cards, "+
			"%d without a card in the catalogue, %d refused.",
		report.Images, report.Saved, report.Unchanged, report.Repeated, report.Unmatched, report.Skipped))
}

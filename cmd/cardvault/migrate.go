package main

import (
	"context"
	"fmt"

	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/postgres"
)

type migrateCmd struct {
	Up     migrateUpCmd     `cmd:"" help:"Apply the missing migrations. Safe to repeat and to run concurrently."`
	Status migrateStatusCmd `cmd:"" help:"List the migrations and whether the database has them."`
}

type migrateUpCmd struct{}

// Run implements the command.
func (migrateUpCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	db, err := app.OpenDatabase(ctx, c)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := postgres.Migrate(ctx, db); err != nil {
		return err
	}
	fmt.Fprintln(t.out, "The database is up to date.")
	return nil
}

type migrateStatusCmd struct{ output }

// Run implements the command.
func (cmd migrateStatusCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	db, err := app.OpenDatabase(ctx, c)
	if err != nil {
		return err
	}
	defer db.Close()
	all, err := postgres.Migrations(ctx, db)
	if err != nil {
		return err
	}
	return list(cmd.output, t, all, "VERSION\tNAME\tAPPLIED", func(m postgres.Migration) string {
		return fmt.Sprintf("%d\t%s\t%v", m.Version, m.Name, m.Applied)
	})
}

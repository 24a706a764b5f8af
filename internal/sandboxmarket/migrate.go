package sandboxmarket

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"github.com/cardvault/cardvault/internal/postgres"
)

//go:embed migrations/*.sql
var migrations embed.FS

// schema has the marketplace's tables. It is apart from the service's tables, so that a database of production,
// where no marketplace runs, does not have it.
const schema = "market"

// Migrate creates the marketplace's tables, or changes them to this program's version.
func Migrate(ctx context.Context, db *postgres.DB) error {
	files, err := fs.Sub(migrations, "migrations")
	if err == nil {
		err = postgres.MigrateSchema(ctx, db, schema, files)
	}
	if err != nil {
		return fmt.Errorf("migrate sandbox marketplace: %w", err)
	}
	return nil
}

package postgres

import (
	"context"
	"fmt"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/cardvault/cardvault/migrations"
)

// Migration is one numbered step of the schema.
type Migration struct {
	Version int64  `json:"version"`
	Name    string `json:"name"`
	Applied bool   `json:"applied"`
}

// Migrate brings the schema up to date. Several processes may call it at once: an advisory lock
// lets one work while the others wait.
func Migrate(ctx context.Context, db *DB) error {
	provider, err := newProvider(db)
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("postgres.Migrate: %w", err)
	}
	return nil
}

// Migrations lists every migration of this program, in order, and whether the database has it.
func Migrations(ctx context.Context, db *DB) ([]Migration, error) {
	provider, err := newProvider(db)
	if err != nil {
		return nil, err
	}
	statuses, err := provider.Status(ctx)
	if err != nil {
		return nil, fmt.Errorf("postgres.Migrations: %w", mapError(ctx, err))
	}
	list := make([]Migration, 0, len(statuses))
	for _, s := range statuses {
		list = append(list, Migration{Version: s.Source.Version, Name: s.Source.Path, Applied: s.State == goose.StateApplied})
	}
	return list, nil
}

// Migrated reports whether the database has every migration of this program.
func Migrated(ctx context.Context, db *DB) (bool, error) {
	list, err := Migrations(ctx, db)
	for _, m := range list {
		if !m.Applied {
			return false, err
		}
	}
	return err == nil, err
}

func newProvider(db *DB) (*goose.Provider, error) {
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return nil, fmt.Errorf("postgres: migration lock: %w", err)
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db.SQL(), migrations.Files, goose.WithSessionLocker(locker))
	if err != nil {
		return nil, fmt.Errorf("postgres: migrations: %w", err)
	}
	return provider, nil
}

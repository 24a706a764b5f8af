package app

import (
	"context"
	"errors"
	"fmt"

	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

// OpenMigrated returns a pool on a database whose schema is up to date.
func OpenMigrated(ctx context.Context, c *config.Config) (*postgres.DB, error) {
	db, err := OpenDatabase(ctx, c)
	if err != nil {
		return nil, err
	}
	migrated, err := postgres.Migrated(ctx, db)
	if err == nil && !migrated {
		err = errors.New("the database's schema is not up to date; run cardvault migrate up, or serve with --migrate")
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// OpenDatabase returns a pool on a database that answers.
func OpenDatabase(ctx context.Context, c *config.Config) (*postgres.DB, error) {
	if c.DatabaseURL == "" {
		return nil, errors.New("CARDVAULT_DATABASE_URL is not set; it says which PostgreSQL to use, " +
			"such as postgres://user:password@host/database")
	}
	db, err := postgres.Open(postgres.Config{
		URL: c.DatabaseURL, MaxConns: c.DatabaseMaxConns, Unprepared: c.DatabaseUnprepared,
		GroupScope: postgres.GroupScope(c.GroupCommit),
	})
	if err != nil {
		return nil, fmt.Errorf("CARDVAULT_DATABASE_URL: %w", err)
	}
	if err := db.Ping(ctx); err != nil {
		db.Close()
		if f, ok := fault.As(err); ok && f.Err != nil {
			err = f.Err // operators may see the cause, clients may not
		}
		return nil, fmt.Errorf("PostgreSQL at CARDVAULT_DATABASE_URL cannot be used: %w", err)
	}
	return db, nil
}

// Migrate applies the migrations that the database does not have.
func Migrate(ctx context.Context, c *config.Config) error {
	db, err := OpenDatabase(ctx, c)
	if err != nil {
		return err
	}
	defer db.Close()
	return postgres.Migrate(ctx, db)
}

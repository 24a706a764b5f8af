package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/cardvault/cardvault/migrations"
)

// Migration is one numbered change of the schema.
type Migration struct {
	Version int64  `json:"version"`
	Name    string `json:"name"`
	Applied bool   `json:"applied"`
}

// A migration may have to wait for a table that a backup or another long transaction reads. Other
// statements queue behind a waiting migration, so it waits briefly and tries again.
const (
	migrationLockTimeout = "SET lock_timeout = '2s'"
	migrationDelay       = time.Second // doubles after each attempt
	migrationMaxDelay    = 10 * time.Second
	migrationMaxWait     = 10 * time.Minute
	// migrationTime limits each statement. Building the index of a large table takes long.
	migrationTime = 24 * time.Hour
)

// Migrate applies the migrations that the database does not have. Several processes may call it at a
// time: one works while the others wait for its advisory lock.
func Migrate(ctx context.Context, db *DB) error {
	if err := migrateUp(ctx, func() (*goose.Provider, error) { return newProvider(db) }); err != nil {
		return fmt.Errorf("migrate database: %w", err)
	}
	return nil
}

// MigrateSchema creates a schema if the database does not have it, and applies the missing migrations of files in it.
// They are numbered independently of the service's own, and their table of versions is in the schema.
func MigrateSchema(ctx context.Context, db *DB, schema string, files fs.FS) error {
	err := db.InTx(ctx, func(tx *Tx) error {
		// CREATE SCHEMA IF NOT EXISTS can fail when two processes run it at a time.
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtext($1))", schema); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "CREATE SCHEMA IF NOT EXISTS "+pq.QuoteIdentifier(schema))
		return err
	})
	if err == nil {
		err = migrateUp(ctx, func() (*goose.Provider, error) {
			return provide(db, files, goose.WithTableName(schema+".goose_db_version"))
		})
	}
	if err != nil {
		return fmt.Errorf("migrate schema: %w", err)
	}
	return nil
}

// migrateUp applies the missing migrations of a provider. It makes a new provider for each attempt, because the
// provider's lock counts the attempts.
func migrateUp(ctx context.Context, newProvider func() (*goose.Provider, error)) error {
	ctx = WithStatementTimeout(ctx, migrationTime)
	return retryWhileLocked(ctx, func() error {
		provider, err := newProvider()
		if err != nil {
			return err
		}
		_, err = provider.Up(ctx)
		return err
	})
}

// retryWhileLocked repeats migrate while a table is in use. Migrations that were applied stay applied, and
// one that failed has no effect, because each is a transaction, or can be repeated if it has NO TRANSACTION.
func retryWhileLocked(ctx context.Context, migrate func() error) error {
	begun := time.Now()
	for delay := migrationDelay; ; delay = min(2*delay, migrationMaxDelay) {
		err := migrate()
		var pqErr *pq.Error
		if !errors.As(err, &pqErr) || pqErr.Code != pqerror.LockNotAvailable {
			return err
		}
		if time.Since(begun) < migrationMaxWait {
			slog.WarnContext(ctx, "migration waits for a table that a backup or another long transaction uses",
				"error", err)
			select {
			case <-time.After(delay):
				continue
			case <-ctx.Done():
			}
		}
		return errors.Join(ctx.Err(), fmt.Errorf("a table is in use by a backup or another long transaction; "+
			"migrate again when that has ended: %w", err))
	}
}

// briefLocker is the advisory lock of a migration. It sets migrationLockTimeout in the session that holds it.
type briefLocker struct{ lock.SessionLocker }

// SessionLock implements lock.SessionLocker.
func (l briefLocker) SessionLock(ctx context.Context, conn *sql.Conn) error {
	if err := l.SessionLocker.SessionLock(ctx, conn); err != nil {
		return err
	}
	if _, err := conn.ExecContext(ctx, migrationLockTimeout); err != nil {
		return errors.Join(err, l.SessionUnlock(context.WithoutCancel(ctx), conn))
	}
	return nil
}

// SessionUnlock implements lock.SessionLocker. It resets the lock timeout, because the connection returns to the pool.
func (l briefLocker) SessionUnlock(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(ctx, "RESET lock_timeout")
	return errors.Join(err, l.SessionLocker.SessionUnlock(ctx, conn))
}

// Migrations returns every migration of this program, in order, and whether the database has it.
func Migrations(ctx context.Context, db *DB) ([]Migration, error) {
	provider, err := newProvider(db)
	if err != nil {
		return nil, err
	}
	statuses, err := provider.Status(ctx)
	if err != nil {
		return nil, fmt.Errorf("list migrations: %w", mapError(ctx, err))
	}
	list := make([]Migration, 0, len(statuses))
	for _, s := range statuses {
		list = append(list, Migration{
			Version: s.Source.Version, Name: s.Source.Path, Applied: s.State == goose.StateApplied,
		})
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

func newProvider(db *DB) (*goose.Provider, error) { return provide(db, migrations.Files) }

// provide returns a provider of the migrations in files.
func provide(db *DB, files fs.FS, options ...goose.ProviderOption) (*goose.Provider, error) {
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return nil, fmt.Errorf("postgres: migration lock: %w", err)
	}
	options = append(options, goose.WithSessionLocker(briefLocker{locker}))
	provider, err := goose.NewProvider(goose.DialectPostgres, db.SQL(), files, options...)
	if err != nil {
		return nil, fmt.Errorf("postgres: migrations: %w", err)
	}
	return provider, nil
}

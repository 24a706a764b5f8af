// Package exports writes everything that an account has into an archive, which owners of the account download.
//
// A Service accepts exports and lists them. Its worker writes one archive at a time, page by page, so its memory does
// not grow with the account. While it writes, it renews the lease of its claim. When the lease of a crashed process has
// expired, another process writes the archive again from the start. Archives are deleted after Retention. All times
// come from the database's clock.
//
// The package does not depend on the shape of the exported objects: Content reads the objects as the API shows them.
package exports

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/cardvault/cardvault/internal/audit"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/worker"
)

const (
	// Retention is how long an archive can be downloaded.
	Retention = 7 * 24 * time.Hour
)

// Status is the state of an export.
type Status string

// The statuses: queued → running → ready or failed, and back to queued after an attempt that failed.
const (
	Queued  Status = "queued"
	Running Status = "running"
	Ready   Status = "ready"
	Failed  Status = "failed"
)

// Export is an archive with everything that an account had when it was written.
type Export struct {
	AccountID  string     `db:"account_id"`
	ID         string     `db:"id"`
	Status     Status     `db:"status"`
	Part       string     `db:"part"`    // the file of the archive that is written at the moment
	Written    int64      `db:"written"` // objects and photos so far
	Size       int64      `db:"size"`    // bytes so far
	CreatedAt  time.Time  `db:"created_at"`
	FinishedAt *time.Time `db:"finished_at"`
	ExpiresAt  *time.Time `db:"expires_at"` // when it is deleted; nil until it is finished
}

// UnderWay reports whether the archive is still to be written.
func (e Export) UnderWay() bool { return e.Status == Queued || e.Status == Running }

const columns = "account_id, id, status, part, written, size, created_at, finished_at, expires_at"

// Store is the part of *photos.Bucket that exports use: it keeps the archives beside the photos.
type Store interface {
	// Write stores what fill writes under key. If fill fails, nothing is stored.
	Write(ctx context.Context, key, contentType string, fill func(io.Writer) error) error
	// Open opens the file under key. The caller closes it.
	Open(ctx context.Context, key string) (io.ReadSeekCloser, error)
	// Delete removes the file under key. It is not an error if there is none.
	Delete(ctx context.Context, key string) error
	// Keys passes the keys of the files of a folder to visit.
	Keys(ctx context.Context, folder string, visit func(keys []string) error) error
}

// Folder is the folder of the store that has the archives of an account, apart from its photos.
func Folder(accountID string) string { return "exports/" + accountID }

func key(accountID, exportID string) string { return Folder(accountID) + "/" + exportID + ".zip" }

// Service accepts exports and writes their archives.
type Service struct {
	db      *postgres.DB
	clock   clock.Clock
	content Content
	store   Store
	loop    *worker.Periodic
	// unconfirmed is a claim that got no answer. Only the loop uses it.
	unconfirmed *claim
}

// New returns a Service.
func New(db *postgres.DB, c clock.Clock, content Content, store Store) *Service {
	s := &Service{db: db, clock: c, content: content, store: store}
	s.loop = worker.NewPeriodic("export", pollInterval, s.work)
	return s
}

// Background writes the archives of all accounts and deletes expired ones.
func (s *Service) Background() worker.Loop {
	return worker.Group{s.loop, worker.NewPeriodic("expired exports", sweepInterval, s.sweep)}
}

// Request asks for an export of everything that the account has. It returns the unfinished export if there is one.
func (s *Service) Request(ctx context.Context, accountID string) (Export, error) {
	var e Export
	err := s.db.InTx(ctx, func(tx *postgres.Tx) error {
		err := tx.Get(ctx, &e, `
			INSERT INTO account_exports (account_id, id, status, part, written, size, attempts, due_at, created_at)
			VALUES ($1, $2, $3, '', 0, 0, 0, now(), now())
			ON CONFLICT (account_id) WHERE due_at IS NOT NULL DO NOTHING
			RETURNING `+columns, accountID, id.New(id.Export, time.Now()), Queued)
		if errors.Is(err, sql.ErrNoRows) {
			return tx.Get(ctx, &e, `
				SELECT `+columns+` FROM account_exports WHERE account_id = $1 AND due_at IS NOT NULL`, accountID)
		}
		if err != nil {
			return err
		}
		tx.AfterCommit(s.loop.Wake)
		return audit.Record(ctx, tx, accountID, audit.ExportRequested, "everything", "")
	})
	if errors.Is(err, sql.ErrNoRows) { // it was finished just now
		return Export{}, fault.New(fault.Unavailable, "An export ended at this moment. Try again.")
	}
	if err != nil {
		return Export{}, fmt.Errorf("request export: %w", err)
	}
	return e, nil
}

// List returns the account's exports that have not expired, newest first.
func (s *Service) List(ctx context.Context, accountID string) ([]Export, error) {
	var list []Export
	err := s.db.Select(ctx, &list, `
		SELECT `+columns+` FROM account_exports
		WHERE account_id = $1 AND (expires_at IS NULL OR expires_at > now())
		ORDER BY created_at DESC, id DESC`, accountID)
	if err != nil {
		return nil, fmt.Errorf("list exports: %w", err)
	}
	return list, nil
}

// Open opens the archive of an export. The caller closes it. Open returns export_not_found if the account has no such
// export that is ready.
func (s *Service) Open(ctx context.Context, accountID, exportID string) (Export, io.ReadSeekCloser, error) {
	notFound := fault.New(fault.ExportNotFound,
		"There is no such archive, or it was deleted. Ask for a new export under Settings.")
	exportID, ok := id.Parse(id.Export, exportID)
	if !ok {
		return Export{}, nil, notFound
	}
	var e Export
	err := s.db.Get(ctx, &e, `
		SELECT `+columns+` FROM account_exports
		WHERE account_id = $1 AND id = $2 AND status = $3 AND expires_at > now()`, accountID, exportID, Ready)
	if errors.Is(err, sql.ErrNoRows) {
		return Export{}, nil, notFound
	}
	if err != nil {
		return Export{}, nil, fmt.Errorf("open archive: %w", err)
	}
	archive, err := s.store.Open(ctx, key(accountID, exportID))
	switch {
	case fault.Is(err, fault.PhotoNotFound): // the store says so of any file
		return Export{}, nil, notFound.WithCause(err)
	case err != nil:
		return Export{}, nil, fmt.Errorf("open archive: %w", err)
	}
	slog.InfoContext(ctx, "export opened", "account_id", accountID, "export_id", exportID)
	return e, archive, nil
}

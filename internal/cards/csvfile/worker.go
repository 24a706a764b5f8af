package csvfile

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/worker"
)

const (
	// importsAtOnce is the number of imports that a process applies concurrently, one per account.
	importsAtOnce = 2
	// turnTime is how long an import is processed before it is released, so that other imports get a turn
	// and the process can stop.
	turnTime = 2 * time.Second
	// importLease is much longer than a turn. A second worker would be harmless: each chunk is applied once.
	importLease = time.Minute
	// headStart is the delay before workers join the process that accepted an import. Most imports take less
	// time.
	headStart = 5 * time.Second
	// importRetry is the delay after a failure.
	importRetry = 5 * time.Second
)

// Queue returns the queue of accepted imports.
func (s *Service) Queue() *queue.Queue { return s.imports }

// Background finishes the accepted imports of other processes and removes the staged rows of imports that
// were never accepted, and old refusals.
func (s *Service) Background() worker.Loop {
	runner := &queue.Runner{
		Queue: s.imports, DB: s.db, Parallel: importsAtOnce, Lease: importLease, Handle: s.resume,
		Backoff: func(queue.Claim, error) time.Duration { return importRetry },
	}
	return worker.Group{
		runner.Loop("card import"),
		worker.NewPeriodic("abandoned card imports", sweepInterval, func(ctx context.Context) (bool, error) {
			return false, errors.Join(s.sweep(ctx), s.sweepRefusals(ctx))
		}),
	}
}

// resume applies the next rows of a claimed import.
func (s *Service) resume(ctx context.Context, c queue.Claim) error {
	begun := time.Now()
	finished, err := s.applyChunks(ctx, c.AccountID, c.Key, func(int) bool { return time.Since(begun) < turnTime })
	if err != nil || finished {
		return err
	}
	_, err = s.imports.Repeat(ctx, s.db, c, 0)
	s.imports.Wake()
	return err
}

const (
	// keepStaged is how long the rows of imports that are not accepted are kept. It is longer than storing
	// the photos of the largest file takes.
	keepStaged = 3 * 24 * time.Hour
	// sweepInterval is the interval between two sweeps.
	sweepInterval = time.Hour
)

// sweep removes the rows of imports that were abandoned before they were accepted. photos.Collector then
// removes their photos.
func (s *Service) sweep(ctx context.Context) error {
	var abandoned []struct {
		AccountID string `db:"account_id"`
		ImportID  string `db:"import_id"`
	}
	err := s.db.Select(ctx, &abandoned, `
		SELECT DISTINCT c.account_id, c.import_id
		FROM card_import_chunks c LEFT JOIN card_imports i ON i.account_id = c.account_id AND i.import_id = c.import_id
		WHERE c.staged_at < now() - $1 * interval '1 second' AND i.account_id IS NULL`, keepStaged.Seconds())
	if err != nil {
		return fmt.Errorf("delete abandoned imports: %w", err)
	}
	for _, a := range abandoned {
		if err := s.removeStaged(ctx, a.AccountID, a.ImportID); err != nil {
			return err
		}
	}
	return nil
}

// removeStaged removes the rows of an import unless it was accepted. Holding the clock prevents the import from being
// accepted at the same time.
func (s *Service) removeStaged(ctx context.Context, accountID, importID string) error {
	err := s.clock.Write(ctx, s.db, accountID, func(tx *postgres.Tx, _ clock.Stamp) error {
		_, err := tx.Exec(ctx, `
			DELETE FROM card_import_chunks c WHERE c.account_id = $1 AND c.import_id = $2
			  AND NOT EXISTS (SELECT FROM card_imports i WHERE i.account_id = $1 AND i.import_id = $2)`,
			accountID, importID)
		return err
	})
	if err != nil {
		return fmt.Errorf("delete staged rows: %w", err)
	}
	return nil
}

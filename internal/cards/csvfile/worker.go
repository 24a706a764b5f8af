package csvfile

import (
	"context"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/worker"
)

const (
	// importsAtOnce is how many imports a process carries on at a time, one of each account.
	importsAtOnce = 2
	// turnTime is how long an import is carried on before it is given back, for others to have a
	// turn and for the process to stop.
	turnTime = 2 * time.Second
	// importLease is far longer than a turn. A second worker would do no harm: each chunk is made once.
	importLease = time.Minute
	// headStart is how long the process that accepts an import has it for itself. Most imports are
	// finished by then; in longer ones a worker takes part.
	headStart = 5 * time.Second
	// importRetry is the pause after a failure.
	importRetry = 5 * time.Second
)

// Queue returns the queue of the imports that were accepted.
func (s *Service) Queue() *queue.Queue { return s.imports }

// Background finishes the imports that other processes have left, and removes what was staged for
// imports that were never accepted.
func (s *Service) Background() worker.Loop {
	runner := &queue.Runner{
		Queue: s.imports, DB: s.db, Parallel: importsAtOnce, Lease: importLease, Handle: s.carryOn,
		Backoff: func(queue.Claim, error) time.Duration { return importRetry },
	}
	return worker.Group{
		runner.Loop("card import"),
		worker.NewPeriodic("abandoned card imports", sweepEvery, func(ctx context.Context) (bool, error) {
			return false, s.sweep(ctx)
		}),
	}
}

// carryOn makes the next cards of a claimed import.
func (s *Service) carryOn(ctx context.Context, c queue.Claim) error {
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
	// keepStaged is how long rows are kept that no import has accepted: longer than the storing of
	// the pictures of a whole file takes.
	keepStaged = 3 * 24 * time.Hour
	// sweepEvery is how often older ones are looked for.
	sweepEvery = time.Hour
)

// sweep removes the rows of imports that were abandoned before they were accepted. Their pictures are
// referred to by nothing from then on.
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
		return fmt.Errorf("csvfile.sweep: %w", err)
	}
	for _, a := range abandoned {
		// The clock keeps the import from being accepted meanwhile.
		err := s.clock.Write(ctx, s.db, a.AccountID, func(tx *postgres.Tx, _ clock.Stamp) error {
			_, err := tx.Exec(ctx, `
				DELETE FROM card_import_chunks c WHERE c.account_id = $1 AND c.import_id = $2
				  AND NOT EXISTS (SELECT FROM card_imports i WHERE i.account_id = $1 AND i.import_id = $2)`,
				a.AccountID, a.ImportID)
			return err
		})
		if err != nil {
			return fmt.Errorf("csvfile.sweep: %w", err)
		}
	}
	return nil
}

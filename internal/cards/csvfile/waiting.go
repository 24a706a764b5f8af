package csvfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
)

// Waiting is a file that was checked and whose rows are staged, until Accept or Discard.
type Waiting struct {
	ImportID string
	Report   Report // what accepting it does
	Total    int    // cards to create or update; 0 if there is nothing to accept
	Chunks   int
}

// Stage checks a file as Import does and stages its rows, without photos from files. Nothing is visible before Accept.
// Rows that are not accepted are removed after 3 days. The preview is also returned with an error, as far as the file
// was read.
func (s *Service) Stage(
	ctx context.Context, accountID string, r io.Reader, o ImportOptions,
) (Waiting, Preview, error) {
	if err := o.check(); err != nil {
		return Waiting{}, Preview{}, err
	}
	o.Photos = ""
	staged := &staging{db: s.db, accountID: accountID, importID: id.New(id.Import, s.clock.Time())}
	report, preview, err := s.stage(ctx, staged, r, o, func(int, int) {})
	if err != nil {
		s.drop(ctx, staged)
		return Waiting{}, preview, err
	}
	report.Ignored = cutNames(report.Ignored)
	return Waiting{staged.importID, report, staged.total(), staged.stored}, preview, nil
}

// acceptTime is how long Accept applies rows itself. Workers apply the others.
const acceptTime = 2 * time.Second

// Accept accepts a staged file: from then on, all of its rows are applied, even if the process ends.
func (s *Service) Accept(ctx context.Context, accountID string, w Waiting) error {
	staged := &staging{db: s.db, accountID: accountID, importID: w.ImportID, stored: w.Chunks}
	if err := s.accept(ctx, staged); err != nil {
		return explainAccept(err)
	}
	begun := time.Now()
	_, err := s.applyChunks(ctx, accountID, w.ImportID, func(int) bool { return time.Since(begun) < acceptTime })
	if err != nil {
		slog.WarnContext(ctx, "import is left to the workers", "account", accountID, "import", w.ImportID, "error", err)
	}
	return nil
}

// explainAccept returns the error of an import that was not accepted, or may have been.
func explainAccept(err error) error {
	unfinished := (*UnfinishedError)(nil)
	switch {
	case errors.Is(err, errRemoved):
		return fault.New(fault.InvalidRequest, "The file was imported already, or waited for more than 3 days. "+
			"Look at your cards before you upload it again.").WithCause(err)
	case errors.As(err, &unfinished):
		return fault.New(fault.Unavailable, "It is not known whether the file was accepted. "+
			"Look whether its cards appear before you import it again.").WithCause(err)
	}
	return err
}

// Discard removes the rows of a staged file that was not accepted. It leaves an accepted one alone.
func (s *Service) Discard(ctx context.Context, accountID string, w Waiting) error {
	return s.removeStaged(ctx, accountID, w.ImportID)
}

// Progress is how far an accepted import is.
type Progress struct {
	Left    int       // cards that are not written yet
	Refused []Refusal // the first MaxProblems rows that were not applied
	Missing int       // cards of all rows that were not applied
}

// Progress returns how far an accepted import of the account is. An import that it does not have has nothing left.
func (s *Service) Progress(ctx context.Context, accountID, importID string) (p Progress, err error) {
	err = s.db.Get(ctx, &p.Left, `
		SELECT coalesce(sum(cards), 0) FROM card_import_chunks WHERE account_id = $1 AND import_id = $2`,
		accountID, importID)
	if err != nil {
		return p, fmt.Errorf("read progress: %w", err)
	}
	if p.Refused, err = s.refusals(ctx, accountID, importID); err != nil {
		return p, err
	}
	missing, err := s.refusedSize(ctx, accountID, importID)
	p.Missing = missing.Cards + missing.Updates
	return p, err
}

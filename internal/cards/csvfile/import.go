package csvfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
)

// ImportOptions are the options of Import.
type ImportOptions struct {
	Options
	// Photos is the directory of the photos that rows refer to, or "".
	Photos string
	// Batch is the name of the batch for new cards whose row has none, or "".
	Batch string
	// OnConflict says what to do with a row whose card exists. The default is cards.UpdateConflict.
	OnConflict cards.OnConflict
	// Hints are kept with new cards for their identifications.
	Hints catalog.Hints
}

// Report is the result of an import.
type Report struct {
	Cards     int `json:"cards"` // created
	Updated   int `json:"updated"`
	Unchanged int `json:"unchanged"` // cards that exist and are as the file says, or are to be skipped
	Photos    int `json:"photos"`    // stored from files; photos at URLs are fetched later
	// Refused are the first MaxProblems rows that were not applied, because their cards changed after the import was
	// accepted, or because the account has no room for them.
	Refused []Refusal `json:"refused"`
	// Skipped and Ignored are as in Summary.
	Skipped int      `json:"skipped"`
	Ignored []string `json:"ignored"`
}

// UnfinishedError means that an import was accepted but Import did not finish it. The workers apply the
// other rows, so the file must not be imported again.
type UnfinishedError struct {
	Cards int // number of cards to create or update
	Made  int // number of cards that Import created or updated
	// Unknown is true if it is not known whether the import was accepted, because the database failed.
	Unknown bool
	Err     error // the cause
}

// Error describes the state of the import and says what to do.
func (e *UnfinishedError) Error() string {
	if e.Unknown {
		return fmt.Sprintf("it is not known whether the file was accepted: "+
			"check whether its cards appear before you import it again: %v", e.Err)
	}
	return fmt.Sprintf("the file was accepted and %d of its %d cards were written; "+
		"cardvault serve or cardvault worker writes the others, so do not import it again: %v", e.Made, e.Cards, e.Err)
}

// Import creates and updates the cards of a file, in file order, or none. An invalid file or photo is a *Problems
// error.
//
// A row with a card_id is that card. Other rows are the card with their external_id or, with MatchSKU, with their SKU;
// if there is none, they become new cards. Of a card that exists, the cells that have a value are updated.
//
// Import stages all rows, stores the photos and accepts the import. Until then nothing is visible, and an
// error leaves nothing behind. After a crash, staged rows and photos are removed later. Once the import is
// accepted, every row will be applied. Import applies them itself. If it is interrupted, it returns an
// *UnfinishedError, and the workers continue.
//
// A row's batch is resolved when its card is created: it is the newest open batch of that name. If there is
// none, for example because it was completed during the import, Import creates one.
//
// progress may be nil. It is called with the number of photos and cards done.
func (s *Service) Import(
	ctx context.Context, accountID string, r io.Reader, o ImportOptions, progress func(done, total int),
) (Report, error) {
	if err := o.check(); err != nil {
		return Report{}, err
	}
	if progress == nil {
		progress = func(int, int) {}
	}
	staged := &staging{db: s.db, accountID: accountID, importID: id.New(id.Import, s.clock.Time())}
	report, _, err := s.stage(ctx, staged, r, o, progress)
	if err == nil && staged.total() > 0 {
		err = s.accept(ctx, staged)
	}
	if err != nil {
		if unfinished := (*UnfinishedError)(nil); !errors.As(err, &unfinished) {
			s.drop(ctx, staged)
		}
		return Report{}, err
	}
	if staged.total() == 0 {
		return report, nil
	}
	total := report.Photos + staged.total()
	if err := s.apply(ctx, staged, func(made int) { progress(report.Photos+made, total) }); err != nil {
		return report, err
	}
	report.Refused, err = s.refusals(ctx, accountID, staged.importID)
	if err != nil || len(report.Refused) == 0 {
		return report, err
	}
	refused, err := s.refusedSize(ctx, accountID, staged.importID)
	report.Cards -= refused.Cards
	report.Photos -= refused.Photos
	report.Updated -= refused.Updates
	return report, err
}

// check checks the options that do not depend on the file.
func (o ImportOptions) check() error {
	if o.Batch != "" {
		if err := cards.CheckLine("batch", o.Batch, maxBatchName); err != nil {
			return err
		}
	}
	return cards.CheckHints("hints", o.Hints)
}

// stage validates the file and stores the rows to apply and their photos. The report says what applying them will do.
// The preview is also returned with an error, as far as the file was read.
func (s *Service) stage(
	ctx context.Context, staged *staging, from io.Reader, o ImportOptions, progress func(done, total int),
) (Report, Preview, error) {
	if o.Currency == "" {
		var err error
		if o.Currency, err = s.currencyOf(ctx, staged.accountID); err != nil {
			return Report{}, Preview{}, err
		}
	}
	dir, err := openPictures(o.Photos)
	if err != nil {
		return Report{}, Preview{}, err
	}
	defer dir.close()
	file := &reader{options: o.Options}
	rows := newMatcher(s, staged, file, dir, o)
	file.each = func(row Row) error { return rows.add(ctx, row) }
	file.finish = func() error { return rows.flush(ctx) }
	summary, err := file.read(from)
	if err != nil {
		return Report{}, file.preview, err
	}
	if err := staged.flush(ctx); err != nil {
		return Report{}, file.preview, err
	}
	report := rows.report
	report.Skipped, report.Ignored = summary.Skipped, summary.Ignored
	if report.Photos == 0 {
		return report, file.preview, nil
	}
	total := report.Photos + staged.total()
	return report, file.preview, s.storePictures(ctx, staged, dir, func(done int) { progress(done, total) })
}

// currencyOf returns the currency of an account.
func (s *Service) currencyOf(ctx context.Context, accountID string) (currency string, err error) {
	err = s.db.Get(ctx, &currency, `SELECT currency FROM accounts WHERE id = $1`, accountID)
	if err != nil {
		return "", fmt.Errorf("read the account's currency: %w", err)
	}
	return currency, nil
}

// cleanupTimeout limits the cleanup of an import after its context ended.
const cleanupTimeout = 10 * time.Second

// errRemoved is the error of an import whose rows are not there any more.
var errRemoved = fault.New(fault.Unavailable,
	"the import took more than %v and its rows were removed: import it again", keepStaged)

// accept commits the import: from then on its cards will be created.
func (s *Service) accept(ctx context.Context, staged *staging) error {
	committing := false
	err := s.clock.Write(ctx, s.db, staged.accountID, func(tx *postgres.Tx, _ clock.Stamp) error {
		committing = false
		var stored int
		err := tx.Get(ctx, &stored, `SELECT count(*) FROM card_import_chunks WHERE account_id = $1 AND import_id = $2`,
			staged.accountID, staged.importID)
		if err != nil {
			return fmt.Errorf("accept import: %w", err)
		}
		if stored != staged.stored {
			return errRemoved
		}
		if err := s.imports.EnqueueWithin(ctx, tx, staged.accountID, headStart, staged.importID); err != nil {
			return err
		}
		committing = true
		return nil
	})
	if err == nil || !committing {
		return err
	}
	return s.resolve(ctx, staged, err)
}

// resolve determines whether an acceptance whose commit returned an error was committed. It locks the
// account's clock, which that transaction held until its end.
func (s *Service) resolve(ctx context.Context, staged *staging, failure error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupTimeout)
	defer cancel()
	var accepted, hasChunks bool
	err := s.clock.Write(ctx, s.db, staged.accountID, func(tx *postgres.Tx, _ clock.Stamp) error {
		err := tx.Get(ctx, &accepted, `
			SELECT EXISTS (SELECT FROM card_imports WHERE account_id = $1 AND import_id = $2)`,
			staged.accountID, staged.importID)
		if err != nil {
			return err
		}
		return tx.Get(ctx, &hasChunks, `
			SELECT EXISTS (SELECT FROM card_import_chunks WHERE account_id = $1 AND import_id = $2)`,
			staged.accountID, staged.importID)
	})
	switch {
	case err == nil && accepted, err == nil && !hasChunks: // without chunks, a worker has finished it
		return nil
	case err == nil:
		return failure
	}
	return &UnfinishedError{Unknown: true, Err: failure}
}

// drop removes the rows and photos of an import that is not accepted. If it fails, sweep and photos.Collector remove
// them later.
func (s *Service) drop(ctx context.Context, staged *staging) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupTimeout)
	defer cancel()
	if err := s.discardPictures(ctx, staged); err != nil {
		return
	}
	_, _ = s.db.Exec(ctx, `DELETE FROM card_import_chunks WHERE account_id = $1 AND import_id = $2`,
		staged.accountID, staged.importID)
}

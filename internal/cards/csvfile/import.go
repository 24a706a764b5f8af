package csvfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
)

// ImportOptions are what an import needs besides the file.
type ImportOptions struct {
	Options
	// Photos is the directory that holds the photos which rows name; "" if there is none.
	Photos string
	// Batch is the name of the batch for cards whose row names none; "" leaves them in none.
	Batch string
}

// Report tells what was imported.
type Report struct {
	Cards  int `json:"cards"`
	Photos int `json:"photos"` // stored from files; those at addresses are fetched later
	// Skipped and Ignored are the rows and columns left out, as in Summary.
	Skipped int      `json:"skipped"`
	Ignored []string `json:"ignored"`
}

// UnfinishedError says that an import was accepted but that Import could not finish it. The workers
// make the cards that are missing, so the file must not be imported again.
type UnfinishedError struct {
	Cards int // how many the file holds
	Made  int // how many of them Import has made
	// Unknown says that not even the acceptance is certain: the database went away meanwhile.
	Unknown bool
	Err     error // why Import ended
}

// Error says what became of the file and what to do.
func (e *UnfinishedError) Error() string {
	if e.Unknown {
		return fmt.Sprintf("it is not known whether the file was accepted: "+
			"look whether its cards appear before you import it again: %v", e.Err)
	}
	return fmt.Sprintf("the file was accepted and %d of its %d cards are made; "+
		"cardvault serve or cardvault worker makes the others, so do not import it again: %v", e.Made, e.Cards, e.Err)
}

// Import makes the cards that a file holds, in the file's order, all or none. What is wrong with
// the file or its photos is a *Problems.
//
// Import stages all rows, stores the pictures, and accepts the import: up to then nothing is visible,
// and an error leaves nothing behind. A crash leaves rows and pictures that are removed later. After
// the acceptance every card will be made. Import makes them itself; if it is interrupted, which is an
// *UnfinishedError, the workers go on where it stopped.
//
// A row's batch is found when the row's card is made: it is the newest open batch of that name. If
// there is none, because it was completed meanwhile for example, one is made.
//
// progress may be nil; it is called with how many of the pictures and cards are done.
func (s *Service) Import(
	ctx context.Context, accountID string, r io.Reader, o ImportOptions, progress func(done, total int),
) (Report, error) {
	if err := checkBatch(o.Batch); err != nil {
		return Report{}, err
	}
	if progress == nil {
		progress = func(int, int) {}
	}
	staged := &staging{db: s.db, accountID: accountID, importID: id.New(id.Import, s.clock.Time())}
	summary, err := s.stage(ctx, staged, r, o, progress)
	if err == nil && summary.Cards > 0 {
		err = s.accept(ctx, staged)
	}
	if err != nil {
		if unfinished := (*UnfinishedError)(nil); !errors.As(err, &unfinished) {
			s.drop(ctx, staged)
		}
		return Report{}, err
	}
	total := summary.Pictures + summary.Cards
	err = s.apply(ctx, staged, func(made int) { progress(summary.Pictures+made, total) })
	return Report{Cards: summary.Cards, Photos: summary.Pictures, Skipped: summary.Skipped, Ignored: summary.Ignored}, err
}

func checkBatch(name string) error {
	if name == "" {
		return nil
	}
	return cards.CheckLine("batch", name, maxBatchName)
}

// stage checks the file, and stores its rows and their pictures.
func (s *Service) stage(
	ctx context.Context, staged *staging, from io.Reader, o ImportOptions, progress func(done, total int),
) (Summary, error) {
	dir, err := openPictures(o.Photos)
	if err != nil {
		return Summary{}, err
	}
	defer dir.close()
	file := reader{options: o.Options, checkFile: dir.check, each: func(row Row) error {
		if row.Batch == nil && o.Batch != "" {
			row.Batch = &o.Batch
		}
		return staged.add(ctx, row)
	}}
	summary, err := file.read(from)
	if err != nil {
		return Summary{}, err
	}
	if err := staged.flush(ctx); err != nil {
		return Summary{}, err
	}
	if summary.Pictures == 0 {
		return summary, nil
	}
	return summary, s.storePictures(ctx, staged, dir, func(done int) { progress(done, summary.Pictures+summary.Cards) })
}

// settleTime bounds what is still done for an import after its context has ended.
const settleTime = 10 * time.Second

// accept makes the import one that will be carried out, whatever happens.
func (s *Service) accept(ctx context.Context, staged *staging) error {
	committing := false
	err := s.clock.Write(ctx, s.db, staged.accountID, func(tx *postgres.Tx, _ clock.Stamp) error {
		committing = false
		var stored int
		err := tx.Get(ctx, &stored, `SELECT count(*) FROM card_import_chunks WHERE account_id = $1 AND import_id = $2`,
			staged.accountID, staged.importID)
		if err != nil {
			return fmt.Errorf("csvfile.accept: %w", err)
		}
		if stored != staged.stored {
			return fault.New(fault.Unavailable, "the import took more than %v and its rows were removed: import it again",
				keepStaged)
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

// resolve finds out whether an acceptance whose commit failed with err has happened. It takes the
// account's clock, which that transaction held to its end.
func (s *Service) resolve(ctx context.Context, staged *staging, failure error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	var accepted, there bool
	err := s.clock.Write(ctx, s.db, staged.accountID, func(tx *postgres.Tx, _ clock.Stamp) error {
		err := tx.Get(ctx, &accepted, `SELECT EXISTS (SELECT FROM card_imports WHERE account_id = $1 AND import_id = $2)`,
			staged.accountID, staged.importID)
		if err != nil {
			return err
		}
		return tx.Get(ctx, &there, `SELECT EXISTS (SELECT FROM card_import_chunks WHERE account_id = $1 AND import_id = $2)`,
			staged.accountID, staged.importID)
	})
	switch {
	case err == nil && accepted, err == nil && !there: // a worker may have finished it by now
		return nil
	case err == nil:
		return failure
	}
	return &UnfinishedError{Unknown: true, Err: failure}
}

// drop removes what was stored for an import that is not accepted. What it cannot remove is removed later, by age.
func (s *Service) drop(ctx context.Context, staged *staging) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	if err := s.discardPictures(ctx, staged); err != nil {
		return
	}
	_, _ = s.db.Exec(ctx, `DELETE FROM card_import_chunks WHERE account_id = $1 AND import_id = $2`,
		staged.accountID, staged.importID)
}

package inventory

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
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
	// Skipped and Ignored are the rows and columns left out, as in File.
	Skipped int      `json:"skipped"`
	Ignored []string `json:"ignored"`
}

// Import makes the cards that a file holds, in the file's order, all or none. What is wrong with
// the file or its photos is a *Problems. Batches are found by their names, or made; one that
// is complete is left alone, and a new one of its name made.
//
// Pictures are stored first and given to the cards in the one transaction that makes them. A crash
// before it leaves pictures that nobody refers to, which take room and harm nothing.
//
// progress may be nil; it is called with how many of the pictures and cards are done.
func (s *Service) Import(ctx context.Context, accountID string, r io.Reader, o ImportOptions, progress func(done, total int)) (Report, error) {
	if err := checkBatch(o.Batch); err != nil {
		return Report{}, err
	}
	file, err := Read(r, o.Options)
	if err != nil {
		return Report{}, err
	}
	kept, err := s.keep(ctx, accountID, &file, o.Photos, progress)
	if err != nil {
		return Report{}, err
	}
	if err := s.create(ctx, accountID, &file, o.Batch, kept); err != nil {
		return Report{}, fmt.Errorf("inventory.Import: %w", err)
	}
	if progress != nil {
		progress(kept.count+file.Cards, kept.count+file.Cards)
	}
	return Report{Cards: file.Cards, Photos: kept.count, Skipped: file.Skipped, Ignored: file.Ignored}, nil
}

func checkBatch(name string) error {
	if name == "" {
		return nil
	}
	return cards.CheckLine("batch", name, maxBatchName)
}

// create makes the cards of the file. If that fails, the pictures kept for them are discarded.
func (s *Service) create(ctx context.Context, accountID string, file *File, batch string, kept *pictures) error {
	drafts, lines := drafts(file, kept)
	committing := false
	err := s.clock.Write(ctx, s.db, accountID, func(tx *postgres.Tx, stamp clock.Stamp) (err error) {
		committing = false
		ids := map[string]string{} // of the batches by name
		for i := range drafts {
			name := file.Rows[lines[i]].Batch
			if name == nil && batch != "" {
				name = &batch
			}
			if name == nil {
				continue
			}
			if ids[*name] == "" {
				if ids[*name], err = s.batches.OpenNamed(ctx, tx, stamp, *name); err != nil {
					return err
				}
			}
			drafts[i].BatchID = cards.Set(ids[*name])
		}
		_, err = s.cards.CreateIn(ctx, tx, stamp, drafts)
		committing = err == nil
		return err
	})
	// A commit that was not confirmed may have happened: its cards need their pictures.
	if err != nil && !committing {
		s.discard(ctx, accountID, kept)
	}
	var item *cards.ItemError
	if f, ok := fault.As(err); ok && errors.As(err, &item) {
		return one(file.Rows[lines[item.Index]].Line, "%s", f.Message)
	}
	return err
}

// drafts returns a draft of every copy of every row, and which row each is of.
func drafts(file *File, kept *pictures) (list []cards.Draft, rows []int) {
	list, rows = make([]cards.Draft, 0, file.Cards), make([]int, 0, file.Cards)
	for i := range file.Rows {
		for copied := range file.Rows[i].Quantity {
			d := file.Rows[i].draft()
			d.Stored = kept.of[card{i, copied}]
			list, rows = append(list, d), append(rows, i)
		}
	}
	return list, rows
}

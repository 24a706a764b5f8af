package csvfile

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
)

// apply creates the cards of an accepted import. A worker can apply the same import concurrently: each chunk
// is applied once.
func (s *Service) apply(ctx context.Context, staged *staging, progress func(made int)) error {
	last := 0
	_, err := s.applyChunks(ctx, staged.accountID, staged.importID, func(made int) bool {
		last = made
		progress(made)
		return true
	})
	if err != nil {
		return &UnfinishedError{Cards: staged.total(), Made: last, Err: err}
	}
	progress(staged.total())
	return nil
}

// applyChunks creates the cards of an accepted import in file order, a few chunks in each transaction,
// and finishes the import. After each transaction it calls next with the number of cards created so far,
// and stops if next returns false.
func (s *Service) applyChunks(
	ctx context.Context, accountID, importID string, next func(made int) bool,
) (finished bool, err error) {
	ctx = caller.WithActor(ctx, caller.Actor{Type: caller.ImportActor, ID: importID})
	read, stop := iter.Pull2(chunks(ctx, s.db, accountID, importID))
	defer stop()
	for size := batchSize(1); ; {
		batch, err := size.take(read)
		if err == nil && len(batch) == 0 {
			return true, s.imports.Drop(ctx, s.db, accountID, importID)
		}
		var held time.Duration
		if err == nil {
			held, err = s.applyBatch(ctx, accountID, importID, batch)
		}
		if err != nil {
			return false, fmt.Errorf("csvfile.apply: import %s: %w", importID, err)
		}
		if !next(batch[len(batch)-1].end()) {
			return false, nil
		}
		size = size.after(held)
	}
}

// The limits of a transaction, which holds the account's clock while other writers wait. 500 priced cards
// and their 2,000 events take about 50 ms, and several times as long with five webhook endpoints or on a busy
// machine.
const (
	maxBatch    = 5 // chunks
	maxHoldTime = 100 * time.Millisecond
)

// batchSize is the number of chunks of one transaction.
type batchSize int

// take reads up to n chunks.
func (n batchSize) take(read func() (*chunk, error, bool)) (batch []*chunk, err error) {
	for len(batch) < int(n) {
		c, err, ok := read()
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		batch = append(batch, c)
	}
	return batch, nil
}

// after returns the next size, given how long the last transaction held the account's clock.
func (n batchSize) after(held time.Duration) batchSize {
	switch {
	case held > maxHoldTime:
		return max(n/2, 1)
	case held < maxHoldTime/2:
		return min(2*n, maxBatch)
	}
	return n
}

// applyBatch creates the cards of the chunks that no other process has applied. It returns how long it
// held the account's clock.
func (s *Service) applyBatch(
	ctx context.Context, accountID, importID string, batch []*chunk,
) (held time.Duration, err error) {
	var begun time.Time
	err = s.clock.Write(ctx, s.db, accountID, func(tx *postgres.Tx, stamp clock.Stamp) error {
		begun = time.Now()
		taken, err := takeChunks(ctx, tx, accountID, importID, batch)
		if err != nil || len(taken) == 0 {
			return err
		}
		return s.createCards(ctx, tx, stamp, taken)
	})
	return time.Since(begun), err
}

// takeChunks deletes chunks and returns those that existed. The transaction must hold the account's
// clock, so that the second of two processes that take the same chunk finds it deleted.
func takeChunks(ctx context.Context, tx *postgres.Tx, accountID, importID string, batch []*chunk) ([]*chunk, error) {
	places := make(pq.Int64Array, len(batch))
	for i, c := range batch {
		places[i] = int64(c.Place)
	}
	var deleted []int
	err := tx.Select(ctx, &deleted, `
		DELETE FROM card_import_chunks WHERE account_id = $1 AND import_id = $2 AND place = ANY($3) RETURNING place`,
		accountID, importID, places)
	if err != nil {
		return nil, err
	}
	var taken []*chunk
	for _, c := range batch {
		if slices.Contains(deleted, c.Place) {
			taken = append(taken, c)
		}
	}
	return taken, nil
}

// createCards creates the cards of chunks.
func (s *Service) createCards(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, taken []*chunk) (err error) {
	var drafts []cards.Draft
	var lines []int
	batchIDs := map[string]string{} // by name
	for _, row := range rowsOf(taken) {
		draft := row.Row.draft()
		if name := row.Row.Batch; name != nil {
			if batchIDs[*name] == "" {
				if batchIDs[*name], err = s.batches.OpenNamed(ctx, tx, stamp, *name); err != nil {
					return err
				}
			}
			draft.BatchID = cards.Set(batchIDs[*name])
		}
		for copied := range row.Copies {
			if row.Pictures != nil {
				draft.Stored = row.Pictures[copied]
			}
			drafts, lines = append(drafts, draft), append(lines, row.Row.Line)
		}
	}
	_, err = s.cards.CreateIn(ctx, tx, stamp, drafts)
	var item *cards.ItemError
	if errors.As(err, &item) {
		return fmt.Errorf("line %d: %w", lines[item.Index], item.Err)
	}
	return err
}

// rowsOf returns the rows of all chunks.
func rowsOf(taken []*chunk) (rows []stagedRow) {
	for _, c := range taken {
		rows = append(rows, c.rows...)
	}
	return rows
}

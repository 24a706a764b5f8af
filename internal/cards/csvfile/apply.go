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
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

// apply applies the rows of an accepted import. A worker can apply the same import concurrently: each chunk
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

// applyChunks applies the rows of an accepted import in file order, a few chunks in each transaction,
// and finishes the import. After each transaction it calls next with the number of cards written so far,
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
			return false, fmt.Errorf("apply import %s: %w", importID, err)
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

// applyBatch applies the rows of the chunks that no other process has applied. It returns how long it
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
		return s.applyRows(ctx, tx, stamp, importID, taken)
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

// applyRows creates and updates the cards of chunks. It stores the rows that it refuses.
func (s *Service) applyRows(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, importID string, taken []*chunk,
) error {
	rows := rowsOf(taken)
	refused, err := s.rematch(ctx, tx, stamp.AccountID, rows)
	if err != nil {
		return err
	}
	var news creates
	var existing updates
	batchIDs := map[string]string{} // by name
	for _, row := range rows {
		if row.dropped {
			continue
		}
		draft := row.Row.draft()
		if name := row.Row.Batch; name != nil {
			if batchIDs[*name] == "" {
				if batchIDs[*name], err = s.batches.OpenNamed(ctx, tx, stamp, *name); err != nil {
					return err
				}
			}
			draft.BatchID = cards.Set(batchIDs[*name])
		}
		if row.Row.CardID != "" {
			existing.add(row, draft)
		} else {
			news.add(row, draft)
		}
	}
	unroomed, err := s.create(ctx, tx, stamp, &news)
	if err != nil {
		return err
	}
	forbidden, err := s.update(ctx, tx, stamp.Offset(len(news.drafts)), existing)
	if err != nil {
		return err
	}
	return storeRefusals(ctx, tx, stamp.AccountID, importID, slices.Concat(refused, unroomed, forbidden))
}

// creates are the cards to create, with their lines.
type creates struct {
	drafts []cards.Draft
	lines  []int
}

// add adds the copies of a row.
func (c *creates) add(row *stagedRow, draft cards.Draft) {
	for copied := range row.Copies {
		if row.Pictures != nil {
			draft.Stored = row.Pictures[copied]
		}
		c.drafts, c.lines = append(c.drafts, draft), append(c.lines, row.Row.Line)
	}
}

// cut removes the drafts from the line of draft i on, and returns the refusals of their lines.
func (c *creates) cut(i int, message string) (refused []refusal) {
	first := slices.Index(c.lines, c.lines[i])
	for n := first; n < len(c.lines); n++ {
		if n == first || c.lines[n] != c.lines[n-1] {
			refused = append(refused, refusal{Refusal: Refusal{c.lines[n], message}})
		}
		last := &refused[len(refused)-1]
		last.Cards++
		last.Photos += len(c.drafts[n].Stored)
	}
	c.drafts, c.lines = c.drafts[:first], c.lines[:first]
	return refused
}

// create creates cards. If the account has no room for a card, it refuses the line of that card and the lines after it,
// and removes them from news.
func (s *Service) create(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, news *creates,
) (refused []refusal, err error) {
	for len(news.drafts) > 0 {
		_, err := s.cards.CreateIn(ctx, tx, stamp, news.drafts)
		var item *cards.ItemError
		if !errors.As(err, &item) {
			return refused, err
		}
		full, _ := fault.As(item.Err)
		if full == nil || full.Code != fault.QuotaExceeded {
			return nil, fmt.Errorf("line %d: %w", news.lines[item.Index], item.Err)
		}
		refused = append(news.cut(item.Index, full.Message), refused...)
	}
	return refused, nil
}

// updates are the updates of existing cards, with their lines.
type updates struct {
	items []cards.ItemUpdate
	lines []int
}

// add adds the update of a row's card.
func (u *updates) add(row *stagedRow, draft cards.Draft) {
	u.lines = append(u.lines, row.Row.Line)
	u.items = append(u.items, cards.ItemUpdate{
		CardID: row.Row.CardID,
		Update: func(c *cards.Card, now time.Time) ([]events.Data, error) {
			return nil, draft.Changes(c).Apply(c, now)
		},
	})
}

// update updates cards and returns the rows whose updates the rules forbid.
func (s *Service) update(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, existing updates) (
	refused []refusal, err error) {
	if len(existing.items) == 0 {
		return nil, nil
	}
	results, err := s.cards.UpdateManyIn(ctx, tx, stamp, existing.items)
	if err != nil {
		return nil, err
	}
	for i, result := range results {
		if f, ok := fault.As(result.Err); ok {
			refused = append(refused, refusal{Refusal{existing.lines[i], f.Message}, size{Updates: 1}})
		} else if result.Err != nil {
			return nil, result.Err
		}
	}
	return refused, nil
}

// rowsOf returns the rows of all chunks.
func rowsOf(taken []*chunk) (rows []*stagedRow) {
	for _, c := range taken {
		for i := range c.rows {
			rows = append(rows, &c.rows[i])
		}
	}
	return rows
}

package csvfile

import (
	"context"
	"io"
	"iter"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/paging"
)

// Export writes the account's cards that match the filter, newest first, and returns their number. It reads
// page by page, so cards created in the meantime are not included and memory does not grow with the number
// of cards. The file has no photos.
//
// progress may be nil. It is called with the number of cards written. The total is not known.
func (s *Service) Export(ctx context.Context, w io.Writer, accountID string, filter cards.Filter,
	progress func(done int)) (int, error) {
	filter.UpdatedSince = nil // would change the order
	return Write(w, s.rows(ctx, accountID, filter, progress))
}

// rows reads the cards page by page.
func (s *Service) rows(ctx context.Context, accountID string, filter cards.Filter,
	progress func(done int)) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		names := batchNames{s.batches, accountID, map[string]*string{}}
		done := 0
		for next := (paging.Request{Limit: paging.MaxLimit}); ; {
			found, err := s.cards.List(ctx, accountID, filter, next)
			if err != nil {
				yield(Row{}, err)
				return
			}
			for _, c := range found.Data {
				batch, err := names.of(ctx, c.BatchID)
				if !yield(RowOf(c, batch), err) || err != nil {
					return
				}
			}
			if done += len(found.Data); progress != nil {
				progress(done)
			}
			if found.NextCursor == nil {
				return
			}
			next.Cursor = *found.NextCursor
		}
	}
}

// batchNames caches the names of batches.
type batchNames struct {
	batches   Batches
	accountID string
	found     map[string]*string
}

// of returns the name of a batch, or nil for no batch.
func (n batchNames) of(ctx context.Context, batchID *string) (*string, error) {
	if batchID == nil {
		return nil, nil
	}
	if name, ok := n.found[*batchID]; ok {
		return name, nil
	}
	name, err := n.batches.Name(ctx, n.accountID, *batchID)
	if err != nil {
		return nil, err
	}
	n.found[*batchID] = &name
	return &name, nil
}

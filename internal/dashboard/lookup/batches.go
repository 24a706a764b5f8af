package lookup

import (
	"context"

	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/paging"
)

// OpenBatches returns the account's open batches as options, the newest first, after one for none.
func (r *Reader) OpenBatches(ctx context.Context, accountID, none string) ([]form.Option, error) {
	open := batches.Open
	found, err := r.Batches.List(ctx, accountID, batches.Filter{Status: &open}, paging.Request{Limit: paging.MaxLimit})
	if err != nil {
		return nil, err
	}
	options := []form.Option{{Label: none}}
	for _, batch := range found.Data {
		options = append(options, form.Option{Value: batch.ID, Label: batch.Name})
	}
	return options, nil
}

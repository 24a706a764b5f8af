package app

import (
	"context"

	"github.com/cardvault/cardvault/internal/exports"
	"github.com/cardvault/cardvault/internal/photos"
)

// accountFiles implements deletion.Files: the photos of an account and its archives.
type accountFiles struct{ store *photos.Bucket }

// DeleteSome implements deletion.Files.
func (f accountFiles) DeleteSome(ctx context.Context, accountID string) (int, error) {
	for _, folder := range []string{accountID, exports.Folder(accountID)} {
		if deleted, err := f.store.DeleteSome(ctx, folder); err != nil || deleted > 0 {
			return deleted, err
		}
	}
	return 0, nil
}

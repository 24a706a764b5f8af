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
		if count, err := f.store.DeleteSome(ctx, folder); err != nil || count > 0 {
			return count, err
		}
	}
	return 0, nil
}

package photos

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"gocloud.dev/blob"
)

// Object is a stored file: a photo, or a partial write after a crash.
type Object struct {
	Key      string
	Modified time.Time
}

// listPage is the number of objects of a page.
const listPage = 1000

// List passes all objects of an account to visit, page by page, in no particular order. visit may delete
// them.
func (b *Bucket) List(ctx context.Context, accountID string, visit func([]Object) error) error {
	if b.dir != "" {
		return b.listDir(ctx, accountID, visit)
	}
	for token := blob.FirstPageToken; len(token) > 0; {
		page, next, err := b.listPage(ctx, accountID+"/", token)
		if err != nil {
			return storeFault("photos.List", err)
		}
		if err := visit(page); err != nil {
			return err
		}
		token = next
	}
	return nil
}

func (b *Bucket) listPage(ctx context.Context, prefix string, token []byte) (page []Object, next []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	objects, next, err := b.bucket.ListPage(ctx, token, listPage, &blob.ListOptions{Prefix: prefix})
	for _, f := range objects {
		page = append(page, Object{Key: f.Key, Modified: f.ModTime})
	}
	return page, next, err
}

// listDir reads the account's directory once. ListPage would read and sort the whole directory for every page.
func (b *Bucket) listDir(ctx context.Context, accountID string, visit func([]Object) error) error {
	dir, err := os.Open(filepath.Join(b.dir, accountID))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return storeFault("photos.List", err)
	}
	defer dir.Close()
	for ctx.Err() == nil {
		entries, err := dir.ReadDir(listPage)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return storeFault("photos.List", err)
		}
		if err := visit(objects(accountID, entries)); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func objects(accountID string, entries []fs.DirEntry) []Object {
	var list []Object
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() { // deleted concurrently, or not a file of the store
			continue
		}
		list = append(list, Object{Key: accountID + "/" + entry.Name(), Modified: info.ModTime()})
	}
	return list
}

package photos

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"gocloud.dev/blob"

	"github.com/cardvault/cardvault/internal/cards"
)

const (
	// partSize is the size of the parts in which large files are uploaded. A store like Amazon's takes 10,000 parts, so
	// 160 GB.
	partSize = 16 << 20
	// partsAtOnce bounds the memory of an upload.
	partsAtOnce = 2
)

// Write stores what fill writes under key, as large as it is: in memory are only a few parts of it. If fill fails,
// nothing is stored and Write returns its error. The write goes on until ctx ends.
func (b *Bucket) Write(ctx context.Context, key, contentType string, fill func(io.Writer) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	to, err := b.bucket.NewWriter(ctx, key, &blob.WriterOptions{
		ContentType: contentType, BufferSize: partSize, MaxConcurrency: partsAtOnce,
	})
	if err != nil {
		return storeFault("photos.Write", err)
	}
	filled := false
	defer func() {
		if !filled { // also after a panic
			cancel() // makes Close remove the unfinished file
			_ = to.Close()
		}
	}()
	if err := fill(to); err != nil {
		return err
	}
	filled = true
	if err := to.Close(); err != nil {
		return storeFault("photos.Write", err)
	}
	if b.dir == "" {
		return nil
	}
	if err := syncFile(b.dir, key); err != nil {
		return storeFault("photos.Write", err)
	}
	return nil
}

// Open opens the file under key for reading any part of it. The caller closes it. ctx also applies to reading.
func (b *Bucket) Open(ctx context.Context, key string) (io.ReadSeekCloser, error) {
	r, err := b.bucket.NewReader(ctx, key, nil)
	if err != nil {
		return nil, storeFault("photos.Open", err)
	}
	return r, nil
}

// Keys passes the keys of the files of a folder to visit, page by page, in no particular order. visit may delete them.
func (b *Bucket) Keys(ctx context.Context, folder string, visit func(keys []string) error) error {
	return b.List(ctx, folder, func(objects []Object) error {
		keys := make([]string, len(objects))
		for i, o := range objects {
			keys[i] = o.Key
		}
		return visit(keys)
	})
}

// deletedAtOnce is the number of files that DeleteSome deletes at most.
const deletedAtOnce = 200

// errEnough ends a list before its last page.
var errEnough = errors.New("enough files were deleted")

// DeleteSome deletes some of the files of a folder and returns their number. It is 0 if the folder has none.
func (b *Bucket) DeleteSome(ctx context.Context, folder string) (count int, err error) {
	err = b.Keys(ctx, folder, func(keys []string) error {
		for _, key := range keys {
			if count == deletedAtOnce {
				return errEnough
			}
			if err := b.Delete(ctx, key); err != nil {
				return err
			}
			count++
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return count, err
	}
	if count == 0 && b.dir != "" {
		_ = os.Remove(filepath.Join(b.dir, filepath.FromSlash(folder))) // it is empty, or has folders
	}
	return count, nil
}

// Open opens the image of a card's photo and returns the extension of its file. The caller closes it. Open returns
// photo_not_found if the store does not have the image.
func (s *Service) Open(ctx context.Context, accountID string, photo cards.Photo) (io.ReadCloser, string, error) {
	image, _, err := s.store.Get(ctx, Key(accountID, photo.ID, photo.ContentType))
	return image, Extension(photo.ContentType), err
}

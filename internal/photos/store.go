package photos

import (
	"context"
	"fmt"
	"io"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"github.com/cardvault/cardvault/internal/fault"
)

// Store stores photos by key. Its errors are fault.PhotoNotFound, or fault.Unavailable if the storage cannot
// be reached.
type Store interface {
	// Put stores or replaces the photo under key. Readers get the old or the new bytes, never a part.
	// Once Put returns, the photo survives a crash.
	Put(ctx context.Context, key, contentType string, data []byte) error
	// Get opens the photo under key. The caller closes it. ctx also applies to reading.
	Get(ctx context.Context, key string) (io.ReadCloser, Meta, error)
	// Delete removes the photo under key. It is not an error if there is none.
	Delete(ctx context.Context, key string) error
	// Check returns nil if the store can be used.
	Check(ctx context.Context) error
}

// Meta describes a stored photo.
type Meta struct {
	// Size is in bytes.
	Size int64
	// Modified is when the photo was stored.
	Modified time.Time
}

// storeTimeout limits operations other than reading. It is longer than a normal write of 15 MiB takes.
const storeTimeout = 30 * time.Second

// Bucket is a Store in a directory or in an S3-compatible object store.
type Bucket struct {
	bucket *blob.Bucket
	// dir is the directory's absolute path; empty for object stores.
	dir string
}

// Close releases the connections of the store.
func (b *Bucket) Close() error { return b.bucket.Close() }

// Put implements Store.
func (b *Bucket) Put(ctx context.Context, key, contentType string, data []byte) error {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	if err := b.bucket.WriteAll(ctx, key, data, &blob.WriterOptions{ContentType: contentType}); err != nil {
		return storeFault("photos.Put", err)
	}
	if b.dir == "" {
		return nil
	}
	if err := syncFile(b.dir, key); err != nil {
		return storeFault("photos.Put", err)
	}
	return nil
}

// Get implements Store.
func (b *Bucket) Get(ctx context.Context, key string) (io.ReadCloser, Meta, error) {
	r, err := b.bucket.NewReader(ctx, key, nil)
	if err != nil {
		return nil, Meta{}, storeFault("photos.Get", err)
	}
	return r, Meta{Size: r.Size(), Modified: r.ModTime()}, nil
}

// Delete implements Store.
func (b *Bucket) Delete(ctx context.Context, key string) error {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	if err := b.bucket.Delete(ctx, key); err != nil && gcerrors.Code(err) != gcerrors.NotFound {
		return storeFault("photos.Delete", err)
	}
	return nil
}

// Check implements Store: a directory must be writable, a bucket must exist.
func (b *Bucket) Check(ctx context.Context) error {
	if b.dir != "" {
		if err := checkWritable(b.dir); err != nil {
			return storeFault("photos.Check", err)
		}
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	switch ok, err := b.bucket.IsAccessible(ctx); {
	case err != nil:
		return storeFault("photos.Check", err)
	case !ok:
		return fault.New(fault.Unavailable,
			"the photo store has no such bucket: create it or change the photo store's address")
	}
	return nil
}

// storeFault converts an error of the storage to one of the contract.
func storeFault(op string, err error) error {
	if gcerrors.Code(err) == gcerrors.NotFound {
		return errNoPhoto().WithCause(fmt.Errorf("%s: %w", op, err))
	}
	return fault.New(fault.Unavailable, "the photo store does not respond at the moment; try again").
		WithRetryAfter(5 * time.Second).WithCause(fmt.Errorf("%s: %w", op, err))
}

func errNoPhoto() *fault.Error {
	return fault.New(fault.PhotoNotFound,
		"there is no photo at this address, or the address has expired: read the card again for a fresh one")
}

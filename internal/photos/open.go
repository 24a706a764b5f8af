package photos

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	"gocloud.dev/blob/s3blob"
)

// dirMode denies access to photos to other users of the machine.
const dirMode = 0o700

// Open opens the store at location: a directory, which is created if it is missing, or
// "s3://bucket/prefix?endpoint=https://host&region=r". The default endpoint is Amazon S3. Credentials come from
// the environment as for other AWS tools (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY …), never from location.
// Open does not connect; Check does.
func Open(ctx context.Context, location string) (*Bucket, error) {
	switch scheme, _, isURL := strings.Cut(location, "://"); {
	case location == "":
		return nil, errors.New("open photo store: name a directory or s3://bucket as the photo store")
	case !isURL:
		return openDir(location)
	case scheme == s3blob.Scheme:
		return openS3(ctx, location)
	default:
		return nil, fmt.Errorf("open photo store: photo stores are directories or s3://bucket, not %s://", scheme)
	}
}

// openDir stores temporary files next to the photos, so that the final rename is atomic. It writes no metadata
// files, because the extension determines the content type.
func openDir(dir string) (*Bucket, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open photo store: %w", err)
	}
	bucket, err := fileblob.OpenBucket(dir, &fileblob.Options{
		CreateDir: true, DirFileMode: dirMode, NoTempDir: true, Metadata: fileblob.MetadataDontWrite,
	})
	if err != nil {
		return nil, fmt.Errorf("open photo store: %w", err)
	}
	return &Bucket{bucket: bucket, dir: dir}, nil
}

func openS3(ctx context.Context, location string) (*Bucket, error) {
	u, err := url.Parse(location)
	if err != nil || u.Host == "" || u.User != nil {
		return nil, errors.New("open photo store: write the photo store as " +
			"s3://bucket?endpoint=https://host&region=name, keys in the environment")
	}
	prefix := strings.Trim(u.Path, "/")
	query := u.Query()
	if query.Has("endpoint") {
		// Stores other than Amazon's rarely support a host name per bucket or Amazon's newest checksums.
		for name, value := range map[string]string{
			"use_path_style": "true", "request_checksum_calculation": "when_required",
			"response_checksum_validation": "when_required",
		} {
			if !query.Has(name) {
				query.Set(name, value)
			}
		}
	}
	u.Path, u.RawQuery = "", query.Encode()
	bucket, err := new(s3blob.URLOpener).OpenBucketURL(ctx, u)
	if err != nil {
		return nil, fmt.Errorf("open photo store: %w", err)
	}
	if prefix != "" {
		bucket = blob.PrefixedBucket(bucket, prefix+"/")
	}
	return &Bucket{bucket: bucket}, nil
}

// syncFile makes a renamed file and its name durable, because a durable card will refer to it.
func syncFile(dir, key string) error {
	path := filepath.Join(dir, filepath.FromSlash(key))
	for _, p := range []string{path, filepath.Dir(path)} {
		f, err := os.Open(p)
		if err != nil {
			return err
		}
		if err := errors.Join(f.Sync(), f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// checkWritable creates a file and removes it.
func checkWritable(dir string) error {
	f, err := os.CreateTemp(dir, ".check-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

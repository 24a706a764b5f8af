package photos

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/cardvault/cardvault/internal/fault"
)

const testKey = "acc_01hzy3v8k2m5n7p9q1r3s5t7v9/pho_01hzy3v8k2m5n7p9q1r3s5t7v9.jpg"

// fakeS3 starts an S3 server in this process with one bucket, "photos", and returns its URL.
func fakeS3(t testing.TB) (endpoint string, stop func()) {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("photos"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(backend, gofakes3.WithLogger(gofakes3.DiscardLog())).Server())
	t.Cleanup(server.Close)
	return server.URL, server.Close
}

func open(t testing.TB, location string) *Bucket {
	t.Helper()
	store, err := Open(context.Background(), location)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

// awsKeys sets the credentials of the fake S3 server.
func awsKeys(t *testing.T) {
	t.Helper()
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test")
}

func TestStores(t *testing.T) {
	awsKeys(t) // sets environment variables, which excludes t.Parallel
	endpoint, _ := fakeS3(t)
	for name, location := range map[string]string{
		"directory":        filepath.Join(t.TempDir(), "made", "here"),
		"bucket":           "s3://photos?endpoint=" + endpoint + "&region=eu-central-1",
		"bucket, prefixed": "s3://photos/some/prefix/?endpoint=" + endpoint + "&region=eu-central-1",
	} {
		t.Run(name, func(t *testing.T) {
			testStore(t, open(t, location))
			testFiles(t, open(t, location))
		})
	}
}

// testStore tests the contract of Store.
func testStore(t *testing.T, store Store) {
	ctx := context.Background()
	if err := store.Check(ctx); err != nil {
		t.Fatalf("Check: %v", err)
	}
	if _, _, err := store.Get(ctx, testKey); !fault.Is(err, fault.PhotoNotFound) {
		t.Fatalf("Get of a missing photo: %v, want photo_not_found", err)
	}
	small, large := []byte("first"), bytes.Repeat([]byte("0123456789abcdef"), MaxBytes/16)
	for _, data := range [][]byte{small, large, small} {
		if err := store.Put(ctx, testKey, JPEG, data); err != nil {
			t.Fatalf("Put of %d bytes: %v", len(data), err)
		}
		body, meta, err := store.Get(ctx, testKey)
		if err != nil || meta.Size != int64(len(data)) || meta.Modified.IsZero() {
			t.Fatalf("Get = %+v, %v, want %d bytes and a time", meta, err, len(data))
		}
		got, err := io.ReadAll(body)
		if body.Close(); err != nil || !bytes.Equal(got, data) {
			t.Fatalf("read %d bytes, %v, want the %d bytes that were stored", len(got), err, len(data))
		}
	}
	for range 2 {
		if err := store.Delete(ctx, testKey); err != nil {
			t.Fatalf("Delete: %v", err)
		}
	}
	if _, _, err := store.Get(ctx, testKey); !fault.Is(err, fault.PhotoNotFound) {
		t.Fatalf("Get of a deleted photo: %v, want photo_not_found", err)
	}
}

func TestStore_Unavailable(t *testing.T) {
	awsKeys(t)
	endpoint, stop := fakeS3(t)
	bucket := open(t, "s3://photos?endpoint="+endpoint+"&region=us-east-1")
	noBucket := open(t, "s3://other?endpoint="+endpoint+"&region=us-east-1")
	if err := noBucket.Check(context.Background()); !fault.Is(err, fault.Unavailable) {
		t.Errorf("missing bucket: %v, want unavailable", err)
	}
	stop()
	dir := filepath.Join(t.TempDir(), "photos")
	directory := open(t, dir)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := directory.Check(context.Background()); !fault.Is(err, fault.Unavailable) {
		t.Errorf("missing directory: %v, want unavailable", err)
	}
	ctx := context.Background()
	var trying sync.WaitGroup // in parallel, because the client retries each operation a few times
	for name, try := range map[string]func() error{
		"Put":    func() error { return bucket.Put(ctx, testKey, JPEG, []byte("x")) },
		"Get":    func() error { _, _, err := bucket.Get(ctx, testKey); return err },
		"Delete": func() error { return bucket.Delete(ctx, testKey) },
		"Check":  func() error { return bucket.Check(ctx) },
	} {
		trying.Go(func() {
			err := try()
			known, _ := fault.As(err)
			if known == nil || known.Code != fault.Unavailable || known.RetryAfter == 0 ||
				strings.Contains(known.Message, "127.0.0.1") {
				t.Errorf("%s: %v, want unavailable with a RetryAfter and without the address", name, err)
			}
		})
	}
	trying.Wait()
}

// A concurrent reader gets the old or the new photo, and no temporary file remains.
func TestDirectory_WritesAtomically(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store, ctx := open(t, dir), context.Background()
	versions := [][]byte{bytes.Repeat([]byte("a"), 1<<20), bytes.Repeat([]byte("b"), 1<<20)}
	if err := store.Put(ctx, testKey, JPEG, versions[0]); err != nil {
		t.Fatal(err)
	}
	var writing sync.WaitGroup
	writing.Go(func() {
		for i := range 20 {
			if err := store.Put(ctx, testKey, JPEG, versions[i%2]); err != nil {
				t.Error(err)
			}
		}
	})
	for range 50 {
		body, _, err := store.Get(ctx, testKey)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(body)
		if body.Close(); err != nil || !bytes.Equal(got, versions[0]) && !bytes.Equal(got, versions[1]) {
			t.Fatalf("read %d bytes, %v, want one of the two versions", len(got), err)
		}
	}
	writing.Wait()
	var files []string
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if len(files) != 1 || files[0] != filepath.Join(dir, testKey) {
		t.Errorf("the directory contains %q, want the photo", files)
	}
}

func TestStore_CancelledWriteLeavesNothing(t *testing.T) {
	t.Parallel()
	store := open(t, t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := store.Put(ctx, testKey, JPEG, []byte("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("Put = %v, want context.Canceled", err)
	}
	if _, _, err := store.Get(context.Background(), testKey); !fault.Is(err, fault.PhotoNotFound) {
		t.Errorf("Get = %v, want photo_not_found", err)
	}
}

func TestOpen_RefusesInvalidURL(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, location := range []string{
		"", file, "gs://bucket", "https://bucket.example.com", "s3://", "s3:///prefix", "s3://key:hunter2@bucket",
		"s3://bucket?endpoint=http://h&colour=red",
	} {
		if _, err := Open(context.Background(), location); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v, want an error without the key", location, err)
		}
	}
}

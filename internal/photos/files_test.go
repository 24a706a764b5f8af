package photos

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/cardvault/cardvault/internal/fault"
)

// testFiles tests files that are written and read in parts.
func testFiles(t *testing.T, store *Bucket) {
	ctx := context.Background()
	const folder = "exports/acc_01hzy3v8k2m5n7p9q1r3s5t7v9"
	const key = folder + "/exp.zip"
	if _, err := store.Open(ctx, key); !fault.Is(err, fault.PhotoNotFound) {
		t.Fatalf("Open of a missing file: %v, want photo_not_found", err)
	}
	content := bytes.Repeat([]byte("0123456789abcdef"), (partSize+partSize/2)/16) // more than a part
	fill := func(to io.Writer) error {
		for chunk := range slices.Chunk(content, 100_000) {
			if _, err := to.Write(chunk); err != nil {
				return err
			}
		}
		return nil
	}
	if err := store.Write(ctx, key, "application/zip", fill); err != nil {
		t.Fatal(err)
	}
	failed := errors.New("no more")
	err := store.Write(ctx, folder+"/failed.zip", "application/zip", func(to io.Writer) error {
		_, err := to.Write(content)
		return errors.Join(err, failed)
	})
	if !errors.Is(err, failed) {
		t.Errorf("Write that fails: %v, want its error", err)
	}
	checkParts(t, store, key, content)
	var keys []string
	err = store.Keys(ctx, folder, func(found []string) error {
		keys = append(keys, found...)
		return nil
	})
	if err != nil || !slices.Equal(keys, []string{key}) {
		t.Errorf("Keys: %v, %v, want %s alone", keys, err, key)
	}
}

// checkParts reads all of a file, and then a part of it.
func checkParts(t *testing.T, store *Bucket, key string, content []byte) {
	t.Helper()
	file, err := store.Open(context.Background(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if got, err := io.ReadAll(file); err != nil || !bytes.Equal(got, content) {
		t.Errorf("Open: %d bytes, %v, want %d", len(got), err, len(content))
	}
	at, err := file.Seek(-10, io.SeekEnd)
	if err != nil || at != int64(len(content)-10) {
		t.Fatalf("Seek: %d, %v", at, err)
	}
	if got, err := io.ReadAll(file); err != nil || string(got) != "6789abcdef" {
		t.Errorf("the last 10 bytes: %q, %v", got, err)
	}
}

package photos

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// accountList is a fake of Accounts.
type accountList []string

func (l accountList) Next(_ context.Context, after string) (string, error) {
	for _, account := range l {
		if account > after {
			return account, nil
		}
	}
	return "", nil
}

// photosOf is a fake of References: the photos of an account, one per card.
type photosOf map[string][]string

func (p photosOf) PhotoIDs(_ context.Context, accountID, after string, _ int) (ids []string, last string, err error) {
	for _, id := range p[accountID] {
		if id > after {
			return []string{id}, id, nil
		}
	}
	return nil, "", nil
}

// stagedFor is a fake of Imports: the photos that are stored for staged cards of an account.
type stagedFor map[string][]string

func (s stagedFor) StagedPhotoIDs(_ context.Context, accountID string, visit func([]string)) error {
	visit(s[accountID])
	return nil
}

// in returns a clock that is ahead by d.
func in(d time.Duration) clock.Clock {
	return clock.Clock{Now: func() time.Time { return time.Now().Add(d) }}
}

// put stores photos of the account.
func put(t *testing.T, store Store, accountID string, photos ...string) {
	t.Helper()
	for _, photo := range photos {
		if err := store.Put(t.Context(), Key(accountID, photo, JPEG), JPEG, []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
}

// has returns which of the account's photos are stored.
func has(t *testing.T, store Store, accountID string, photos ...string) (found []string) {
	t.Helper()
	for _, photo := range photos {
		body, _, err := store.Get(t.Context(), Key(accountID, photo, JPEG))
		switch {
		case err == nil:
			body.Close()
			found = append(found, photo)
		case !fault.Is(err, fault.PhotoNotFound):
			t.Fatal(err)
		}
	}
	return found
}

func TestCollector_DeletesOldImagesWithoutCard(t *testing.T) {
	awsKeys(t) // sets environment variables, which excludes t.Parallel
	endpoint, _ := fakeS3(t)
	for name, location := range map[string]string{
		"directory":        filepath.Join(t.TempDir(), "photos"),
		"bucket":           "s3://photos?endpoint=" + endpoint + "&region=eu-central-1",
		"bucket, prefixed": "s3://photos/some/prefix/?endpoint=" + endpoint + "&region=eu-central-1",
	} {
		t.Run(name, func(t *testing.T) {
			store := open(t, location)
			put(t, store, "acc_a", "pho_1", "pho_2", "pho_3", "pho_orphan")
			put(t, store, "acc_b", "pho_1")
			c := &Collector{
				Store: store, Cards: photosOf{"acc_a": {"pho_1", "pho_2"}}, Imports: stagedFor{"acc_a": {"pho_3"}},
			}
			for _, tc := range []struct {
				age  time.Duration
				want []string
			}{
				{orphanAge - time.Hour, []string{"pho_1", "pho_2", "pho_3", "pho_orphan"}}, // its import may still run
				{orphanAge + time.Hour, []string{"pho_1", "pho_2", "pho_3"}},
			} {
				c.Clock = in(tc.age)
				if _, err := c.collect(t.Context(), "acc_a"); err != nil {
					t.Fatal(err)
				}
				if got := has(t, store, "acc_a", "pho_1", "pho_2", "pho_3", "pho_orphan"); !slices.Equal(got, tc.want) {
					t.Errorf("%v are stored after %v, want %v", got, tc.age, tc.want)
				}
			}
			if got := has(t, store, "acc_b", "pho_1"); len(got) != 1 {
				t.Error("a photo of another account was deleted")
			}
		})
	}
}

// A process that is killed while it writes leaves a temporary file next to the photos.
func TestCollector_DeletesPartialWriteAfterCrash(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store := open(t, dir)
	put(t, store, "acc_a", "pho_1")
	if err := os.WriteFile(filepath.Join(dir, "acc_a", "fileblob123"), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := &Collector{
		Cards: photosOf{"acc_a": {"pho_1"}}, Imports: stagedFor{}, Store: store, Clock: in(2 * orphanAge),
	}
	if removed, err := c.collect(t.Context(), "acc_a"); err != nil || removed != 1 {
		t.Errorf("collect deletes %d files, %v, want the temporary file", removed, err)
	}
	files, err := os.ReadDir(filepath.Join(dir, "acc_a"))
	if err != nil || len(files) != 1 {
		t.Errorf("the directory contains %v, %v, want the photo", files, err)
	}
}

// List returns every object once although visit deletes them.
func TestBucket_ListsAllPages(t *testing.T) {
	awsKeys(t)
	endpoint, _ := fakeS3(t)
	for name, location := range map[string]string{
		"directory": t.TempDir(), "bucket": "s3://photos?endpoint=" + endpoint + "&region=eu-central-1",
	} {
		t.Run(name, func(t *testing.T) {
			store := open(t, location)
			const photos = listPage + 7
			for n := range photos {
				key := Key("acc_a", fmt.Sprint("pho_", n), JPEG)
				if err := store.bucket.WriteAll(t.Context(), key, nil, nil); err != nil {
					t.Fatal(err)
				}
			}
			pages, found := 0, 0
			err := store.List(t.Context(), "acc_a", func(page []Object) error {
				pages++
				found += len(page)
				for _, o := range page {
					if err := store.Delete(t.Context(), o.Key); err != nil || len(page) > listPage {
						return errors.Join(err, fmt.Errorf("a page of %d objects", len(page)))
					}
				}
				return nil
			})
			if err != nil || pages < 2 || found != photos {
				t.Errorf("%d objects on %d pages, %v, want %d on several", found, pages, err, photos)
			}
			err = store.List(t.Context(), "acc_a", func(left []Object) error { found += len(left); return nil })
			if err != nil || found != photos {
				t.Errorf("%d objects are left, %v, want none", found-photos, err)
			}
			if err := store.List(t.Context(), "acc_none", func([]Object) error { return nil }); err != nil {
				t.Errorf("listing an account without photos: %v", err)
			}
		})
	}
}

// visits is a store that records which accounts are listed.
type visits struct {
	list   func(accountID string) error
	listed []string
}

func (v *visits) List(_ context.Context, accountID string, _ func([]Object) error) error {
	v.listed = append(v.listed, accountID)
	return v.list(accountID)
}

func (*visits) Delete(context.Context, string) error { return nil }

// Several processes share one iteration over the accounts, which continues where the last process stopped.
func TestCollector_RunsInOneProcessAtATime(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	boom := errors.New("boom")
	var other *Collector
	store := &visits{}
	store.list = func(accountID string) error {
		if more, err := other.visit(ctx); more || err != nil {
			t.Errorf("another process visits during the visit of %s: %v, %v", accountID, more, err)
		}
		if accountID == "acc_b" {
			return boom
		}
		return nil
	}
	accounts := accountList{"acc_a", "acc_b", "acc_c"}
	other = &Collector{DB: db, Clock: clock.System, Accounts: accounts, Store: store}
	var failed error
	for range 10 { // restarted after each step
		more, err := (&Collector{DB: db, Clock: clock.System, Accounts: accounts, Store: store}).visit(ctx)
		failed = errors.Join(failed, err)
		if err != nil && more {
			t.Error("the loop does not pause after a failure")
		}
	}
	if want := []string{"acc_a", "acc_b", "acc_c"}; !slices.Equal(store.listed, want) || !errors.Is(failed, boom) {
		t.Errorf("visited %v, errors %v, want %v once each and %v", store.listed, failed, want, boom)
	}
	if _, err := db.Exec(ctx, `UPDATE photo_collection SET due_at = now()`); err != nil { // a week later
		t.Fatal(err)
	}
	if _, err := other.visit(ctx); err != nil || store.listed[3] != "acc_a" {
		t.Errorf("visited %v, %v, want acc_a again after the last account", store.listed, err)
	}
}

// If a process is stopped, another one continues with its account immediately.
func TestCollector_StopLeavesAccountForNextRun(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	ctx, stop := context.WithCancel(t.Context())
	store := &visits{list: func(string) error { stop(); return ctx.Err() }}
	c := &Collector{DB: db, Clock: clock.System, Accounts: accountList{"acc_a"}, Store: store}
	if _, err := c.visit(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	store.list = func(string) error { return nil }
	more, err := c.visit(t.Context())
	if err != nil || !more || !slices.Equal(store.listed, []string{"acc_a", "acc_a"}) {
		t.Errorf("visited %v, %v, %v, want the account again", store.listed, more, err)
	}
}

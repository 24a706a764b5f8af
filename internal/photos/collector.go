package photos

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/maphash"
	"log/slog"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/worker"
)

const (
	// orphanAge is the minimum age of an object that is deleted. It is longer than any import takes from
	// storing its first photo to the commit of the cards that refer to it.
	orphanAge = 24 * time.Hour
	// collectInterval is the delay after all accounts were visited.
	collectInterval = 7 * 24 * time.Hour
	// collectLease is how long one account can take before another process starts it again, which is
	// harmless.
	collectLease = 10 * time.Minute
	// collectPollInterval is the interval at which a process checks whether an account is due.
	collectPollInterval = time.Minute
	// idPage is the number of cards whose photos are read at once.
	idPage = 5000
)

// Accounts is the part of package accounts that the collector uses.
type Accounts interface {
	// Next returns the next account in the order of identifiers, or "" after the last.
	Next(ctx context.Context, after string) (accountID string, err error)
}

// References is the part of *cards.Service that the collector uses.
type References interface {
	// PhotoIDs returns the photos of up to limit cards after the given one, in the order of identifiers,
	// and the last of these cards, or "" if there is none.
	PhotoIDs(ctx context.Context, accountID, after string, limit int) (ids []string, last string, err error)
}

// Imports is the part of *csvfile.Service that the collector uses.
type Imports interface {
	// StagedPhotoIDs calls visit with the photos that are stored for staged cards.
	StagedPhotoIDs(ctx context.Context, accountID string, visit func(ids []string)) error
}

// Lister is the part of a store that the collector uses.
type Lister interface {
	List(ctx context.Context, accountID string, visit func([]Object) error) error
	Delete(ctx context.Context, key string) error
}

// Collector deletes photos that neither a card nor an import refers to. A process leaves them if it crashes between
// storing a photo and committing its card, or between the commit that replaced a photo and its removal.
//
// It visits one account after the other. Its position is a row in the database, so that it continues after
// a restart and only one of several processes runs at a time.
type Collector struct {
	DB       *postgres.DB
	Clock    clock.Clock
	Accounts Accounts
	Cards    References
	Imports  Imports
	Store    Lister
}

// Loop returns the collector as a background loop.
func (c *Collector) Loop() worker.Loop {
	return worker.NewPeriodic("photo collector", collectPollInterval, c.visit)
}

// visit collects the orphans of the next account. If that fails, the account is skipped until the next round,
// and the loop pauses because the store or the database may have failed.
func (c *Collector) visit(ctx context.Context) (more bool, err error) {
	leaseCtx, cancel := context.WithTimeout(ctx, collectLease)
	defer cancel()
	after, held, err := c.claim(leaseCtx)
	if err != nil || !held {
		return false, err
	}
	account, err := c.Accounts.Next(leaseCtx, after)
	if err != nil {
		return false, err
	}
	if account == "" {
		_, err := c.advance(ctx, after, "", collectInterval)
		return false, err
	}
	count, err := c.collect(leaseCtx, account)
	if count > 0 {
		slog.InfoContext(ctx, "unreferenced photos deleted", "account_id", account, "photos", count)
	}
	if ctx.Err() != nil { // stopped before the end of this account
		account = after
	}
	held, moveErr := c.advance(context.WithoutCancel(ctx), after, account, 0)
	return held && err == nil, errors.Join(err, moveErr)
}

// claim returns the account that was visited last, and whether this process may continue.
func (c *Collector) claim(ctx context.Context) (after string, held bool, err error) {
	err = c.DB.Get(ctx, &after, `
		UPDATE photo_collection SET due_at = now() + $1 * interval '1 microsecond' WHERE due_at <= now()
		RETURNING after_account`, collectLease.Microseconds())
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("claim account: %w", err)
	}
	return after, true, nil
}

// advance stores the visited account, unless another process has taken over.
func (c *Collector) advance(ctx context.Context, before, account string, pause time.Duration) (held bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	result, err := c.DB.Exec(ctx, `
		UPDATE photo_collection SET after_account = $2, due_at = now() + $3 * interval '1 microsecond'
		WHERE after_account = $1`, before, account, pause.Microseconds())
	if err != nil {
		return false, fmt.Errorf("advance collector: %w", err)
	}
	rows, err := result.RowsAffected()
	return rows == 1, err
}

// collect deletes the account's old objects that neither a card nor an import refers to. It reads the
// references after listing the objects: any reference to an old object was committed long before.
func (c *Collector) collect(ctx context.Context, accountID string) (count int, err error) {
	var references *photoSet
	newest := c.Clock.Time().Add(-orphanAge)
	err = c.Store.List(ctx, accountID, func(page []Object) error {
		old := slices.DeleteFunc(page, func(o Object) bool { return !o.Modified.Before(newest) })
		if len(old) > 0 && references == nil {
			set, err := c.referred(ctx, accountID)
			if err != nil {
				return err
			}
			references = set
		}
		for _, o := range old {
			if references.has(photoOf(o.Key)) {
				continue
			}
			if err := c.Store.Delete(ctx, o.Key); err != nil {
				return err
			}
			count++
		}
		return nil
	})
	return count, err
}

// referred reads the photos of the account's imports and then of all its cards. The order matters: the
// transaction that creates a card ends the import's reference to its photos.
func (c *Collector) referred(ctx context.Context, accountID string) (*photoSet, error) {
	set := &photoSet{seed: maphash.MakeSeed()}
	if err := c.Imports.StagedPhotoIDs(ctx, accountID, set.add); err != nil {
		return nil, err
	}
	for after := ""; ; {
		ids, last, err := c.Cards.PhotoIDs(ctx, accountID, after, idPage)
		if err != nil {
			return nil, err
		}
		if last == "" {
			slices.Sort(set.hashes)
			return set, nil
		}
		set.add(ids)
		after = last
	}
}

// photoSet stores photos as hashes of 8 bytes, because accounts have millions. A hash collision only keeps
// an orphan.
type photoSet struct {
	seed   maphash.Seed
	hashes []uint64
}

func (s *photoSet) add(ids []string) {
	for _, id := range ids {
		s.hashes = append(s.hashes, maphash.String(s.seed, id))
	}
}

func (s *photoSet) has(photoID string) bool {
	_, found := slices.BinarySearch(s.hashes, maphash.String(s.seed, photoID))
	return found
}

// photoOf is the inverse of Key.
func photoOf(key string) string {
	name := path.Base(key)
	return strings.TrimSuffix(name, path.Ext(name))
}

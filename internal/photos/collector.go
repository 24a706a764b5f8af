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
	// orphanAge is how old an object must be to be deleted. It is longer than any import takes from
	// storing its first picture to the commit of the cards that refer to it.
	orphanAge = 24 * time.Hour
	// collectEvery is the pause after all accounts were visited.
	collectEvery = 7 * 24 * time.Hour
	// collectLease is how long one account may take before another process begins it again, which
	// does no harm.
	collectLease = 10 * time.Minute
	// collectPoll is how often a process asks whether there is something to collect.
	collectPoll = time.Minute
	// idPage is how many cards' photos are read at a time.
	idPage = 5000
)

// Accounts is what the collector needs of the accounts.
type Accounts interface {
	// Next returns the first account after the one given, in the order of identifiers; "" after the last.
	Next(ctx context.Context, after string) (accountID string, err error)
}

// References is what the collector needs of the inventory.
type References interface {
	// PhotoIDs returns the photos of at most limit cards after the one given, in the order of
	// identifiers, and the last of these cards; "" if there is none.
	PhotoIDs(ctx context.Context, accountID, after string, limit int) (ids []string, last string, err error)
}

// Imports is what the collector needs of the imports that are under way.
type Imports interface {
	// StagedPhotoIDs calls visit with the photos stored for cards that are still to be made, part by part.
	StagedPhotoIDs(ctx context.Context, accountID string, visit func(ids []string)) error
}

// Lister is what the collector needs of a store.
type Lister interface {
	List(ctx context.Context, accountID string, visit func([]Object) error) error
	Delete(ctx context.Context, key string) error
}

// Collector deletes pictures that neither a card nor an import refers to: a process that crashed between storing a picture
// and committing its card left them, or between the commit that replaced a picture and its removal.
//
// It visits one account after the other. Where it stands is a row in the database, so that it goes on
// after a restart, and one of several processes works at a time.
type Collector struct {
	DB       *postgres.DB
	Clock    clock.Clock
	Accounts Accounts
	Cards    References
	Imports  Imports
	Store    Lister
}

// Loop returns the collector as a background part.
func (c *Collector) Loop() worker.Loop {
	return worker.NewPeriodic("photo collector", collectPoll, c.visit)
}

// visit collects the orphans of the next account. An account that fails is left for the next time
// round, and the loop pauses: the store or the database may be at fault.
func (c *Collector) visit(ctx context.Context) (more bool, err error) {
	leased, cancel := context.WithTimeout(ctx, collectLease)
	defer cancel()
	after, held, err := c.claim(leased)
	if err != nil || !held {
		return false, err
	}
	account, err := c.Accounts.Next(leased, after)
	if err != nil {
		return false, err
	}
	if account == "" {
		_, err := c.moveOn(ctx, after, "", collectEvery)
		return false, err
	}
	removed, err := c.collect(leased, account)
	if removed > 0 {
		slog.InfoContext(ctx, "pictures that no card refers to were deleted", "account_id", account, "pictures", removed)
	}
	if ctx.Err() != nil { // stopped: this account is not done
		account = after
	}
	held, moveErr := c.moveOn(context.WithoutCancel(ctx), after, account, 0)
	return held && err == nil, errors.Join(err, moveErr)
}

// claim returns the account that was visited last, and whether it is this process's turn to go on.
func (c *Collector) claim(ctx context.Context) (after string, held bool, err error) {
	err = c.DB.Get(ctx, &after, `
		UPDATE photo_collection SET due_at = now() + $1 * interval '1 microsecond' WHERE due_at <= now()
		RETURNING after_account`, collectLease.Microseconds())
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("photos.Collector.claim: %w", err)
	}
	return after, true, nil
}

// moveOn stores that account was visited after the one before, unless another process has taken over.
func (c *Collector) moveOn(ctx context.Context, before, account string, pause time.Duration) (held bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	result, err := c.DB.Exec(ctx, `
		UPDATE photo_collection SET after_account = $2, due_at = now() + $3 * interval '1 microsecond'
		WHERE after_account = $1`, before, account, pause.Microseconds())
	if err != nil {
		return false, fmt.Errorf("photos.Collector.moveOn: %w", err)
	}
	changed, err := result.RowsAffected()
	return changed == 1, err
}

// collect deletes the account's old objects whose photo neither a card nor an import refers to. It reads
// the references after it has found old objects; whatever was going to refer to those did so long before.
func (c *Collector) collect(ctx context.Context, accountID string) (removed int, err error) {
	var referred *photoSet
	newest := c.Clock.Time().Add(-orphanAge)
	err = c.Store.List(ctx, accountID, func(page []Object) error {
		old := slices.DeleteFunc(page, func(o Object) bool { return !o.Modified.Before(newest) })
		if len(old) > 0 && referred == nil {
			set, err := c.referred(ctx, accountID)
			if err != nil {
				return err
			}
			referred = set
		}
		for _, o := range old {
			if referred.has(photoOf(o.Key)) {
				continue
			}
			if err := c.Store.Delete(ctx, o.Key); err != nil {
				return err
			}
			removed++
		}
		return nil
	})
	return removed, err
}

// referred reads the photos of the account's imports and of all its cards. Imports come first: the
// transaction that makes a card ends the import's reference to its photos.
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

// photoSet holds photos in 8 bytes each: accounts have millions. Two with the same hash, if there ever
// are, keep an orphan and lose nothing.
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

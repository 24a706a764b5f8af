package accounts

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/cardvault/cardvault/internal/clock"
)

// CacheTime is how long an answer about a token is kept. Revocation must hold on every server
// within 5 seconds without any channel between them; this leaves time for a
// slow look-up.
const CacheTime = 3 * time.Second

// lookTime is how long a look-up may take: with CacheTime, the 5 seconds.
const lookTime = 2 * time.Second

// cacheSize bounds the tokens remembered; past it the cache starts over, which costs look-ups only.
const cacheSize = 100_000

// cache remembers what is known of secrets, by their hash.
type cache struct {
	clock  clock.Clock
	flight singleflight.Group

	mu      sync.RWMutex
	entries map[[sha256.Size]byte]entry
	epoch   int // counts clears, so that a look-up begun before one is not kept
}

type entry struct {
	identity identity
	until    time.Time
}

func newCache(c clock.Clock) *cache {
	return &cache{clock: c, entries: map[[sha256.Size]byte]entry{}}
}

// get returns what is known of the hash, by look if need be; callers at the same time share one look,
// which therefore goes on when the one who began it leaves.
func (c *cache) get(ctx context.Context, sum [sha256.Size]byte, look func(context.Context) (identity, error)) (identity, error) {
	now := c.clock.Now()
	c.mu.RLock()
	known, ok := c.entries[sum]
	epoch := c.epoch
	c.mu.RUnlock()
	if ok && now.Before(known.until) {
		return known.identity, nil
	}
	found, err, _ := c.flight.Do(string(sum[:]), func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookTime)
		defer cancel()
		found, err := look(ctx)
		if err == nil {
			c.put(sum, entry{found, now.Add(CacheTime)}, epoch)
		}
		return found, err
	})
	return found.(identity), err
}

func (c *cache) put(sum [sha256.Size]byte, e entry, epoch int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if epoch != c.epoch {
		return
	}
	if len(c.entries) >= cacheSize {
		clear(c.entries)
	}
	c.entries[sum] = e
}

func (c *cache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.entries)
	c.epoch++
}

package accounts

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// CacheTime is how long an answer about a token is kept. Revocation must hold on every server
// within 5 seconds without any channel between them; this leaves time for a
// slow look-up.
const CacheTime = 3 * time.Second

// unknownTime is how long a secret that no token has is remembered. It is short because a secret may
// have been tried a moment before its token's creation was committed.
const unknownTime = time.Second

// lookTime is how long a look-up may take: with CacheTime, the 5 seconds.
const lookTime = 2 * time.Second

// The most tokens and unknown secrets that are remembered. A set that is full starts over, which costs
// look-ups only.
const (
	cacheSize   = 100_000
	unknownSize = 10_000
)

// cache remembers what is known of secrets, by their hash. Secrets that no token has are kept apart:
// anybody can make them up, so they must not displace tokens.
type cache struct {
	now    func() time.Time // with a monotonic reading: setting the machine's clock must not lengthen CacheTime
	flight singleflight.Group

	mu      sync.RWMutex
	tokens  map[[sha256.Size]byte]entry
	unknown map[[sha256.Size]byte]entry
	epoch   int // rises when everything expires at once
}

// entry is what a look-up found. One that has expired still says that the token exists.
type entry struct {
	identity identity
	until    time.Time
	epoch    int // of the cache when the look-up began
}

func newCache() *cache {
	return &cache{now: time.Now, tokens: map[[sha256.Size]byte]entry{}, unknown: map[[sha256.Size]byte]entry{}}
}

// joinTime is how long a look-up may be joined. One that takes longer may be stuck on a silent connection; those who
// come later look by another.
const joinTime = 200 * time.Millisecond

// get returns what is known of the hash, by look if need be. Callers within joinTime share one look, which therefore
// goes on when the one who began it leaves.
func (c *cache) get(ctx context.Context, sum [sha256.Size]byte, look func(context.Context) (identity, error)) (identity, error) {
	now := c.now()
	known, epoch, ok := c.fresh(sum, now)
	if ok {
		return known, nil
	}
	key := string(sum[:])
	found, err, _ := c.flight.Do(key, func() (any, error) {
		forget := time.AfterFunc(joinTime, func() { c.flight.Forget(key) })
		defer forget.Stop()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookTime)
		defer cancel()
		found, err := look(ctx)
		if err == nil {
			c.put(sum, entry{found, now.Add(found.cacheTime()), epoch})
		}
		return found, err
	})
	return found.(identity), err
}

// cacheTime is how long an answer is kept: a token that is about to stop is looked up again when it has.
func (i identity) cacheTime() time.Duration {
	switch {
	case !i.exists:
		return unknownTime
	case i.lasts > 0:
		return min(CacheTime, i.lasts)
	}
	return CacheTime
}

// fresh returns what is known of the hash unless it has expired, and the epoch.
func (c *cache) fresh(sum [sha256.Size]byte, now time.Time) (known identity, epoch int, ok bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	found, ok := c.tokens[sum]
	if !ok {
		found, ok = c.unknown[sum]
	}
	return found.identity, c.epoch, ok && found.epoch == c.epoch && now.Before(found.until)
}

// has reports whether the hash is that of a token, whether or not what is known of it has expired.
func (c *cache) has(sum [sha256.Size]byte) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	_, ok := c.tokens[sum]
	return ok
}

func (c *cache) put(sum [sha256.Size]byte, e entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	set, size := c.tokens, cacheSize
	if !e.identity.exists {
		set, size = c.unknown, unknownSize
		delete(c.tokens, sum)
	}
	if _, kept := set[sum]; !kept && len(set) >= size {
		clear(set)
	}
	set[sum] = e
}

// expire has everything looked up again, also what is being looked up now.
func (c *cache) expire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.epoch++
}

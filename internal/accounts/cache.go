package accounts

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// CacheTime is how long the result of looking up a token is cached. A revocation must take effect on every server
// within 5 seconds, and servers do not notify each other: CacheTime and lookupTimeout together are 5 seconds.
const CacheTime = 3 * time.Second

// unknownTime is how long an unknown secret is cached. It is short because a secret may be used just before the
// transaction that creates its token commits.
const unknownTime = time.Second

// lookupTimeout is the timeout of a lookup.
const lookupTimeout = 2 * time.Second

// The maximum numbers of cached tokens and unknown secrets. A full set is cleared, which only costs lookups.
const (
	cacheSize   = 100_000
	unknownSize = 10_000
)

// cache holds the results of lookups by the hash of the secret. Unknown secrets are in a separate set, so that a client
// that invents secrets does not displace tokens.
type cache struct {
	now    func() time.Time // monotonic: setting the machine's clock must not extend CacheTime
	flight singleflight.Group

	mu      sync.RWMutex
	tokens  map[[sha256.Size]byte]entry
	unknown map[[sha256.Size]byte]entry
	epoch   int // expire increments it, which makes all entries expire
}

// entry is the result of a lookup. An expired entry still tells that the token exists.
type entry struct {
	identity identity
	until    time.Time
	epoch    int // of the cache when the lookup began
}

func newCache() *cache {
	return &cache{now: time.Now, tokens: map[[sha256.Size]byte]entry{}, unknown: map[[sha256.Size]byte]entry{}}
}

// joinTime is the time after the start of a lookup in which other callers join it. A lookup that takes longer may hang
// on a silent connection, so later callers start another one.
const joinTime = 200 * time.Millisecond

// get returns the identity of the hash from the cache, or else by calling lookup. Callers within joinTime share one
// lookup, so canceling the context of the first caller does not cancel the lookup.
func (c *cache) get(
	ctx context.Context, sum [sha256.Size]byte, lookup func(context.Context) (identity, error),
) (identity, error) {
	now := c.now()
	current, epoch, ok := c.fresh(sum, now)
	if ok {
		return current, nil
	}
	key := string(sum[:])
	result, err, _ := c.flight.Do(key, func() (any, error) {
		forget := time.AfterFunc(joinTime, func() { c.flight.Forget(key) })
		defer forget.Stop()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookupTimeout)
		defer cancel()
		answer, err := lookup(ctx)
		if err == nil {
			c.put(sum, entry{answer, now.Add(answer.cacheTime()), epoch})
		}
		return answer, err
	})
	return result.(identity), err
}

// cacheTime returns how long the identity may be cached: not beyond the end of its token.
func (i identity) cacheTime() time.Duration {
	switch {
	case !i.exists:
		return unknownTime
	case i.lasts > 0:
		return min(CacheTime, i.lasts)
	}
	return CacheTime
}

// fresh returns the cached identity of the hash and whether there is one that has not expired, and the current epoch.
func (c *cache) fresh(sum [sha256.Size]byte, now time.Time) (entry identity, epoch int, ok bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	e, ok := c.tokens[sum]
	if !ok {
		e, ok = c.unknown[sum]
	}
	return e.identity, c.epoch, ok && e.epoch == c.epoch && now.Before(e.until)
}

// has reports whether the cache holds a token with the hash, expired or not.
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

// expire makes all entries expire, and the results of lookups that are running.
func (c *cache) expire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.epoch++
}

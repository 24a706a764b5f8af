package ebay

import (
	"context"
	"crypto/ecdsa"
	"sync"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

const (
	// keyLife is how long a signing key is cached, as eBay recommends.
	keyLife = time.Hour
	// unknownKeyLife is how long an identifier without a key is cached.
	unknownKeyLife = 10 * time.Minute
	// maxKeys limits the cached keys and unknown identifiers. eBay uses a few keys at a time.
	maxKeys = 32
	// maxKeyID limits the length of an identifier.
	maxKeyID = 100
	// keyCalls is how many keys are read in keyWindow at most, so that notifications with invented identifiers do not
	// use up the calls of the day.
	keyCalls  = 10
	keyWindow = time.Minute
)

// errKeysBusy means that a key cannot be read at the moment. eBay repeats the notification.
var errKeysBusy = fault.New(fault.Unavailable, "The signing key cannot be read at the moment. Send the notification "+
	"again.").WithRetryAfter(keyWindow)

// signingKeys caches the keys that sign notifications.
type signingKeys struct {
	read func(ctx context.Context, keyID string) (*wire.PublicKey, error)
	now  func() time.Time

	reading sync.Mutex // held during read; at most one runs
	mu      sync.Mutex
	cached  map[string]cachedKey
	opened  time.Time // the start of the window
	calls   int       // in the window
}

// cachedKey is a key, or nil for an identifier without one.
type cachedKey struct {
	key   *ecdsa.PublicKey
	until time.Time
}

// find returns the key, or wire.ErrSignature if eBay has no such key.
func (k *signingKeys) find(ctx context.Context, keyID string) (*ecdsa.PublicKey, error) {
	if len(keyID) > maxKeyID {
		return nil, wire.ErrSignature
	}
	if found, ok := k.lookUp(keyID); ok {
		return found.result()
	}
	if !k.reading.TryLock() {
		return nil, errKeysBusy
	}
	defer k.reading.Unlock()
	if found, ok := k.lookUp(keyID); ok {
		return found.result()
	}
	if !k.countCall() {
		return nil, errKeysBusy
	}
	public, err := k.read(ctx, keyID)
	if err != nil {
		return nil, errKeysBusy.WithCause(err)
	}
	found := cachedKey{until: k.now().Add(unknownKeyLife)}
	if public != nil {
		key, err := public.ParseKey()
		if err != nil {
			return nil, errKeysBusy.WithCause(err)
		}
		found = cachedKey{key, k.now().Add(keyLife)}
	}
	k.store(keyID, found)
	return found.result()
}

func (c cachedKey) result() (*ecdsa.PublicKey, error) {
	if c.key == nil {
		return nil, wire.ErrSignature
	}
	return c.key, nil
}

func (k *signingKeys) lookUp(keyID string) (cachedKey, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	found, ok := k.cached[keyID]
	return found, ok && k.now().Before(found.until)
}

// countCall counts a call and reports whether the window allows it.
func (k *signingKeys) countCall() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if now := k.now(); now.Sub(k.opened) >= keyWindow {
		k.opened, k.calls = now, 0
	}
	k.calls++
	return k.calls <= keyCalls
}

// store caches a key. If the cache is full, an unknown identifier makes room, else the key that expires first.
func (k *signingKeys) store(keyID string, added cachedKey) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, ok := k.cached[keyID]; !ok && len(k.cached) >= maxKeys {
		last := ""
		for id, c := range k.cached {
			if other := k.cached[last]; last == "" || c.less(other) {
				last = id
			}
		}
		delete(k.cached, last)
	}
	if k.cached == nil {
		k.cached = map[string]cachedKey{}
	}
	k.cached[keyID] = added
}

// less reports whether c makes room before other.
func (c cachedKey) less(other cachedKey) bool {
	if (c.key == nil) != (other.key == nil) {
		return c.key == nil
	}
	return c.until.Before(other.until)
}

package ratelimit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/ulule/limiter/v3"
	redisstore "github.com/ulule/limiter/v3/drivers/store/redis"
	"golang.org/x/sync/singleflight"
)

// What Redis may cost a request when it is away.
const (
	// redisTimeout bounds each step and the whole of one count. A healthy Redis takes about 50 µs.
	redisTimeout = 50 * time.Millisecond
	// breakerPause is how long requests do without Redis after a failure, before one tries again.
	breakerPause = 3 * time.Second
	keyPrefix    = "cardvault:ratelimit"
)

// Redis counts in a Redis that several processes share. While Redis is away it counts in process,
// then each process allows the whole limit.
type Redis struct {
	client  *redis.Client
	timeout time.Duration
	// local counts every request too, so that losing Redis gives nobody a fresh window.
	local   *Memory
	breaker breaker
	log     *slog.Logger

	connecting singleflight.Group
	store      atomic.Pointer[limiter.Store]
}

// NewRedis returns a limiter on the Redis at url, "redis://user:password@host:6379/0" or
// "rediss://…". It does not connect: the first request does. Only a malformed url is an error.
func NewRedis(url string, log *slog.Logger) (*Redis, error) {
	return newRedis(url, log, redisTimeout)
}

func newRedis(url string, log *slog.Logger, timeout time.Duration) (*Redis, error) {
	opts, err := redis.ParseURL(url)
	if err != nil { // not wrapped: it quotes the password
		return nil, errors.New("ratelimit.NewRedis: the address must look like redis://user:password@host:6379/0")
	}
	opts.DialTimeout, opts.ReadTimeout, opts.WriteTimeout, opts.PoolTimeout = timeout, timeout, timeout, timeout
	opts.ContextTimeoutEnabled = true
	opts.MaxRetries, opts.DialerRetries = -1, 1 // the next request is the retry
	return &Redis{
		client: redis.NewClient(opts), timeout: timeout, local: NewMemory(), breaker: breaker{now: time.Now}, log: log,
	}, nil
}

// quiet has the client tell what it notices through our log, and not in lines of its own on stderr.
// That Redis is away is told once by Take.
type quiet struct{}

// Printf implements the client's logger, which is one for the whole process.
func (quiet) Printf(ctx context.Context, format string, args ...any) {
	slog.DebugContext(ctx, "Redis client: "+fmt.Sprintf(format, args...))
}

func init() { redis.SetLogger(quiet{}) }

// Close closes the connections to Redis.
func (r *Redis) Close() error { return r.client.Close() }

// Take implements Limiter.
func (r *Redis) Take(ctx context.Context, key string, class Class, limit int) Decision {
	counter := counterKey(key, class)
	local := r.local.take(counter, limit)
	return r.share(local, func() (Decision, error) { return r.ask(ctx, limiter.Store.Get, counter, limit, 0) })
}

// Peek implements Limiter.
func (r *Redis) Peek(ctx context.Context, key string, class Class, limit int) Decision {
	counter := counterKey(key, class)
	local := r.local.peek(counter, limit)
	return r.share(local, func() (Decision, error) { return r.ask(ctx, limiter.Store.Peek, counter, limit, 1) })
}

// share returns the decision of all processes together, or this process's own while Redis is away.
func (r *Redis) share(local Decision, ask func() (Decision, error)) Decision {
	if !r.breaker.allow() {
		return local
	}
	shared, err := ask()
	if err != nil {
		if r.breaker.open() {
			r.log.Warn("rate limits are counted in process: Redis is away", "error", err)
		}
		return local
	}
	if r.breaker.close() {
		r.log.Info("rate limits are counted in Redis again")
	}
	return shared
}

// storeMethod is Get, which counts, or Peek.
type storeMethod func(
	store limiter.Store, ctx context.Context, counter string, rate limiter.Rate,
) (limiter.Context, error)

// ask has Redis count, or look, and decides on the request that comes so many after what it answers. A
// client that hangs up must not look like a failing Redis, so its cancellation is left behind.
func (r *Redis) ask(ctx context.Context, method storeMethod, counter string, limit int, after int64) (Decision, error) {
	store, err := r.connect()
	if err != nil {
		return Decision{}, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.timeout)
	defer cancel()
	state, err := method(store, ctx, counter, limiter.Rate{Period: Window, Limit: int64(limit)})
	if err != nil {
		return Decision{}, fmt.Errorf("ratelimit.ask: %w", err)
	}
	count := state.Limit - state.Remaining
	if state.Reached {
		count = state.Limit + 1
	}
	// The store cuts the end of the window down to the second.
	return decide(count+after, limit, time.Unix(state.Reset+1, 0), time.Now()), nil
}

// connect returns the store, which loads its scripts into Redis when it is made and so cannot be
// made while Redis is away. Concurrent requests share one attempt.
func (r *Redis) connect() (limiter.Store, error) {
	if store := r.store.Load(); store != nil {
		return *store, nil
	}
	made, err, _ := r.connecting.Do("", func() (any, error) {
		store, err := redisstore.NewStoreWithOptions(r.client, limiter.StoreOptions{Prefix: keyPrefix})
		if err != nil {
			return nil, fmt.Errorf("ratelimit.connect: %w", err)
		}
		r.store.Store(&store)
		return store, nil
	})
	if err != nil {
		return nil, err
	}
	return made.(limiter.Store), nil
}

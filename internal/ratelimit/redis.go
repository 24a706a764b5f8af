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

// Limits of the delay for a request while Redis is not available.
const (
	// redisTimeout is the timeout of each step and of the whole count. A healthy Redis takes about 50 µs.
	redisTimeout = 50 * time.Millisecond
	// breakerPause is how long requests do not use Redis after an error.
	breakerPause = 3 * time.Second
	keyPrefix    = "cardvault:ratelimit"
)

// Redis counts requests in a Redis that several processes share. While Redis is not available it counts in the process,
// so that each process allows the whole limit.
type Redis struct {
	client  *redis.Client
	timeout time.Duration
	// local counts every request too, so that windows continue when Redis becomes unavailable.
	local   *Memory
	breaker breaker
	log     *slog.Logger

	connecting singleflight.Group
	store      atomic.Pointer[limiter.Store]
}

// NewRedis returns a limiter on the Redis at url, "redis://user:password@host:6379/0" or
// "rediss://…". The first request connects. An error means that url is malformed.
func NewRedis(url string, log *slog.Logger) (*Redis, error) {
	return newRedis(url, log, redisTimeout)
}

func newRedis(url string, log *slog.Logger, timeout time.Duration) (*Redis, error) {
	opts, err := redis.ParseURL(url)
	if err != nil { // not wrapped, because it contains the password
		return nil, errors.New("ratelimit.NewRedis: the address must look like redis://user:password@host:6379/0")
	}
	opts.DialTimeout, opts.ReadTimeout, opts.WriteTimeout, opts.PoolTimeout = timeout, timeout, timeout, timeout
	opts.ContextTimeoutEnabled = true
	opts.MaxRetries, opts.DialerRetries = -1, 1 // the next request is the retry
	return &Redis{
		client: redis.NewClient(opts), timeout: timeout, local: NewMemory(), breaker: breaker{now: time.Now}, log: log,
	}, nil
}

// clientLogger writes the messages of the Redis client to the default logger, at level debug, instead of stderr. share
// logs when Redis becomes unavailable.
type clientLogger struct{}

// Printf implements the client's logger interface. The client has one logger per process.
func (clientLogger) Printf(ctx context.Context, format string, args ...any) {
	slog.DebugContext(ctx, "Redis client: "+fmt.Sprintf(format, args...))
}

func init() { redis.SetLogger(clientLogger{}) }

// Close closes the connections to Redis.
func (r *Redis) Close() error { return r.client.Close() }

// Take implements Limiter.
func (r *Redis) Take(ctx context.Context, key string, class Class, limit int) Decision {
	counter := counterKey(key, class)
	local := r.local.take(counter, limit)
	return r.share(local, func() (Decision, error) { return r.query(ctx, limiter.Store.Get, counter, limit, 0) })
}

// Peek implements Limiter.
func (r *Redis) Peek(ctx context.Context, key string, class Class, limit int) Decision {
	counter := counterKey(key, class)
	local := r.local.peek(counter, limit)
	return r.share(local, func() (Decision, error) { return r.query(ctx, limiter.Store.Peek, counter, limit, 1) })
}

// share returns the decision of Redis, or that of this process while Redis is not available.
func (r *Redis) share(local Decision, query func() (Decision, error)) Decision {
	if !r.breaker.allow() {
		return local
	}
	shared, err := query()
	if err != nil {
		if r.breaker.open() {
			r.log.Warn("Redis is not available, counting rate limits in the process", "error", err)
		}
		return local
	}
	if r.breaker.close() {
		r.log.Info("Redis is available again, counting rate limits there")
	}
	return shared
}

// storeMethod is Get, which counts, or Peek.
type storeMethod func(
	store limiter.Store, ctx context.Context, counter string, rate limiter.Rate,
) (limiter.Context, error)

// query calls the method and returns the decision for the request that is offset requests after the count that Redis
// returned. It ignores the cancellation of ctx, so that a client that disconnects does not look like a failing Redis.
func (r *Redis) query(
	ctx context.Context, method storeMethod, counter string, limit int, offset int64,
) (Decision, error) {
	store, err := r.connect()
	if err != nil {
		return Decision{}, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.timeout)
	defer cancel()
	state, err := method(store, ctx, counter, limiter.Rate{Period: Window, Limit: int64(limit)})
	if err != nil {
		return Decision{}, fmt.Errorf("ratelimit.query: %w", err)
	}
	count := state.Limit - state.Remaining
	if state.Reached {
		count = state.Limit + 1
	}
	// The store rounds the end of the window down to the second.
	return decide(count+offset, limit, time.Unix(state.Reset+1, 0), time.Now()), nil
}

// connect returns the store. Creating it loads its scripts into Redis, which fails while Redis is not available.
// Concurrent requests share one attempt.
func (r *Redis) connect() (limiter.Store, error) {
	if store := r.store.Load(); store != nil {
		return *store, nil
	}
	created, err, _ := r.connecting.Do("", func() (any, error) {
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
	return created.(limiter.Store), nil
}

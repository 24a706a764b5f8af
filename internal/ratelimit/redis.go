package ratelimit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/redis/go-redis/v9"
)

// Limits of the delay for a request while Redis is not available.
const (
	// redisTimeout is the timeout of a step and of the whole count. A healthy Redis takes about 50 µs.
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
}

// NewRedis returns a limiter on the Redis at url, "redis://user:password@host:6379/0" or
// "rediss://…". The first request connects. An error means that url is malformed.
func NewRedis(url string, log *slog.Logger) (*Redis, error) {
	return newRedis(url, log, redisTimeout)
}

func newRedis(url string, log *slog.Logger, timeout time.Duration) (*Redis, error) {
	opts, err := redis.ParseURL(url)
	if err != nil { // not wrapped, because it contains the password
		return nil, errors.New("open Redis: the address must look like redis://user:password@host:6379/0")
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
	return share(r, local, func() (Decision, error) {
		counts, err := r.run(ctx, increment, []string{redisKey(counter)}, limit)
		if err != nil {
			return Decision{}, err
		}
		return counts[0].decide(limit), nil
	})
}

// TakeBoth implements Limiter. It takes one round trip.
func (r *Redis) TakeBoth(ctx context.Context, class Class, inner, outer Counter) Both {
	local := r.local.TakeBoth(ctx, class, inner, outer)
	keys := []string{redisKey(counterKey(inner.Key, class)), redisKey(counterKey(outer.Key, class))}
	return share(r, local, func() (Both, error) {
		counts, err := r.run(ctx, increment, keys, inner.Limit, outer.Limit)
		if err != nil {
			return Both{}, err
		}
		both := Both{Inner: counts[0].decide(inner.Limit)}
		if len(counts) > 1 {
			both.Outer = counts[1].decide(outer.Limit)
		}
		return both, nil
	})
}

// Peek implements Limiter.
func (r *Redis) Peek(ctx context.Context, key string, class Class, limit int) Decision {
	counter := counterKey(key, class)
	local := r.local.peek(counter, limit)
	return share(r, local, func() (Decision, error) {
		counts, err := r.run(ctx, read, []string{redisKey(counter)})
		if err != nil {
			return Decision{}, err
		}
		next := counts[0]
		next.requests++
		return next.decide(limit), nil
	})
}

// share returns the decision of Redis. While Redis is not available, it returns the decision of this process.
func share[D any](r *Redis, local D, query func() (D, error)) D {
	if !r.breaker.allow() {
		return local
	}
	decision, err := query()
	if err != nil {
		if r.breaker.open() {
			r.log.Warn("Redis is not available, counting rate limits in the process", "error", err)
		}
		return local
	}
	if r.breaker.close() {
		r.log.Info("Redis is available again, counting rate limits there")
	}
	return decision
}

func redisKey(counter string) string { return keyPrefix + ":" + counter }

// The scripts return each key's number of requests in its window, and how long the window still lasts in milliseconds.
// ARGV[1] is the length of a window, followed by the limits.
var (
	// increment counts a request in the windows of the keys, in their order. It ends at the first window that does not
	// allow the request.
	increment = redis.NewScript(`
		local reply = {}
		for i, key in ipairs(KEYS) do
			local count = redis.call("INCR", key)
			local left = count > 1 and redis.call("PTTL", key) or -1
			if left < 0 then
				redis.call("PEXPIRE", key, ARGV[1])
				left = tonumber(ARGV[1])
			end
			reply[2 * i - 1], reply[2 * i] = count, left
			if count > tonumber(ARGV[1 + i]) then break end
		end
		return reply`)
	// read reads the window of one key.
	read = redis.NewScript(`
		local left = redis.call("PTTL", KEYS[1])
		if left < 0 then return {0, tonumber(ARGV[1])} end
		return {tonumber(redis.call("GET", KEYS[1])), left}`)
)

// count is the state of a window in Redis.
type count struct {
	requests int64
	left     time.Duration
}

func (c count) decide(limit int) Decision {
	now := time.Now()
	return decide(c.requests, limit, now.Add(c.left), now)
}

// run runs a script, in one round trip unless Redis does not know it yet. It ignores the cancellation of ctx, so that a
// client that disconnects does not look like a failing Redis.
func (r *Redis) run(ctx context.Context, script *redis.Script, keys []string, limits ...int) ([]count, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.timeout)
	defer cancel()
	args := []any{Window.Milliseconds()}
	for _, limit := range limits {
		args = append(args, limit)
	}
	reply, err := script.Run(ctx, r.client, keys, args...).Int64Slice()
	switch {
	case err != nil:
		return nil, fmt.Errorf("count in Redis: %w", err)
	case len(reply) < 2 || len(reply)%2 != 0:
		return nil, fmt.Errorf("count in Redis: got %d values", len(reply))
	}
	counts := make([]count, len(reply)/2)
	for i := range counts {
		counts[i] = count{reply[2*i], time.Duration(reply[2*i+1]) * time.Millisecond}
	}
	return counts, nil
}

package ratelimit

import (
	"context"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
)

// setup returns a limiter for the Redis at address and a function that advances the clock of its breaker. Its timeout
// is longer than in production, so that tests pass on a busy machine.
func setup(t testing.TB, address string) (*Redis, func(time.Duration)) {
	t.Helper()
	r, err := newRedis("redis://"+address, slog.New(slog.DiscardHandler), 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	offset := time.Duration(0)
	r.breaker.now = func() time.Time { return time.Now().Add(offset) }
	return r, func(d time.Duration) { offset += d }
}

func TestRedis_ProcessesShareWindow(t *testing.T) {
	t.Parallel()
	server, ctx := miniredis.RunT(t), context.Background()
	a, _ := setup(t, server.Addr())
	b, _ := setup(t, server.Addr())
	for i, l := range []*Redis{a, b, a, b} {
		before := time.Now()
		got := l.Take(ctx, "tok", AI, 3)
		if got.Allowed != (i < 3) || got.Remaining != max(2-i, 0) || got.Limit != 3 {
			t.Fatalf("request %d: %+v", i+1, got)
		}
		if left := got.Reset.Sub(before); left < Window-2*time.Second || left > Window+2*time.Second {
			t.Fatalf("request %d: the window ends in %s", i+1, left)
		}
		if got.Allowed == (got.RetryAfter >= time.Second) {
			t.Fatalf("request %d: retry after %s", i+1, got.RetryAfter)
		}
	}
	server.FastForward(Window)
	if got := a.Take(ctx, "tok", AI, 3); !got.Allowed || got.Remaining != 2 {
		t.Errorf("the next window begins with %+v", got)
	}
}

func TestRedis_ConcurrentProcessesStayWithinLimit(t *testing.T) {
	t.Parallel()
	server := miniredis.RunT(t)
	a, _ := setup(t, server.Addr())
	b, _ := setup(t, server.Addr())
	results := make(chan int64)
	for _, l := range []*Redis{a, b} {
		go func() { results <- concurrentTakes(l, 8, 20, 50) }()
	}
	if sum := <-results + <-results; sum != 50 {
		t.Errorf("%d requests were allowed, want 50", sum)
	}
}

// sent counts the commands that a client sends.
type sent struct{ commands int }

func (s *sent) DialHook(next redis.DialHook) redis.DialHook { return next }

func (s *sent) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func (s *sent) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, command redis.Cmder) error {
		s.commands++
		return next(ctx, command)
	}
}

func TestRedis_TakesBothInOneRoundTrip(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r, _ := setup(t, miniredis.RunT(t).Addr())
	inner, outer := Counter{"tok", 2}, Counter{"acc", 3}
	r.TakeBoth(ctx, Read, inner, outer) // loads the script
	var count sent
	r.client.AddHook(&count)
	got := r.TakeBoth(ctx, Read, inner, outer)
	if count.commands != 1 {
		t.Errorf("a request sent %d commands", count.commands)
	}
	if !got.Allowed() || got.Inner.Remaining != 0 || got.Outer.Remaining != 1 {
		t.Errorf("got %+v", got)
	}
}

func TestRedis_ContinuesWindowDuringOutage(t *testing.T) {
	t.Parallel()
	server, ctx := miniredis.RunT(t), context.Background()
	r, advance := setup(t, server.Addr())
	take := func(wantAllowed bool, wantRemaining int) {
		t.Helper()
		if got := r.Take(ctx, "tok", Write, 4); got.Allowed != wantAllowed || got.Remaining != wantRemaining {
			t.Fatalf("got %+v", got)
		}
	}
	take(true, 3)
	take(true, 2)
	server.Close()
	take(true, 1)
	take(true, 0)
	take(false, 0)
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	take(false, 0) // Redis is not used during the pause
	advance(breakerPause + time.Second)
	take(true, 1) // Redis is used again; it counted two of the requests
	if r.breaker.until.Load() != 0 {
		t.Error("the breaker is still open")
	}
}

func TestRedis_UnavailableAtStart(t *testing.T) {
	t.Parallel()
	server := miniredis.NewMiniRedis()
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	address := server.Addr()
	server.Close()
	r, advance := setup(t, address)
	if got := concurrentTakes(r, 8, 10, 5); got != 5 {
		t.Errorf("%d requests were allowed without Redis, want 5", got)
	}
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	advance(breakerPause + time.Second)
	r.Take(context.Background(), "other", Read, 5)
	if keys := server.Keys(); len(keys) != 1 || keys[0] != keyPrefix+":read:other" {
		t.Errorf("Redis holds %q", keys)
	}
}

// The server accepts connections but never responds. Only the first request waits for it; the others do not use it
// until the pause of the breaker is over.
func TestRedis_UnresponsiveServerDelaysOneRequest(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	var connections atomic.Int64
	go func() {
		for {
			if _, err := silent.Accept(); err != nil {
				return
			}
			connections.Add(1)
		}
	}()
	r, err := NewRedis("redis://"+silent.Addr().String(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	begun := time.Now()
	r.breaker.now = func() time.Time { return begun }
	for i := range 100 {
		if !r.Take(context.Background(), "tok", Read, 100).Allowed {
			t.Fatalf("request %d is refused", i+1)
		}
	}
	if n := connections.Load(); n != 1 {
		t.Errorf("100 requests connected %d times", n)
	}
}

// Scripts are lost in a failover.
func TestRedis_ReloadsFlushedScripts(t *testing.T) {
	t.Parallel()
	server, ctx := miniredis.RunT(t), context.Background()
	r, _ := setup(t, server.Addr())
	r.Take(ctx, "tok", Read, 5)
	if err := r.client.ScriptFlush(ctx).Err(); err != nil {
		t.Fatal(err)
	}
	if got := r.Take(ctx, "tok", Read, 5); got.Remaining != 3 || r.breaker.until.Load() != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestRedis_CanceledRequestDoesNotOpenBreaker(t *testing.T) {
	t.Parallel()
	r, _ := setup(t, miniredis.RunT(t).Addr())
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if got := r.Take(gone, "tok", Read, 5); !got.Allowed || r.breaker.until.Load() != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestNewRedis_ErrorDoesNotContainPassword(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"", "http://x", "redis://user:hunter2@host:port/0", "redis://:hunter2@h/x"} {
		if _, err := NewRedis(url, slog.New(slog.DiscardHandler)); err == nil ||
			strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q gives %v", url, err)
		}
	}
}

func TestBreaker_AllowsOneRequestAfterPause(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	b := breaker{now: func() time.Time { return now }}
	steps := []struct {
		name string
		do   func() bool
		want bool
	}{
		{"closed: first request", b.allow, true},
		{"closed: second request", b.allow, true},
		{"open", b.open, true},
		{"open again", b.open, false},
		{"open: request", b.allow, false},
		{"pause ends", func() bool { now = now.Add(breakerPause); return true }, true},
		{"first request after the pause", b.allow, true},
		{"second request after the pause", b.allow, false},
		{"close", b.close, true},
		{"close again", b.close, false},
		{"closed again: first request", b.allow, true},
		{"closed again: second request", b.allow, true},
	}
	for _, step := range steps {
		if got := step.do(); got != step.want {
			t.Fatalf("%s: got %v", step.name, got)
		}
	}
}

func BenchmarkRedisTake(b *testing.B) {
	r, _ := setup(b, miniredis.RunT(b).Addr())
	b.ReportAllocs()
	for b.Loop() {
		r.Take(context.Background(), "tok", Read, 60)
	}
}

func BenchmarkRedisAway(b *testing.B) {
	r, _ := setup(b, "127.0.0.1:1")
	b.ReportAllocs()
	for b.Loop() {
		r.Take(context.Background(), "tok", Read, 60)
	}
}

func TestClientLogger_WritesToDefaultLogger(t *testing.T) {
	var log strings.Builder
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	t.Cleanup(func() { slog.SetDefault(before) })
	clientLogger{}.Printf(t.Context(), "pool: %s", "dial refused")
	if line := log.String(); !strings.Contains(line, "level=DEBUG") || !strings.Contains(line, "pool: dial refused") {
		t.Errorf("logged %q", line)
	}
}

func TestRedis_PeekDoesNotCount(t *testing.T) {
	t.Parallel()
	server, ctx := miniredis.RunT(t), context.Background()
	a, _ := setup(t, server.Addr())
	b, _ := setup(t, server.Addr())
	for i := range 3 {
		for range 5 {
			if got := b.Peek(ctx, "tok", Write, 2); got.Allowed != (i < 2) || got.Remaining != max(1-i, 0) ||
				got.Limit != 2 {
				t.Fatalf("Peek after %d: %+v", i, got)
			}
		}
		a.Take(ctx, "tok", Write, 2)
	}
	if got := b.Peek(ctx, "tok", Write, 2); got.Allowed || got.RetryAfter < time.Second {
		t.Errorf("Peek at one too many: %+v", got)
	}
	server.Close()
	if got := a.Peek(ctx, "tok", Write, 2); got.Allowed {
		t.Errorf("without Redis, the process that counted: %+v, want not allowed", got)
	}
	if got := b.Peek(ctx, "tok", Write, 2); !got.Allowed {
		t.Errorf("without Redis, a process that did not count: %+v, want allowed", got)
	}
}

package ratelimit

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/ulule/limiter/v3/drivers/store/memory"
	"pgregory.net/rapid"
)

func TestMemory_WindowStartsWithFirstRequest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m, ctx := NewMemory(), context.Background()
		time.Sleep(300 * time.Millisecond) // the fake clock starts at a whole second
		begin := time.Now()
		reset := begin.Add(Window + 700*time.Millisecond) // rounded up to the second
		for i, step := range []struct {
			at   time.Duration
			want Decision
		}{
			{0, Decision{2, 1, reset, true, 0}},
			{20 * time.Second, Decision{2, 0, reset, true, 0}},
			{20 * time.Second, Decision{2, 0, reset, false, 40 * time.Second}},
			{Window, Decision{2, 0, reset, false, time.Second}},
			{Window + time.Nanosecond, Decision{2, 1, reset.Add(Window), true, 0}},
		} {
			time.Sleep(time.Until(begin.Add(step.at)))
			if got := m.Take(ctx, "tok", Write, 2); got != step.want {
				t.Fatalf("request %d: got %+v, want %+v", i+1, got, step.want)
			}
		}
	})
}

// It compares the limiter with a simple model: the same decisions, and never more than limit requests per window.
func TestMemory_AgreesWithModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		limit := rapid.IntRange(1, 5).Draw(rt, "limit")
		pauses := rapid.SliceOfN(rapid.Int64Range(0, int64(40*time.Second)), 1, 60).Draw(rt, "pauses")
		var difference string
		synctest.Test(t, func(*testing.T) { difference = modelDifference(limit, pauses) })
		if difference != "" {
			rt.Fatal(difference)
		}
	})
}

// modelDifference describes the first decision of the limiter that differs from the model, or returns "".
func modelDifference(limit int, pauses []int64) string {
	m := NewMemory()
	var end time.Time
	var used int
	for i, pause := range pauses {
		time.Sleep(time.Duration(pause))
		now := time.Now()
		if now.After(end) {
			end, used = now.Add(Window), 0
		}
		used++
		got := m.Take(context.Background(), "tok", Read, limit)
		switch {
		case got.Allowed != (used <= limit) || got.Remaining != max(limit-used, 0):
			return fmt.Sprintf("request %d, number %d of its window: %+v", i, used, got)
		case got.Reset.Before(end) || got.Reset.Sub(end) >= time.Second:
			return fmt.Sprintf("request %d: the window ends at %s: %+v", i, end, got)
		case got.Allowed && got.RetryAfter != 0, !got.Allowed && now.Add(got.RetryAfter).Before(end):
			return fmt.Sprintf("request %d: the window ends in %s: %+v", i, end.Sub(now), got)
		}
	}
	return ""
}

func TestMemory_CountsKeysAndClassesSeparately(t *testing.T) {
	t.Parallel()
	m, ctx := NewMemory(), context.Background()
	for _, key := range []string{"tok_a", "tok_b"} {
		for _, class := range []Class{Read, Write, AI} {
			if !m.Take(ctx, key, class, 1).Allowed || m.Take(ctx, key, class, 1).Allowed {
				t.Errorf("%s %s shares a counter with another key or class", key, class)
			}
		}
	}
}

func TestMemory_ConcurrentRequestsStayWithinLimit(t *testing.T) {
	t.Parallel()
	m := NewMemory()
	if got := concurrentTakes(m, 40, 25, 100); got != 100 {
		t.Errorf("%d requests were allowed, want 100", got)
	}
}

// concurrentTakes sends requests with one key from many goroutines and returns how many were allowed.
func concurrentTakes(l Limiter, goroutines, each, limit int) int64 {
	var allowed atomic.Int64
	var running sync.WaitGroup
	for range goroutines {
		running.Go(func() {
			for range each {
				if l.Take(context.Background(), "tok", Read, limit).Allowed {
					allowed.Add(1)
				}
			}
		})
	}
	running.Wait()
	return allowed.Load()
}

func TestMemory_RemovesExpiredCounters(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := NewMemory()
		for i := range 1000 {
			m.Take(context.Background(), strconv.Itoa(i), Read, 1)
		}
		time.Sleep(Window + time.Second)
		m.Take(context.Background(), "next", Read, 1)
		synctest.Wait()
		kept := 0
		m.cache.Range(func(string, *memory.Counter) { kept++ })
		if kept != 1 {
			t.Errorf("%d counters are left, want 1", kept)
		}
	})
}

func TestLimiter_TakeBoth(t *testing.T) {
	t.Parallel()
	shared, _ := setup(t, miniredis.RunT(t).Addr())
	for name, l := range map[string]Limiter{"memory": NewMemory(), "Redis": shared} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, outer := context.Background(), Counter{"acc", 3}
			for i, step := range []struct {
				inner                string
				innerLeft, outerLeft int
				inside, outside      bool
			}{
				{"a", 1, 2, true, true},
				{"a", 0, 1, true, true},
				{"a", 0, 0, false, false}, // not counted in the outer window
				{"a", 0, 0, false, false},
				{"b", 1, 0, true, true},
				{"b", 0, 0, true, false},
				{"b", 0, 0, false, false},
			} {
				got := l.TakeBoth(ctx, Read, Counter{step.inner, 2}, outer)
				if got.Inner.Allowed != step.inside || got.Inner.Remaining != step.innerLeft ||
					got.Outer.Allowed != step.outside || got.Outer.Remaining != step.outerLeft {
					t.Fatalf("request %d: got %+v, want %+v", i+1, got, step)
				}
				if refused := got.Inner.Allowed && !got.Outer.Allowed; refused && got.Outer.RetryAfter < time.Second {
					t.Errorf("request %d: retry after %s", i+1, got.Outer.RetryAfter)
				}
			}
		})
	}
}

func BenchmarkMemoryTakeBoth(b *testing.B) {
	m, ctx := NewMemory(), context.Background()
	token := Counter{"tok_01hzy3v8k2m5n7p9q1r3s5t7v9", MaxLimit}
	account := Counter{"acc_01hzy3v8k2m5n7p9q1r3s5t7v9", MaxLimit}
	b.ReportAllocs()
	for b.Loop() {
		m.TakeBoth(ctx, Read, token, account)
	}
}

func BenchmarkMemoryTake(b *testing.B) {
	m, ctx := NewMemory(), context.Background()
	b.ReportAllocs()
	for b.Loop() {
		m.Take(ctx, "tok_01hzy3v8k2m5n7p9q1r3s5t7v9", Read, 60)
	}
}

func TestMemory_PeekDoesNotCount(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m, ctx := NewMemory(), context.Background()
		for range 3 {
			for range 5 {
				if got, want := m.Peek(ctx, "tok", Write, 2), NewMemory().Take(ctx, "tok", Write, 2); got != want {
					t.Fatalf("Peek of a window that has not begun: got %+v, want %+v", got, want)
				}
			}
			m.Take(ctx, "tok", Write, 2)
			if got := m.Peek(ctx, "tok", Write, 2); !got.Allowed || got.Remaining != 0 {
				t.Fatalf("Peek at the last of two: got %+v", got)
			}
			m.Take(ctx, "tok", Write, 2)
			time.Sleep(time.Second)
			if got := m.Peek(ctx, "tok", Write, 2); got.Allowed || got.RetryAfter != Window-time.Second {
				t.Fatalf("Peek at one too many: got %+v", got)
			}
			time.Sleep(Window)
		}
	})
}

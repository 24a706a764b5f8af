package users

import (
	"log/slog"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// useRedis counts failures in a Redis whose clock stands still until the test moves it.
func (c *club) useRedis(t *testing.T) *miniredis.Miniredis {
	t.Helper()
	server := miniredis.RunT(t)
	limiter, err := ratelimit.NewRedis("redis://"+server.Addr(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { limiter.Close() })
	c.limiter = limiter
	return server
}

// logInOften logs in so many times and returns how often each code was returned.
func (c *club) logInOften(t *testing.T, times int, from func(i int) netip.Addr, password string) map[fault.Code]int {
	t.Helper()
	got := map[fault.Code]int{}
	for i := range times {
		got[c.logIn(t, from(i), ada, password)]++
	}
	return got
}

// awaitLogIn waits until ada can log in: at once, unless Redis is so slow that it is not asked for some seconds.
func (c *club) awaitLogIn(t *testing.T, from netip.Addr) {
	t.Helper()
	deadline, poll := time.NewTimer(30*time.Second), time.NewTicker(100*time.Millisecond)
	defer deadline.Stop()
	defer poll.Stop()
	for c.logIn(t, from, ada, password) != "" {
		select {
		case <-deadline.C:
			t.Fatal("the right password does not work after the window")
		case <-poll.C:
		}
	}
}

// A thousand wrong passwords from one address, or from a thousand: few are compared, all are in the log without the
// password, and after the window the right password works again.
func TestService_LogInAfterThousandFailures(t *testing.T) {
	for name, tc := range map[string]struct {
		from     func(i int) netip.Addr
		compared int
		later    fault.Code // from another address
	}{
		"one address": {func(int) netip.Addr { return home }, failuresPerAddress, ""},
		"many addresses": {
			func(i int) netip.Addr { return netip.AddrFrom4([4]byte{198, 51, byte(i >> 8), byte(i)}) },
			failuresPerUser, fault.RateLimited,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var log strings.Builder
			before := slog.Default()
			slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
			defer slog.SetDefault(before)
			c := setup(t)
			redis := c.useRedis(t)
			c.create(t, "bob@example.com", Member, password)
			got := c.logInOften(t, 1000, tc.from, "a wrong password")
			// A Redis so slow that the process counts alone for a while allows some more.
			compared, refused := got[fault.InvalidRequest], got[fault.RateLimited]
			if compared < tc.compared || compared > 2*tc.compared || compared+refused != 1000 {
				t.Errorf("of 1,000 wrong passwords %d were compared and %d refused, want %d compared",
					compared, refused, tc.compared)
			}
			if got := strings.Count(log.String(), ada); got != 1000 || strings.Contains(log.String(), "a wrong") {
				t.Errorf("the log has %d attempts, want 1000 without the password:\n%.2000s", got, log.String())
			}
			if got := c.logIn(t, tc.from(0), ada, password); got != fault.RateLimited {
				t.Errorf("the right password within the window: got %q, want rate_limited", got)
			}
			if got := c.logIn(t, other, ada, password); got != tc.later {
				t.Errorf("the right password from another address: got %q, want %q", got, tc.later)
			}
			if got := c.logIn(t, other, "bob@example.com", password); got != "" {
				t.Errorf("another user from another address: got %q, want success", got)
			}
			redis.FastForward(ratelimit.Window)
			c.awaitLogIn(t, tc.from(0))
		})
	}
}

// Attempts that arrive together are limited too: at most those that are compared at that moment exceed the limit.
func TestService_LogInTogether(t *testing.T) {
	t.Parallel()
	c := setup(t)
	var mu sync.Mutex
	compared := 0
	var wait sync.WaitGroup
	for range 100 {
		wait.Go(func() {
			_, err := c.LogIn(t.Context(), Client{Address: home}, ada, "a wrong password")
			mu.Lock()
			defer mu.Unlock()
			if fault.Is(err, fault.InvalidRequest) {
				compared++
			}
		})
	}
	wait.Wait()
	if most := failuresPerAddress + hashesAtOnce; compared == 0 || compared > most {
		t.Errorf("%d of 100 passwords were compared, want at most %d", compared, most)
	}
}

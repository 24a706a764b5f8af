package e2e

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// rate returns the limit, the requests that remain and the end of the period from the headers of the response.
func (r response) rate(t testing.TB) (limit, remaining int, reset time.Time) {
	t.Helper()
	var figures [3]int
	for i, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
		n, err := strconv.Atoi(r.header.Get(name))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		figures[i] = n
	}
	return figures[0], figures[1], time.Unix(int64(figures[2]), 0)
}

// counted is a request that counts against a limit, and its status.
type counted struct {
	method, path string
	body         any
	headers      []string
	status       int
}

// exhaust sends as many requests as the limit allows, each of those given in turn, and one more. It checks the headers
// of each response, and returns the last one.
func (c *client) exhaust(limit int, of ...counted) response {
	c.t.Helper()
	begun := time.Now()
	for n := 1; n <= limit; n++ {
		r := of[n%len(of)]
		got := c.do(r.method, r.path, r.body, r.headers...)
		most, remaining, reset := got.rate(c.t)
		inTime := !reset.Before(begun.Add(50*time.Second)) && !reset.After(time.Now().Add(62*time.Second))
		if got.status != r.status || most != limit || remaining != limit-n || !inTime {
			c.t.Fatalf("%s %s, request %d of %d: status %d, want %d; limit %d, remaining %d, reset at %s",
				r.method, r.path, n, limit, got.status, r.status, most, remaining, reset)
		}
	}
	last := c.do(of[0].method, of[0].path, of[0].body, of[0].headers...)
	_, remaining, reset := last.rate(c.t)
	seconds, err := strconv.Atoi(last.header.Get("Retry-After"))
	retry := time.Now().Add(time.Duration(seconds) * time.Second)
	inTime := err == nil && seconds >= 1 && seconds <= 61 && !retry.Before(reset.Add(-2*time.Second))
	if last.status != http.StatusTooManyRequests || remaining != 0 || !inTime {
		c.t.Errorf("request beyond the limit: status %d, remaining %d, reset at %s, Retry-After %d, %v: %s",
			last.status, remaining, reset, seconds, err, last.body)
	}
	return last
}

// TestLimits_Defaults checks the default limits of a token, which are 60 reads, 20 writes and 5 requests for AI per
// minute. Each class and each token has its own count. Refused requests count, and OPTIONS does not.
func TestLimits_Defaults(t *testing.T) {
	t.Parallel()
	s := start(t)
	setup := s.client(t, false)
	made := setup.create(`{"identify":false}`)
	card := "/cards/" + made.ID
	c := setup.limited(ratelimit.Limits{})
	c.exhaust(60,
		counted{"GET", card, nil, nil, 200},
		counted{"HEAD", "/cards", nil, nil, 200},
		counted{"GET", "/cards/x", nil, nil, 404},
		counted{"GET", "/nothing", nil, nil, 404},
		counted{"GET", "/cards?limit=0", nil, nil, 400},
		counted{"GET", "/cards", nil, []string{"Accept: text/html"}, 406},
		counted{"GET", card, nil, []string{`If-None-Match: "1"`}, 304},
		counted{"GET", "/v2/cards", nil, nil, 501},
		counted{"GET", "/identify", nil, nil, 405},
	).refused(t, "rate_limited")
	for range 70 {
		c.do("OPTIONS", "/cards", nil).want(t, http.StatusNoContent, nil)
	}
	for _, r := range []counted{
		{"HEAD", "/cards", nil, nil, 429},
		{"GET", "/nothing", nil, nil, 429},
		{"GET", "/cards", nil, []string{"Accept: text/html"}, 429},
	} {
		t.Run(r.method+" "+r.path, func(t *testing.T) {
			c.in(t).do(r.method, r.path, r.body, r.headers...).want(t, r.status, nil)
		})
	}
	c.exhaust(20,
		counted{"POST", "/batches", `{`, nil, 400},
		counted{"PATCH", card, `{}`, nil, 200},
		counted{"DELETE", card + "/photos/x", nil, nil, 404},
		counted{"PUT", card + "/photos/front", "x", nil, 415},
		counted{"POST", "/cards", `{"cards":[]}`, nil, 400},
		counted{"DELETE", "/cards", nil, nil, 405},
	)
	c.exhaust(5,
		counted{"POST", "/identify", `{"card_id":"` + made.ID + `"}`, nil, 409},
		counted{"POST", "/price-lookup", `{}`, nil, 400},
	)
	c.do("POST", "/batches", `{"name":"One too many"}`).refused(t, "rate_limited")
	var batches listOf[any]
	c.limited(ratelimit.Limits{}).do("GET", "/batches", nil).want(t, http.StatusOK, &batches)
	if len(batches.Data) != 0 {
		t.Errorf("requests beyond the limit created the batches %v", batches.Data)
	}
}

// TestLimits_Configured checks that in each class the limit of the token precedes the limit that the operator sets.
func TestLimits_Configured(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *config.Config) { c.RateLimits = "read=7,ai=2" })
	own := s.client(t, false).limited(ratelimit.Limits{Read: 3, AI: 4})
	own.exhaust(3, counted{"GET", "/batches", nil, nil, 200})
	own.exhaust(4, counted{"POST", "/price-lookup", `{}`, nil, 400})
	own.exhaust(20, counted{"POST", "/batches", `{}`, nil, 400})
	other := own.limited(ratelimit.Limits{})
	other.exhaust(7, counted{"GET", "/batches", nil, nil, 200})
	other.exhaust(2, counted{"POST", "/identify", `{}`, nil, 400})
}

// TestLimits_PerAddress checks that requests without a valid token count against the address of the client, and that
// other addresses and valid tokens are not limited by them.
func TestLimits_PerAddress(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *config.Config) { c.TrustedProxies = []string{"127.0.0.0/8", "::1/128"} })
	c := s.client(t, false)
	from := func(address, authorization string) counted {
		headers := []string{"X-Forwarded-For: " + address, "Authorization:" + authorization}
		return counted{"GET", "/cards", nil, headers, 401}
	}
	c.exhaust(60,
		from("192.0.2.1", ""),
		from("192.0.2.1", " Bearer x"),
		from("203.0.113.9, 192.0.2.1", " Basic eDp5"),
		from("192.0.2.1, 127.0.0.2", ""),
	)
	c.do("POST", "/batches", `{}`, "Authorization:", "X-Forwarded-For: 192.0.2.1").refused(t, "missing_token")
	for _, other := range []string{"192.0.2.2", "2001:db8::1"} {
		r := from(other, "")
		c.do(r.method, r.path, nil, r.headers...).refused(t, "missing_token")
	}
	c.do("GET", "/cards", nil, "X-Forwarded-For: 192.0.2.1").want(t, http.StatusOK, nil)
}

// TestLimits_TwoProcesses checks that two processes with one Redis share their counts. While Redis is unavailable each
// process continues from the last count that it knows, and no request fails. Then they share their counts again.
func TestLimits_TwoProcesses(t *testing.T) {
	t.Parallel()
	redis, database := miniredis.RunT(t), pgtest.URL(t)
	shared := func(c *config.Config) { c.RedisURL = "redis://" + redis.Addr() }
	here, there := startOn(t, database, shared), startOn(t, database, shared)
	const limit = 1_000_000 // out of reach
	c := here.client(t, false).limited(ratelimit.Limits{Read: limit})
	other := *c
	other.service = there
	remaining := func(c *client) int {
		most, n, _ := c.do("GET", "/batches", nil).want(t, http.StatusOK, nil).rate(t)
		if most != limit {
			t.Fatalf("limit %d, want %d", most, limit)
		}
		return n
	}
	together := func() bool { // if Redis is slow, a process may count alone; five in turn show that they share
		last := remaining(c)
		for range 5 {
			a, b := remaining(&other), remaining(c)
			if a != last-1 || b != last-2 {
				return false
			}
			last = b
		}
		return true
	}
	for range 10 {
		remaining(c)
	}
	eventually(t, "both count in Redis", together)
	redis.Close()
	seenHere, seenThere := remaining(c), remaining(&other)
	for range 20 {
		a, b := remaining(c), remaining(&other)
		if a != seenHere-1 || b != seenThere-1 {
			t.Fatalf("without Redis %d remain after %d here, %d after %d there", a, seenHere, b, seenThere)
		}
		seenHere, seenThere = a, b
	}
	if seenHere > limit-10-20 {
		t.Errorf("%d requests remain after the loss of Redis, want at most %d", seenHere, limit-10-20)
	}
	if err := redis.Restart(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "both count in Redis again", together)
}

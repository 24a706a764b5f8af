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

// rate is what an answer's headers say of its limit.
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

// counted is one of a row of requests that share a limit.
type counted struct {
	method, path string
	body         any
	headers      []string
	status       int
}

// exhaust sends limit requests, in turn those given, and one more, and checks the figures of each.
// It returns what the last was answered.
func (c *client) exhaust(limit int, of ...counted) response {
	c.t.Helper()
	begun := time.Now()
	for n := 1; n <= limit; n++ {
		r := of[n%len(of)]
		got := c.do(r.method, r.path, r.body, r.headers...)
		most, remaining, reset := got.rate(c.t)
		if got.status != r.status || most != limit || remaining != limit-n || reset.Before(begun.Add(50*time.Second)) || reset.After(time.Now().Add(62*time.Second)) {
			c.t.Fatalf("%s %s, number %d of %d: %d, want %d; limit %d, %d left, ends %s", r.method, r.path, n, limit, got.status, r.status, most, remaining, reset)
		}
	}
	last := c.do(of[0].method, of[0].path, of[0].body, of[0].headers...)
	_, remaining, reset := last.rate(c.t)
	wait, err := strconv.Atoi(last.header.Get("Retry-After"))
	if err != nil || last.status != http.StatusTooManyRequests || remaining != 0 || wait < 1 || wait > 61 || time.Now().Add(time.Duration(wait)*time.Second).Before(reset.Add(-2*time.Second)) {
		c.t.Errorf("one too many: %d, %d left, ends %s, wait %d s, %v: %s", last.status, remaining, reset, wait, err, last.body)
	}
	return last
}

// The mission's limits: 60 reads, 20 writes, 5 of AI, each class and each token for itself; refusals
// of every kind count, OPTIONS does not.
func TestLimitsOfAToken(t *testing.T) {
	t.Parallel()
	s := start(t)
	setup := s.client(t, false)
	made := setup.create(`{"identify":false}`)
	c := setup.limited(ratelimit.Limits{})
	c.exhaust(60,
		counted{"GET", "/cards/" + made.ID, nil, nil, 200}, counted{"HEAD", "/cards", nil, nil, 200}, counted{"GET", "/cards/x", nil, nil, 404}, counted{"GET", "/nothing", nil, nil, 404},
		counted{"GET", "/cards?limit=0", nil, nil, 400}, counted{"GET", "/cards", nil, []string{"Accept: text/html"}, 406}, counted{"GET", "/cards/" + made.ID, nil, []string{`If-None-Match: "1"`}, 304},
		counted{"GET", "/v2/cards", nil, nil, 501}, counted{"GET", "/identify", nil, nil, 405}).refused(t, "rate_limited")
	for range 70 {
		c.do("OPTIONS", "/cards", nil).want(t, http.StatusNoContent, nil)
	}
	for _, r := range []counted{{"HEAD", "/cards", nil, nil, 429}, {"GET", "/nothing", nil, nil, 429}, {"GET", "/cards", nil, []string{"Accept: text/html"}, 429}} {
		if got := c.do(r.method, r.path, r.body, r.headers...); got.status != r.status {
			t.Errorf("%s %s beyond the limit: %d", r.method, r.path, got.status)
		}
	}
	c.exhaust(20,
		counted{"POST", "/batches", `{`, nil, 400}, counted{"PATCH", "/cards/" + made.ID, `{}`, nil, 200}, counted{"DELETE", "/cards/" + made.ID + "/photos/x", nil, nil, 404},
		counted{"PUT", "/cards/" + made.ID + "/photos/front", "x", nil, 415}, counted{"POST", "/cards", `{"cards":[]}`, nil, 400}, counted{"DELETE", "/cards", nil, nil, 405})
	c.exhaust(5,
		counted{"POST", "/identify", `{"card_id":"` + made.ID + `"}`, nil, 409}, counted{"POST", "/price-lookup", `{}`, nil, 400})
	c.do("POST", "/batches", `{"name":"One too many"}`).refused(t, "rate_limited")
	var batches listOf[any]
	c.limited(ratelimit.Limits{}).do("GET", "/batches", nil).want(t, http.StatusOK, &batches)
	if len(batches.Data) != 0 {
		t.Errorf("beyond the limit something was made: %v", batches.Data)
	}
}

// A token's own limits go before the service's, class by class; the service's are set by its operator.
func TestLimitsThatAreSet(t *testing.T) {
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

// Requests without a valid token count against the address they come from, and hurt nobody else there.
func TestLimitsOfAnAddress(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *config.Config) { c.TrustedProxies = []string{"127.0.0.0/8", "::1/128"} })
	known := s.client(t, false)
	from := func(address, authorization string) counted {
		return counted{"GET", "/cards", nil, []string{"X-Forwarded-For: " + address, "Authorization:" + authorization}, 401}
	}
	known.exhaust(60, from("192.0.2.1", ""), from("192.0.2.1", " Bearer x"), from("203.0.113.9, 192.0.2.1", " Basic eDp5"), from("192.0.2.1, 127.0.0.2", ""))
	known.do("POST", "/batches", `{}`, "Authorization:", "X-Forwarded-For: 192.0.2.1").refused(t, "missing_token")
	for _, neighbour := range []string{"192.0.2.2", "2001:db8::1"} {
		r := from(neighbour, "")
		known.do(r.method, r.path, nil, r.headers...).refused(t, "missing_token")
	}
	known.do("GET", "/cards", nil, "X-Forwarded-For: 192.0.2.1").want(t, http.StatusOK, nil)
}

// Two processes on one Redis count together. When it goes away each counts for itself, from what it
// has seen, and no request fails; when it is back they count together again.
func TestLimitsOfTwoProcesses(t *testing.T) {
	t.Parallel()
	redis, database := miniredis.RunT(t), pgtest.URL(t)
	shared := func(c *config.Config) { c.RedisURL = "redis://" + redis.Addr() }
	here, there := startOn(t, database, shared), startOn(t, database, shared)
	const limit = 1_000_000 // out of reach
	c := here.client(t, false).limited(ratelimit.Limits{Read: limit})
	other := *c
	other.service = there
	left := func(c *client) int {
		most, remaining, _ := c.do("GET", "/batches", nil).want(t, http.StatusOK, nil).rate(t)
		if most != limit {
			t.Fatalf("limit %d", most)
		}
		return remaining
	}
	together := func() bool { // a slow moment of Redis may part them; five in turn show that they share
		last := left(c)
		for range 5 {
			a, b := left(&other), left(c)
			if a != last-1 || b != last-2 {
				return false
			}
			last = b
		}
		return true
	}
	for range 10 {
		left(c)
	}
	eventually(t, "both count in Redis", together)
	redis.Close()
	seenHere, seenThere := left(c), left(&other)
	for range 20 {
		a, b := left(c), left(&other)
		if a != seenHere-1 || b != seenThere-1 {
			t.Fatalf("without Redis %d after %d here, %d after %d there", a, seenHere, b, seenThere)
		}
		seenHere, seenThere = a, b
	}
	if seenHere > limit-10-20 {
		t.Errorf("losing Redis gave %d requests back", seenHere)
	}
	if err := redis.Restart(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "both count in Redis again", together)
}

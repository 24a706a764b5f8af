package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"

	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// tokensOf returns clients with so many tokens of a new account, without limits of their own.
func tokensOf(t *testing.T, s *service, n int) []*client {
	t.Helper()
	account, err := s.Accounts.Create(t.Context(), "Many tokens", false)
	if err != nil {
		t.Fatal(err)
	}
	owner := &client{t: t, service: s, account: account.ID}
	list := make([]*client, n)
	for i := range list {
		list[i] = owner.limited(ratelimit.Limits{})
	}
	return list
}

// TestLimits_Account checks that an account with ten tokens does not meet its limit, and that an eleventh does, in one
// process and in two that share a Redis.
func TestLimits_Account(t *testing.T) {
	t.Parallel()
	redis := miniredis.RunT(t)
	for name, url := range map[string]string{"memory": "", "Redis": "redis://" + redis.Addr()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, func(c *config.Config) { c.RateLimits, c.RedisURL = "read=3,write=2", url })
			list := tokensOf(t, s, 11)
			last := list[10]
			for _, c := range list[:10] {
				c.exhaust(3, counted{"GET", "/batches", nil, nil, 200})
			}
			got := last.do("GET", "/batches", nil)
			got.refused(t, "rate_limited")
			limit, remaining, _ := got.rate(t)
			if limit != 3 || remaining != 2 || got.header.Get("Retry-After") == "" ||
				!strings.Contains(string(got.body), "your account is 30 read requests") {
				t.Errorf("the account's refusal: limit %d, remaining %d, headers %v: %s", limit, remaining, got.header,
					got.body)
			}
			last.exhaust(2, counted{"POST", "/batches", `{}`, nil, 400}) // the other class has its own window
			other := tokensOf(t, s, 1)[0]
			other.do("GET", "/batches", nil).want(t, http.StatusOK, nil)
		})
	}
}

// TestLimits_AccountRefusedByToken checks that requests beyond a token's own limit do not use up the limit of the
// account.
func TestLimits_AccountRefusedByToken(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *config.Config) { c.RateLimits, c.AccountRateFactor = "read=2", 2 })
	list := tokensOf(t, s, 2)
	for n := range 20 {
		list[0].do("GET", "/batches", nil).want(t, map[bool]int{true: 200, false: 429}[n < 2], nil)
	}
	list[1].exhaust(2, counted{"GET", "/batches", nil, nil, 200})
}

// TestLimits_AccountWithOwnLimits checks that the largest limit of a token decides the limit of its account.
func TestLimits_AccountWithOwnLimits(t *testing.T) {
	t.Parallel()
	database := pgtest.URL(t)
	s := startOn(t, database, func(c *config.Config) { c.RateLimits, c.AccountRateFactor = "read=2,write=2", 1 })
	c := tokensOf(t, s, 1)[0]
	c.limited(ratelimit.Limits{Read: 5, Write: 1}).exhaust(5, counted{"GET", "/batches", nil, nil, 200})
	if got := c.do("GET", "/batches", nil); !strings.Contains(string(got.body), "your account is 5 read") {
		t.Errorf("the account's limit is not the largest of its tokens: %s", got.body)
	}
	c.exhaust(2, counted{"POST", "/batches", `{}`, nil, 400}) // a lower limit of a token lowers nothing
	off := startOn(t, database, func(c *config.Config) { c.RateLimits, c.AccountRateFactor = "read=2", 0 })
	for _, c := range tokensOf(t, off, 3) {
		c.exhaust(2, counted{"GET", "/batches", nil, nil, 200})
	}
}

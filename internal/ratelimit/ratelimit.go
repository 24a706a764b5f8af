// Package ratelimit counts requests per key and class in windows of one minute, in this process (Memory) or in Redis
// for all processes.
//
// Limiters never fail: while Redis is not available, they count in the process. The package is independent of HTTP;
// package api chooses the keys and sets the headers.
package ratelimit

import (
	"context"
	"net/netip"
	"time"
)

// Window is the length of a window, which starts with the first request in it.
const Window = time.Minute

// Class is a group of operations that share a limit: x-rate-class in openapi/v1.yaml.
type Class string

// The classes.
const (
	Read  Class = "read"  // GET, HEAD
	Write Class = "write" // POST, PUT, PATCH, DELETE
	AI    Class = "ai"    // identification, price look-up
)

// Decision is whether a request is allowed, and the values of its rate limit headers.
type Decision struct {
	// Limit is the number of requests per window, Remaining how many are left after this one.
	Limit, Remaining int
	// Reset is the end of the window, rounded up to a whole second.
	Reset time.Time
	// Allowed is false if the request exceeds the limit.
	Allowed bool
	// RetryAfter is how long to wait before the next request, in whole seconds, at least one. It is 0 if the request is
	// allowed.
	RetryAfter time.Duration
}

// Limiter counts requests. Implementations are safe for concurrent use.
type Limiter interface {
	// Take counts a request of this key and class and decides whether it is allowed; limit is the number of requests
	// per Window. Requests that are not allowed count too, but do not extend the window.
	Take(ctx context.Context, key string, class Class, limit int) Decision
	// TakeBoth counts a request in two windows, such as the windows of a token and of its account. It counts it in the
	// outer window only if the inner one allows it; otherwise outer is the zero Decision.
	TakeBoth(ctx context.Context, class Class, inner, outer Counter) Both
	// Peek returns the decision that Take would make, without counting.
	Peek(ctx context.Context, key string, class Class, limit int) Decision
}

// Counter identifies a window and the number of requests that it allows.
type Counter struct {
	Key   string
	Limit int
}

// Both are the decisions about a request that is counted twice.
type Both struct{ Inner, Outer Decision }

// Allowed reports whether both windows allow the request.
func (b Both) Allowed() bool { return b.Inner.Allowed && b.Outer.Allowed }

// AddressKey returns the key for requests that are only identified by the client's address. IPv6 clients usually have a
// /64 network (RFC 6177), so its addresses share a key.
func AddressKey(addr netip.Addr) string {
	addr = addr.Unmap().WithZone("")
	if addr.Is6() {
		if network, err := addr.Prefix(64); err == nil {
			return network.String()
		}
	}
	return addr.String()
}

// counterKey returns the key of a counter, which is different for each class.
func counterKey(key string, class Class) string { return string(class) + ":" + key }

// decide returns the decision for the request with number count in a window.
func decide(count int64, limit int, end, now time.Time) Decision {
	d := Decision{Limit: limit, Reset: end.Truncate(time.Second), Allowed: count <= int64(limit)}
	if d.Reset.Before(end) {
		d.Reset = d.Reset.Add(time.Second)
	}
	if d.Allowed {
		d.Remaining = limit - int(count)
		return d
	}
	wait := end.Sub(now)
	d.RetryAfter = max(time.Second, (wait + time.Second - 1).Truncate(time.Second))
	return d
}

// Package ratelimit counts requests per key and class in windows of one minute: in this process,
// or in Redis for all processes together.
//
// It never fails: a limiter whose Redis is away counts in process until Redis is back. It knows
// nothing of HTTP; which key a request counts against and what its headers say is for the edge.
package ratelimit

import (
	"context"
	"net/netip"
	"time"
)

// Window is how long a window lasts, counted from the first request in it.
const Window = time.Minute

// Class is a group of requests that share a limit: x-rate-class in openapi/v1.yaml.
type Class string

// The classes.
const (
	Read  Class = "read"  // GET, HEAD
	Write Class = "write" // POST, PUT, PATCH, DELETE
	AI    Class = "ai"    // identification, price look-up
)

// Decision is the answer to one request and what its headers need.
type Decision struct {
	// Limit is how many requests one window allows, Remaining how many of them are left after
	// this one.
	Limit, Remaining int
	// Reset is when the window ends, rounded up to a whole second: at Reset a new one can begin.
	Reset time.Time
	// Allowed is false if the request was one too many.
	Allowed bool
	// RetryAfter is how long to wait before the next request, in whole seconds, at least one. It
	// is 0 when the request is allowed.
	RetryAfter time.Duration
}

// Limiter counts requests. Implementations are safe for concurrent use.
type Limiter interface {
	// Take counts one request of this key and class and decides on it; limit is requests per
	// Window. Refused requests count too, but never make the window longer.
	Take(ctx context.Context, key string, class Class, limit int) Decision
	// Peek returns the decision that Take would make, and counts nothing.
	Peek(ctx context.Context, key string, class Class, limit int) Decision
}

// AddressKey returns the key for requests that only a client's address identifies. An IPv6
// client usually holds a whole /64 (RFC 6177), so that is what is counted.
func AddressKey(addr netip.Addr) string {
	addr = addr.Unmap().WithZone("")
	if addr.Is6() {
		if network, err := addr.Prefix(64); err == nil {
			return network.String()
		}
	}
	return addr.String()
}

// counterKey keeps the classes of one key apart.
func counterKey(key string, class Class) string { return string(class) + ":" + key }

// decide makes the decision for the request that was the count-th of a window.
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

// Package webhooks is everything about outgoing webhooks: the endpoints that customers register,
// the outbox that deliveries enter in the transaction of their event, the engine that sends them,
// and what can be seen and done about them afterwards.
//
// A delivery is one event on its way to one endpoint. It is a row of deliveries_pending until it
// moves to deliveries_delivered or deliveries_dropped; nothing else remembers it, so nothing can be
// lost that was committed. The package never decides which events happen and never changes their
// bytes.
package webhooks

import (
	"fmt"
	"time"
)

// Config tunes the engine. The zero value of a field means its default.
type Config struct {
	// RetryDelays are the pauses after the first, second, … failed attempt. When the attempt after
	// the last pause fails, the delivery is dropped. Default: DefaultRetryDelays.
	RetryDelays []time.Duration
	// Timeout covers a whole exchange, from the look-up of the name to the last byte of the answer
	// that is read. Default 10 s.
	Timeout time.Duration
	// InFlight is how many exchanges this process has under way at most. Default 1024.
	InFlight int
	// InFlightPerEndpoint is how many of them go to one endpoint at most. Default 64.
	InFlightPerEndpoint int
	// Lease is how long a delivery belongs to the process that claimed it; a crashed process's
	// deliveries come back after it. It must be at least twice Timeout. Default 60 s.
	Lease time.Duration
	// Keys opens the endpoints' secrets. Required.
	Keys *Keyring
	// ListenURL is the database address to listen for other processes' wake-ups at; without one
	// the engine sees their deliveries when it polls.
	ListenURL string
	// PollEvery is the longest time until deliveries are seen that nobody told of. Default 1 s.
	PollEvery time.Duration
}

// DefaultRetryDelays is the schedule that receivers are promised (openapi/v1.yaml, x-webhooks).
var DefaultRetryDelays = []time.Duration{
	30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour,
}

// withDefaults fills in what is zero and refuses what cannot work.
func (c Config) withDefaults() (Config, error) {
	if c.RetryDelays == nil {
		c.RetryDelays = DefaultRetryDelays
	}
	c.Timeout = orDefault(c.Timeout, 10*time.Second)
	c.InFlight = orDefault(c.InFlight, 1024)
	c.InFlightPerEndpoint = orDefault(c.InFlightPerEndpoint, 64)
	c.Lease = orDefault(c.Lease, max(time.Minute, 2*c.Timeout))
	c.PollEvery = orDefault(c.PollEvery, time.Second)
	switch {
	case c.Keys == nil:
		return c, fmt.Errorf("webhooks: no key to open the endpoints' secrets with")
	case c.InFlight < 1 || c.InFlightPerEndpoint < 1 || c.Timeout < 0:
		return c, fmt.Errorf("webhooks: limits must be positive")
	case c.Lease < 2*c.Timeout:
		return c, fmt.Errorf("webhooks: a lease of %v is shorter than twice the timeout of %v", c.Lease, c.Timeout)
	}
	return c, nil
}

func orDefault[T int | time.Duration](value, fallback T) T {
	if value == 0 {
		return fallback
	}
	return value
}

// laneKey names an endpoint within all accounts.
type endpointKey struct{ account, endpoint string }

package delivery

import (
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/keyring"
)

// Config configures the engine. Zero fields have defaults.
type Config struct {
	// RetryDelays are the delays after the first, second, … failed attempt. The delivery is dropped if the attempt
	// after the last delay fails. The default is DefaultRetryDelays.
	RetryDelays []time.Duration
	// Timeout limits one attempt, from the DNS lookup to the end of the response. The default is 10 s.
	Timeout time.Duration
	// InFlight is the maximum number of concurrent attempts of this process. The default is 1024.
	InFlight int
	// InFlightPerEndpoint is the maximum number of concurrent attempts to one endpoint. The default is 64.
	InFlightPerEndpoint int
	// Lease is the longest time for which a claimed delivery belongs to this process. The deliveries of a crashed
	// process are claimed again after it, unless Outbox.Release releases them before. It must be at least twice
	// Timeout. The default is 60 s.
	Lease time.Duration
	// Keys decrypts the endpoints' secrets. It is required.
	Keys *keyring.Keyring
	// ListenURL is the database URL for listening to notifications of other processes. If it is empty, the engine
	// finds their deliveries by polling.
	ListenURL string
	// PollEvery is the longest time between two polls. The default is 1 s.
	PollEvery time.Duration
}

// DefaultRetryDelays is the documented retry schedule (openapi/v1.yaml, x-webhooks).
var DefaultRetryDelays = []time.Duration{
	30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour,
}

// withDefaults sets the defaults and checks the configuration.
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
		return c, fmt.Errorf("delivery: Config.Keys is required")
	case c.InFlight < 1 || c.InFlightPerEndpoint < 1 || c.Timeout < 0:
		return c, fmt.Errorf("delivery: limits must be positive")
	case c.Lease < 2*c.Timeout:
		return c, fmt.Errorf("delivery: a lease of %v is shorter than twice the timeout of %v", c.Lease, c.Timeout)
	}
	return c, nil
}

func orDefault[T int | time.Duration](value, fallback T) T {
	if value == 0 {
		return fallback
	}
	return value
}

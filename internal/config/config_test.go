package config

import (
	"strings"
	"testing"
	"time"
)

const goodKey = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=" // 32 bytes

func good() Config {
	return Config{
		DatabaseMaxConns: 4, ClockTolerance: time.Minute, Addr: ":8080", RateLimits: "read=60", SecretKey: goodKey,
		WebhookRetryDelays: []time.Duration{time.Second}, WebhookTimeout: time.Second, MarketPoll: time.Second,
		IdentifyProviders: []string{"a", "b"}, IdentifyThreshold: 0.85, IdentifyTimeout: time.Second,
	}
}

func TestValidateNamesTheVariable(t *testing.T) {
	t.Parallel()
	c := good()
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	for variable, spoil := range map[string]func(*Config){
		"CARDVAULT_RATE_LIMITS":          func(c *Config) { c.RateLimits = "read=none" },
		"CARDVAULT_TRUSTED_PROXIES":      func(c *Config) { c.TrustedProxies = []string{"10.0.0.1"} },
		"CARDVAULT_DATABASE_MAX_CONNS":   func(c *Config) { c.DatabaseMaxConns = 1 },
		"CARDVAULT_CLOCK_TOLERANCE":      func(c *Config) { c.ClockTolerance = 0 },
		"CARDVAULT_WEBHOOK_RETRY_DELAYS": func(c *Config) { c.WebhookRetryDelays = nil },
		"CARDVAULT_WEBHOOK_TIMEOUT":      func(c *Config) { c.WebhookTimeout = 0 },
		"CARDVAULT_WEBHOOK_LEASE":        func(c *Config) { c.WebhookLease = 2*c.WebhookTimeout - 1 },
		"CARDVAULT_IDENTIFY_THRESHOLD":   func(c *Config) { c.IdentifyThreshold = 1.5 },
		"CARDVAULT_IDENTIFY_PROVIDERS":   func(c *Config) { c.IdentifyProviders = []string{"a"} },
		"CARDVAULT_SECRET_KEY":           func(c *Config) { c.SecretKey = "c2hvcnQ=" },
	} {
		c := good()
		spoil(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), variable) {
			t.Errorf("%s: %v", variable, err)
		}
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	if keys, err := (&Config{SecretKey: goodKey + ", " + goodKey}).Keys(); err != nil || len(keys) != 2 {
		t.Errorf("two keys: %d, %v", len(keys), err)
	}
	if _, err := (&Config{}).Keys(); err == nil {
		t.Error("production without a key was accepted")
	}
	if keys, err := (&Config{AllowPrivateNetworks: true}).Keys(); err != nil || len(keys) != 1 || len(keys[0]) != keySize {
		t.Errorf("development: %v, %v", keys, err)
	}
}

func TestPublic(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ addr, public, want string }{
		{":8080", "", "http://localhost:8080"}, {"127.0.0.1:9", "", "http://localhost:9"}, {"[::1]:80", "", "http://localhost:80"},
		{":8080", "https://vault.example/", "https://vault.example"}, {":8080", "vault.example", ""}, {":8080", "https://vault.example/api/", ""},
	} {
		got, err := (&Config{Addr: tc.addr, PublicURL: tc.public}).Public()
		if got != tc.want || (err != nil) != (tc.want == "") {
			t.Errorf("Public(%q, %q) = %q, %v", tc.addr, tc.public, got, err)
		}
	}
}

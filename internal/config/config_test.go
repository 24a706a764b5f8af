package config

import (
	"strings"
	"testing"
	"time"
)

const goodKey = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=" // 32 bytes

func validConfig() Config {
	return Config{
		DatabaseMaxConns: 4, ClockTolerance: time.Minute, Addr: ":8080", RateLimits: "read=60", SecretKey: goodKey,
		WebhookRetryDelays: []time.Duration{time.Second}, WebhookTimeout: time.Second, MarketPoll: time.Second,
		IdentifyProviders: []string{"a", "b"}, IdentifyThreshold: 0.85, IdentifyTimeout: time.Second,
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	c := validConfig()
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	for variable, invalidate := range map[string]func(*Config){
		"CARDVAULT_RATE_LIMITS":          func(c *Config) { c.RateLimits = "read=none" },
		"CARDVAULT_ACCOUNT_RATE_FACTOR":  func(c *Config) { c.AccountRateFactor = -1 },
		"CARDVAULT_QUOTAS":               func(c *Config) { c.Quotas = "cards=many" },
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
		t.Run(variable, func(t *testing.T) {
			t.Parallel()
			c := validConfig()
			invalidate(&c)
			if err := c.Validate(); err == nil || !strings.Contains(err.Error(), variable) {
				t.Errorf("Validate: got %v, want an error that names %s", err, variable)
			}
		})
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	if keys, err := (&Config{SecretKey: goodKey + ", " + goodKey}).Keys(); err != nil || len(keys) != 2 {
		t.Errorf("two keys: got %d, %v", len(keys), err)
	}
	if _, err := (&Config{}).Keys(); err == nil {
		t.Error("no key: got no error, want one because private networks are not allowed")
	}
	keys, err := (&Config{AllowPrivateNetworks: true}).Keys()
	if err != nil || len(keys) != 1 || len(keys[0]) != keySize {
		t.Errorf("no key, private networks allowed: got %v, %v, want the development key", keys, err)
	}
}

func TestPublic(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ addr, public, want string }{
		{":8080", "", "http://localhost:8080"},
		{"127.0.0.1:9", "", "http://localhost:9"},
		{"[::1]:80", "", "http://localhost:80"},
		{":8080", "https://vault.example/", "https://vault.example"},
		{":8080", "vault.example", ""},
		{":8080", "https://vault.example/api/", ""},
	} {
		t.Run(tc.addr+" "+tc.public, func(t *testing.T) {
			t.Parallel()
			got, err := (&Config{Addr: tc.addr, PublicURL: tc.public}).Public()
			if got != tc.want || (err != nil) != (tc.want == "") {
				t.Errorf("Public: got %q, %v, want %q", got, err, tc.want)
			}
		})
	}
}

// Package config is how the service is set up: one struct, filled from the environment and from
// flags of the same meaning, and checked as a whole. It opens nothing and connects to nothing.
package config

import (
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/ratelimit"
)

// Config holds every setting. The tags give each its flag, its variable and its help; lists are
// separated by commas.
type Config struct {
	DatabaseURL        string        `name:"database-url" env:"CARDVAULT_DATABASE_URL" placeholder:"URL" help:"PostgreSQL: a postgres:// URL or key=value pairs."`
	DatabaseMaxConns   int           `name:"database-max-conns" env:"CARDVAULT_DATABASE_MAX_CONNS" default:"24" help:"Connections to PostgreSQL at most, per process."`
	DatabaseUnprepared bool          `name:"database-unprepared" env:"CARDVAULT_DATABASE_UNPREPARED" help:"Use no named prepared statements, as poolers in transaction mode need."`
	GroupCommit        string        `name:"group-commit" env:"CARDVAULT_GROUP_COMMIT" default:"all" enum:"all,account,off" help:"Whose concurrent writes share a transaction: all accounts', those of one account (on a distributed PostgreSQL), or off."`
	ClockTolerance     time.Duration `name:"clock-tolerance" env:"CARDVAULT_CLOCK_TOLERANCE" default:"1m" help:"How far this machine's clock may be off the database's: servers and workers do not start, and are not ready, beyond it."`

	Addr           string   `name:"addr" env:"CARDVAULT_ADDR" default:":8080" help:"Where the API is served."`
	AdminAddr      string   `name:"admin-addr" env:"CARDVAULT_ADMIN_ADDR" default:"127.0.0.1:9090" help:"Where metrics, health and profiles are served: for operators alone."`
	PublicURL      string   `name:"public-url" env:"CARDVAULT_PUBLIC_URL" placeholder:"URL" help:"The address the outside reaches the service at, without /api: for the addresses of photos. Default: http://localhost and the port of --addr."`
	TrustedProxies []string `name:"trusted-proxies" env:"CARDVAULT_TRUSTED_PROXIES" placeholder:"CIDR,…" help:"Networks whose X-Forwarded-For is believed."`

	SecretKey            string `name:"secret-key" env:"CARDVAULT_SECRET_KEY" placeholder:"KEY,…" help:"32 bytes in base64: seals secrets and signs addresses and cursors. Required unless private networks are allowed. Older keys may follow, to open what they sealed."`
	AllowPrivateNetworks bool   `name:"allow-private-networks" env:"CARDVAULT_ALLOW_PRIVATE_NETWORKS" help:"Development only: webhooks and photos may use http and private addresses."`

	WebhookRetryDelays []time.Duration `name:"webhook-retry-delays" env:"CARDVAULT_WEBHOOK_RETRY_DELAYS" default:"30s,2m,10m,1h,6h,24h" help:"Pauses after the first, second, … failed attempt."`
	WebhookTimeout     time.Duration   `name:"webhook-timeout" env:"CARDVAULT_WEBHOOK_TIMEOUT" default:"10s" help:"For a whole exchange with an endpoint."`
	WebhookLease       time.Duration   `name:"webhook-lease" env:"CARDVAULT_WEBHOOK_LEASE" placeholder:"DURATION" help:"How long a delivery belongs to the process that took it up: a crashed process's are taken up again after it. Default: a minute, or twice --webhook-timeout where that is longer."`

	RateLimits string `name:"rate-limits" env:"CARDVAULT_RATE_LIMITS" default:"read=60,write=20,ai=5" help:"Requests a minute by class, of tokens without limits of their own."`
	RedisURL   string `name:"redis-url" env:"CARDVAULT_REDIS_URL" placeholder:"URL" help:"Count requests in Redis, for several processes together. Default: in process."`

	PhotoStore string `name:"photo-store" env:"CARDVAULT_PHOTO_STORE" default:".data/photos" help:"Where photos are kept: a directory, or s3://bucket?region=…&endpoint=…."`

	IdentifyProviders []string      `name:"identify-providers" env:"CARDVAULT_IDENTIFY_PROVIDERS" default:"fingerprint,ocr" help:"The two identification providers, in the order they are asked: fingerprint, ocr."`
	IdentifyThreshold float64       `name:"identify-threshold" env:"CARDVAULT_IDENTIFY_THRESHOLD" default:"0.85" help:"The confidence, 0 to 1, from which a result is accepted."`
	IdentifyTimeout   time.Duration `name:"identify-timeout" env:"CARDVAULT_IDENTIFY_TIMEOUT" default:"20s" help:"For one provider's answer."`

	MarketURL  string        `name:"market-url" env:"CARDVAULT_MARKET_URL" default:"http://127.0.0.1:8081" help:"Where the stand-in marketplace is."`
	MarketAddr string        `name:"market-addr" env:"CARDVAULT_MARKET_ADDR" default:"127.0.0.1:8081" help:"Where cardvault market serves the stand-in marketplace."`
	MarketPoll time.Duration `name:"market-poll" env:"CARDVAULT_MARKET_POLL" default:"30s" help:"How often sales and endings are asked for."`

	V2ShippedAt string `name:"v2-shipped-at" env:"CARDVAULT_V2_SHIPPED_AT" placeholder:"TIME" help:"When v2 of the API shipped, or will ship: a date or an RFC 3339 time. Once it is set, every answer of v1 announces v1's end."`
	V1SunsetAt  string `name:"v1-sunset-at" env:"CARDVAULT_V1_SUNSET_AT" placeholder:"TIME" help:"When v1 of the API may be switched off. Default, and the earliest: 12 months after --v2-shipped-at."`

	LogLevel string `name:"log-level" env:"CARDVAULT_LOG_LEVEL" default:"info" enum:"debug,info,warn,error" help:"The least level that is logged: debug, info, warn, error."`
}

// keySize is the length of a secret key, in bytes.
const keySize = 32

// developmentSecret stands in for a key where private networks are allowed: not a secret at all.
const developmentSecret = "cardvault development"

// Validate reports the first setting that cannot be used, by its variable.
func (c *Config) Validate() error {
	if _, err := ratelimit.ParseLimits(c.RateLimits); err != nil {
		return fmt.Errorf("CARDVAULT_RATE_LIMITS: %w", err)
	}
	if _, err := c.Proxies(); err != nil {
		return err
	}
	if _, _, err := c.EndOfV1(); err != nil {
		return err
	}
	switch {
	case c.DatabaseMaxConns < 4:
		return errors.New("CARDVAULT_DATABASE_MAX_CONNS: must be at least 4")
	case c.ClockTolerance <= 0:
		return errors.New("CARDVAULT_CLOCK_TOLERANCE: must be longer than 0, such as 1m")
	case len(c.WebhookRetryDelays) == 0:
		return errors.New("CARDVAULT_WEBHOOK_RETRY_DELAYS: must name at least one pause, such as 30s")
	case c.WebhookTimeout <= 0, c.IdentifyTimeout <= 0, c.MarketPoll <= 0:
		return errors.New("CARDVAULT_WEBHOOK_TIMEOUT, CARDVAULT_IDENTIFY_TIMEOUT and CARDVAULT_MARKET_POLL must be longer than 0")
	case c.WebhookLease != 0 && c.WebhookLease < 2*c.WebhookTimeout:
		return errors.New("CARDVAULT_WEBHOOK_LEASE: must be at least twice CARDVAULT_WEBHOOK_TIMEOUT")
	case c.IdentifyThreshold < 0 || c.IdentifyThreshold > 1:
		return errors.New("CARDVAULT_IDENTIFY_THRESHOLD: must be between 0 and 1")
	case len(c.IdentifyProviders) != 2:
		return errors.New("CARDVAULT_IDENTIFY_PROVIDERS: must name two providers, such as fingerprint,ocr")
	}
	if c.SecretKey != "" {
		_, err := c.Keys()
		return err
	}
	return nil
}

// Keys returns the secret keys of 32 bytes, the current one first. Without any it is an error,
// except where private networks are allowed.
func (c *Config) Keys() ([][]byte, error) {
	if c.SecretKey == "" && c.AllowPrivateNetworks {
		key, err := hkdf.Key(sha256.New, []byte(developmentSecret), nil, developmentSecret, keySize)
		return [][]byte{key}, err
	}
	if c.SecretKey == "" {
		return nil, errors.New("CARDVAULT_SECRET_KEY is not set; make a key with: head -c 32 /dev/urandom | base64")
	}
	var keys [][]byte
	for part := range strings.SplitSeq(c.SecretKey, ",") {
		key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(part))
		if err != nil || len(key) != keySize {
			return nil, errors.New("CARDVAULT_SECRET_KEY: must be 32 bytes in base64; make one with: head -c 32 /dev/urandom | base64")
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// Limits returns the parsed RateLimits; Validate has checked them.
func (c *Config) Limits() ratelimit.Limits {
	limits, _ := ratelimit.ParseLimits(c.RateLimits)
	return limits.Or(ratelimit.Defaults)
}

// Proxies returns the parsed TrustedProxies.
func (c *Config) Proxies() ([]netip.Prefix, error) {
	var list []netip.Prefix
	for _, text := range c.TrustedProxies {
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, fmt.Errorf("CARDVAULT_TRUSTED_PROXIES: %q is not a network such as 10.0.0.0/8", text)
		}
		list = append(list, prefix)
	}
	return list, nil
}

// Public returns the address the outside reaches the service at, without a trailing slash.
func (c *Config) Public() (string, error) {
	if c.PublicURL == "" {
		_, port, _ := strings.Cut(c.Addr[strings.LastIndexByte(c.Addr, ']')+1:], ":")
		return "http://localhost:" + port, nil
	}
	u, err := url.Parse(c.PublicURL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", errors.New("CARDVAULT_PUBLIC_URL: must be an address such as https://vault.example")
	}
	public := strings.TrimRight(c.PublicURL, "/")
	if strings.HasSuffix(public, "/api") { // which is where the API is below it
		return "", errors.New("CARDVAULT_PUBLIC_URL: leave out /api: photos and the documentation are not below it")
	}
	return public, nil
}

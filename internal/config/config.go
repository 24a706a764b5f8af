// Package config holds the settings of the service in one struct, which kong fills from environment variables and
// flags. Validate reads the files with secrets and checks all settings. The package opens no other files and no
// connections.
package config

import (
	"bytes"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/quota"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// Config holds every setting. The tags give each setting its environment variable and default, and its flag where that
// is not the field's name in kebab case. Lists are separated by commas. The help is in help.go.
type Config struct {
	DatabaseURL        string        `env:"CARDVAULT_DATABASE_URL" placeholder:"URL"`
	DatabaseURLFile    string        `env:"CARDVAULT_DATABASE_URL_FILE" placeholder:"FILE"`
	DatabaseMaxConns   int           `env:"CARDVAULT_DATABASE_MAX_CONNS" default:"24"`
	DatabaseUnprepared bool          `env:"CARDVAULT_DATABASE_UNPREPARED"`
	GroupCommit        string        `env:"CARDVAULT_GROUP_COMMIT" default:"all" enum:"all,account,off"`
	ClockTolerance     time.Duration `env:"CARDVAULT_CLOCK_TOLERANCE" default:"1m"`

	Addr           string   `env:"CARDVAULT_ADDR" default:":8080"`
	AdminAddr      string   `env:"CARDVAULT_ADMIN_ADDR" default:"127.0.0.1:9090"`
	AdminHosts     []string `env:"CARDVAULT_ADMIN_HOSTS" placeholder:"NAME,…"`
	PublicURL      string   `env:"CARDVAULT_PUBLIC_URL" placeholder:"URL"`
	TrustedProxies []string `env:"CARDVAULT_TRUSTED_PROXIES" placeholder:"CIDR,…"`

	SecretKey            string `env:"CARDVAULT_SECRET_KEY" placeholder:"KEY,…"`
	SecretKeyFile        string `env:"CARDVAULT_SECRET_KEY_FILE" placeholder:"FILE"`
	AllowPrivateNetworks bool   `env:"CARDVAULT_ALLOW_PRIVATE_NETWORKS"`

	OIDCIssuer           string `env:"CARDVAULT_OIDC_ISSUER" placeholder:"URL"`
	OIDCClientID         string `env:"CARDVAULT_OIDC_CLIENT_ID" placeholder:"ID"`
	OIDCClientSecret     string `env:"CARDVAULT_OIDC_CLIENT_SECRET" placeholder:"SECRET"`
	OIDCClientSecretFile string `env:"CARDVAULT_OIDC_CLIENT_SECRET_FILE" placeholder:"FILE"`
	OIDCLabel            string `env:"CARDVAULT_OIDC_LABEL" default:"Single sign-on"`

	WebhookRetryDelays []time.Duration `env:"CARDVAULT_WEBHOOK_RETRY_DELAYS" default:"30s,2m,10m,1h,6h,24h"`
	WebhookTimeout     time.Duration   `env:"CARDVAULT_WEBHOOK_TIMEOUT" default:"10s"`
	WebhookLease       time.Duration   `env:"CARDVAULT_WEBHOOK_LEASE" placeholder:"DURATION"`

	RateLimits string `env:"CARDVAULT_RATE_LIMITS" default:"read=60,write=20,ai=5"`
	// AccountRateFactor is 0 if accounts have no limit.
	AccountRateFactor int    `env:"CARDVAULT_ACCOUNT_RATE_FACTOR" default:"10"`
	RedisURL          string `env:"CARDVAULT_REDIS_URL" placeholder:"URL"`
	RedisURLFile      string `env:"CARDVAULT_REDIS_URL_FILE" placeholder:"FILE"`

	Quotas string `env:"CARDVAULT_QUOTAS" placeholder:"NAME=N,…"`

	PhotoStore string `env:"CARDVAULT_PHOTO_STORE" default:".data/photos"`

	IdentifyProviders []string      `env:"CARDVAULT_IDENTIFY_PROVIDERS" default:"fingerprint,ocr"`
	IdentifyThreshold float64       `env:"CARDVAULT_IDENTIFY_THRESHOLD" default:"0.85"`
	IdentifyTimeout   time.Duration `env:"CARDVAULT_IDENTIFY_TIMEOUT" default:"20s"`
	IdentifyWorkers   int           `env:"CARDVAULT_IDENTIFY_WORKERS" placeholder:"N"`

	IdentifyDailyLimit float64 `env:"CARDVAULT_IDENTIFY_DAILY_LIMIT" default:"5"`

	CardSightKey     string  `name:"cardsight-key" env:"CARDVAULT_CARDSIGHT_KEY" placeholder:"KEY"`
	CardSightKeyFile string  `name:"cardsight-key-file" env:"CARDVAULT_CARDSIGHT_KEY_FILE" placeholder:"FILE"`
	CardSightSegment string  `name:"cardsight-segment" env:"CARDVAULT_CARDSIGHT_SEGMENT" default:"baseball"`
	CardSightCost    float64 `name:"cardsight-cost" env:"CARDVAULT_CARDSIGHT_COST" default:"0.01"`
	CardSightURL     string  `name:"cardsight-url" env:"CARDVAULT_CARDSIGHT_URL" default:"https://api.cardsight.ai"`
	GeminiKey        string  `env:"CARDVAULT_GEMINI_KEY" placeholder:"KEY"`
	GeminiKeyFile    string  `env:"CARDVAULT_GEMINI_KEY_FILE" placeholder:"FILE"`
	GeminiModel      string  `env:"CARDVAULT_GEMINI_MODEL" default:"gemini-flash-latest"`
	GeminiCost       float64 `env:"CARDVAULT_GEMINI_COST" default:"0.01"`
	GeminiURL        string  `env:"CARDVAULT_GEMINI_URL" default:"https://generativelanguage.googleapis.com"`
	OpenAIKey        string  `name:"openai-key" env:"CARDVAULT_OPENAI_KEY" placeholder:"KEY"`
	OpenAIKeyFile    string  `name:"openai-key-file" env:"CARDVAULT_OPENAI_KEY_FILE" placeholder:"FILE"`
	OpenAIModel      string  `name:"openai-model" env:"CARDVAULT_OPENAI_MODEL" placeholder:"MODEL"`
	OpenAICost       float64 `name:"openai-cost" env:"CARDVAULT_OPENAI_COST" default:"0.01"`
	// OpenAIBaseURL may be the address of a compatible server.
	OpenAIBaseURL string `name:"openai-base-url" env:"CARDVAULT_OPENAI_BASE_URL" default:"https://api.openai.com/v1"`

	ShareFingerprints bool `env:"CARDVAULT_SHARE_FINGERPRINTS"`

	OCR         string `name:"ocr" env:"CARDVAULT_OCR" default:"auto" enum:"auto,neural,tesseract"`
	ModelsDir   string `env:"CARDVAULT_MODELS_DIR" default:".data/models"`
	ModelsIndex string `env:"CARDVAULT_MODELS_INDEX"`

	MarketURL   string        `env:"CARDVAULT_MARKET_URL" default:"http://127.0.0.1:8081"`
	MarketAddr  string        `env:"CARDVAULT_MARKET_ADDR" default:"127.0.0.1:8081"`
	MarketHosts []string      `env:"CARDVAULT_MARKET_HOSTS" placeholder:"NAME,…"`
	MarketPoll  time.Duration `env:"CARDVAULT_MARKET_POLL" default:"30s"`

	EbayClientID         string `env:"CARDVAULT_EBAY_CLIENT_ID" placeholder:"ID"`
	EbayClientSecret     string `env:"CARDVAULT_EBAY_CLIENT_SECRET" placeholder:"SECRET"`
	EbayClientSecretFile string `env:"CARDVAULT_EBAY_CLIENT_SECRET_FILE" placeholder:"FILE"`
	EbayRedirect         string `env:"CARDVAULT_EBAY_REDIRECT" placeholder:"RUNAME"`
	EbayEnvironment      string `env:"CARDVAULT_EBAY_ENVIRONMENT" default:"production"`
	EbayCallsPerDay      int    `env:"CARDVAULT_EBAY_CALLS_PER_DAY" default:"50000"`
	// EbayVerificationToken and EbayAlertEmail are for notifications of sales.
	EbayVerificationToken     string `env:"CARDVAULT_EBAY_VERIFICATION_TOKEN" placeholder:"TOKEN"`
	EbayVerificationTokenFile string `env:"CARDVAULT_EBAY_VERIFICATION_TOKEN_FILE" placeholder:"FILE"`
	EbayAlertEmail            string `env:"CARDVAULT_EBAY_ALERT_EMAIL" placeholder:"EMAIL"`

	V2ShippedAt string `name:"v2-shipped-at" env:"CARDVAULT_V2_SHIPPED_AT" placeholder:"TIME"`
	V1SunsetAt  string `name:"v1-sunset-at" env:"CARDVAULT_V1_SUNSET_AT" placeholder:"TIME"`

	LogLevel string `env:"CARDVAULT_LOG_LEVEL" default:"info" enum:"debug,info,warn,error"`

	warnings []string // of Validate
}

// maxRateFactor is far more than an operator needs. It keeps the limits of accounts within the range of integers.
const maxRateFactor = 1_000_000

// keySize is the length of a secret key, in bytes.
const keySize = 32

// developmentSecret replaces the secret key where private networks are allowed. It is public.
const developmentSecret = "cardvault development"

// The values of OCR.
const (
	OCRAuto      = "auto"
	OCRNeural    = "neural"
	OCRTesseract = "tesseract"
)

// identifyProviders is the number of identification providers. v1 of the contract fixes it: an outcome reports at most
// two attempts (maxItems of attempts in IdentifyOutcome and IdentifyFailedData), and identify.failed means that both
// providers failed.
const identifyProviders = 2

// Validate reads the files with secrets and returns an error for the first invalid setting. The error names the
// setting's variable.
func (c *Config) Validate() error {
	if err := c.readSecrets(); err != nil {
		return err
	}
	if _, err := ratelimit.ParseLimits(c.RateLimits); err != nil {
		return fmt.Errorf("CARDVAULT_RATE_LIMITS: %w", err)
	}
	if _, err := quota.Parse(c.Quotas); err != nil {
		return fmt.Errorf("CARDVAULT_QUOTAS: %w", err)
	}
	if _, err := c.Proxies(); err != nil {
		return err
	}
	if _, _, err := c.EndOfV1(); err != nil {
		return err
	}
	if err := c.checkOIDC(); err != nil {
		return err
	}
	if err := c.checkEbay(); err != nil {
		return err
	}
	if err := c.checkRemote(); err != nil {
		return err
	}
	switch {
	case c.AccountRateFactor < 0 || c.AccountRateFactor > maxRateFactor:
		return fmt.Errorf("CARDVAULT_ACCOUNT_RATE_FACTOR: must be 0 to %d", maxRateFactor)
	case c.DatabaseMaxConns < 4:
		return errors.New("CARDVAULT_DATABASE_MAX_CONNS: must be at least 4")
	case c.ClockTolerance <= 0:
		return errors.New("CARDVAULT_CLOCK_TOLERANCE: must be longer than 0, such as 1m")
	case len(c.WebhookRetryDelays) == 0:
		return errors.New("CARDVAULT_WEBHOOK_RETRY_DELAYS: must name at least one delay, such as 30s")
	case c.WebhookTimeout <= 0, c.IdentifyTimeout <= 0, c.MarketPoll <= 0:
		return errors.New("CARDVAULT_WEBHOOK_TIMEOUT, CARDVAULT_IDENTIFY_TIMEOUT and CARDVAULT_MARKET_POLL: " +
			"must be longer than 0, such as 10s")
	case c.WebhookLease != 0 && c.WebhookLease < 2*c.WebhookTimeout:
		return errors.New("CARDVAULT_WEBHOOK_LEASE: must be at least twice CARDVAULT_WEBHOOK_TIMEOUT")
	case c.IdentifyWorkers < 0:
		return errors.New("CARDVAULT_IDENTIFY_WORKERS: must be at least 1, or left out")
	case c.IdentifyThreshold < 0 || c.IdentifyThreshold > 1:
		return errors.New("CARDVAULT_IDENTIFY_THRESHOLD: must be between 0 and 1")
	case len(c.IdentifyProviders) != identifyProviders:
		return errors.New("CARDVAULT_IDENTIFY_PROVIDERS: must name two providers, such as fingerprint,ocr")
	}
	if c.SecretKey != "" || c.AllowPrivateNetworks {
		_, err := c.Keys()
		return err
	}
	return nil
}

// keyAdvice says how to make a secret key.
const keyAdvice = "make one with: head -c 32 /dev/urandom | base64"

// Keys returns the secret keys of 32 bytes, the current one first. It returns an error if there is none, unless private
// networks are allowed, and for the published development key unless clients reach the service without https.
func (c *Config) Keys() ([][]byte, error) {
	developmentKey, err := hkdf.Key(sha256.New, []byte(developmentSecret), nil, developmentSecret, keySize)
	if err != nil {
		return nil, err
	}
	keys := [][]byte{developmentKey}
	if c.SecretKey != "" {
		keys, err = parseKeys(c.SecretKey)
	} else if !c.AllowPrivateNetworks {
		err = errors.New("CARDVAULT_SECRET_KEY is not set; " + keyAdvice)
	}
	if err != nil {
		return nil, err
	}
	isPublished := func(key []byte) bool { return bytes.Equal(key, developmentKey) }
	if u, err := url.Parse(c.PublicURL); err == nil && u.Scheme == "https" && slices.ContainsFunc(keys, isPublished) {
		return nil, errPublishedKey
	}
	return keys, nil
}

func parseKeys(list string) (keys [][]byte, err error) {
	for part := range strings.SplitSeq(list, ",") {
		key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(part))
		if err != nil || len(key) != keySize {
			return nil, errors.New("CARDVAULT_SECRET_KEY: must be 32 bytes in base64; " + keyAdvice)
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

// AccountQuotas returns the parsed Quotas; Validate has checked them.
func (c *Config) AccountQuotas() quota.Limits {
	quotas, _ := quota.Parse(c.Quotas)
	return quotas.Or(quota.Defaults)
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

// Public returns the address at which clients reach the service, without a trailing slash.
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
	if strings.HasSuffix(public, "/api") {
		return "", errors.New("CARDVAULT_PUBLIC_URL: leave out /api: photos and the documentation are not below it")
	}
	return public, nil
}

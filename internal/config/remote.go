package config

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
)

// The names of the remote identification providers.
const (
	CardSight = "cardsight"
	Gemini    = "gemini"
	OpenAI    = "openai"
)

// BuiltInProviders are the identification providers that call no other company, in their default order. Sandbox
// accounts use no others.
var BuiltInProviders = []string{"fingerprint", "ocr"}

// openAIBaseURL is the default of OpenAIBaseURL.
const openAIBaseURL = "https://api.openai.com/v1"

// maxDollars limits amounts of money, so that a mistyped one is found.
const maxDollars = 1_000_000

// Identifies reports whether a provider is among IdentifyProviders.
func (c *Config) Identifies(provider string) bool {
	return slices.Contains(c.IdentifyProviders, provider)
}

// IdentifiesRemotely reports whether photos are sent to other companies.
func (c *Config) IdentifiesRemotely() bool {
	return slices.ContainsFunc([]string{CardSight, Gemini, OpenAI}, c.Identifies)
}

// SandboxProviders returns the identification providers of sandbox accounts: the configured ones, or the built-in ones
// if a configured one sends photos to another company.
func (c *Config) SandboxProviders() []string {
	if c.IdentifiesRemotely() {
		return BuiltInProviders
	}
	return c.IdentifyProviders
}

// checkRemote returns an error unless the settings of the remote providers that are used are valid. It sends no
// request.
func (c *Config) checkRemote() error {
	const because = ": must be set, because CARDVAULT_IDENTIFY_PROVIDERS names "
	switch {
	case c.Identifies(CardSight) && c.CardSightKey == "":
		return errors.New("CARDVAULT_CARDSIGHT_KEY" + because + CardSight)
	case c.Identifies(CardSight) && c.CardSightSegment == "":
		return errors.New("CARDVAULT_CARDSIGHT_SEGMENT: must be a segment of CardSight, such as baseball")
	case c.Identifies(Gemini) && c.GeminiKey == "":
		return errors.New("CARDVAULT_GEMINI_KEY" + because + Gemini)
	case c.Identifies(Gemini) && c.GeminiModel == "":
		return errors.New("CARDVAULT_GEMINI_MODEL: must name a model, such as gemini-flash-latest")
	case c.Identifies(OpenAI) && c.OpenAIKey == "" && c.OpenAIBaseURL == openAIBaseURL:
		return errors.New("CARDVAULT_OPENAI_KEY" + because + OpenAI +
			"; only a server of your own, CARDVAULT_OPENAI_BASE_URL, needs none")
	case c.Identifies(OpenAI) && c.OpenAIModel == "":
		return errors.New("CARDVAULT_OPENAI_MODEL" + because + OpenAI +
			"; use a model that reads pictures and answers by a JSON schema")
	}
	for variable, address := range map[string]string{
		"CARDVAULT_CARDSIGHT_URL": c.CardSightURL, "CARDVAULT_GEMINI_URL": c.GeminiURL,
		"CARDVAULT_OPENAI_BASE_URL": c.OpenAIBaseURL,
	} {
		if !isBaseURL(address) && c.IdentifiesRemotely() {
			return fmt.Errorf("%s: must be an address such as %s", variable, openAIBaseURL)
		}
	}
	for variable, dollars := range map[string]float64{
		"CARDVAULT_CARDSIGHT_COST": c.CardSightCost, "CARDVAULT_GEMINI_COST": c.GeminiCost,
		"CARDVAULT_OPENAI_COST": c.OpenAICost, "CARDVAULT_IDENTIFY_DAILY_LIMIT": c.IdentifyDailyLimit,
	} {
		if !(dollars >= 0 && dollars <= maxDollars) {
			return fmt.Errorf("%s: must be an amount in US dollars, 0 to %d, such as 0.01", variable, maxDollars)
		}
	}
	return nil
}

// isBaseURL reports whether an address can be the base URL of an API. It may be private and without TLS, because the
// operator chooses it.
func isBaseURL(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil &&
		u.RawQuery == "" && u.Fragment == ""
}

package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestConfig_CheckRemote(t *testing.T) {
	t.Parallel()
	const hush = "sk-hush"
	valid := func(change func(*Config)) Config {
		c := Config{
			IdentifyProviders: []string{Gemini, OpenAI}, GeminiKey: hush, GeminiModel: "m", OpenAIKey: hush,
			OpenAIModel: "m", OpenAIBaseURL: openAIBaseURL, GeminiURL: "https://g.example",
			CardSightURL: "https://c.example", CardSightSegment: "baseball", IdentifyDailyLimit: 5,
		}
		change(&c)
		return c
	}
	local := func(c *Config) { c.OpenAIKey, c.OpenAIBaseURL = "", "http://127.0.0.1:11434/v1" }
	for name, tc := range map[string]struct {
		change func(*Config)
		wrong  string // the variable that the error names; "" for none
	}{
		"both keys":             {func(*Config) {}, ""},
		"a server of one's own": {local, ""},
		"built in without keys": {func(c *Config) { *c = Config{IdentifyProviders: BuiltInProviders} }, ""},
		"no key of CardSight": {
			func(c *Config) { c.IdentifyProviders = []string{"ocr", CardSight} }, "CARDVAULT_CARDSIGHT_KEY",
		},
		"no segment": {func(c *Config) {
			c.IdentifyProviders, c.CardSightKey, c.CardSightSegment = []string{CardSight, "ocr"}, hush, ""
		}, "CARDVAULT_CARDSIGHT_SEGMENT"},
		"no key of Gemini":   {func(c *Config) { c.GeminiKey = "" }, "CARDVAULT_GEMINI_KEY"},
		"no model of Gemini": {func(c *Config) { c.GeminiModel = "" }, "CARDVAULT_GEMINI_MODEL"},
		"no key of OpenAI":   {func(c *Config) { c.OpenAIKey = "" }, "CARDVAULT_OPENAI_KEY"},
		"no model of OpenAI": {func(c *Config) { c.OpenAIModel = "" }, "CARDVAULT_OPENAI_MODEL"},
		"address with a password": {
			func(c *Config) { c.OpenAIBaseURL = "https://a:b@c" }, "CARDVAULT_OPENAI_BASE_URL",
		},
		"address without a scheme": {func(c *Config) { c.GeminiURL = "g.example" }, "CARDVAULT_GEMINI_URL"},
		"negative cost":            {func(c *Config) { c.GeminiCost = -1 }, "CARDVAULT_GEMINI_COST"},
		"negative limit":           {func(c *Config) { c.IdentifyDailyLimit = -1 }, "CARDVAULT_IDENTIFY_DAILY_LIMIT"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := valid(tc.change)
			err := c.checkRemote()
			if (err != nil) != (tc.wrong != "") || err != nil && !strings.Contains(err.Error(), tc.wrong) {
				t.Errorf("checkRemote: got %v, want an error about %q", err, tc.wrong)
			}
			if err != nil && strings.Contains(err.Error(), hush) {
				t.Errorf("checkRemote: the error contains a key: %v", err)
			}
		})
	}
}

func TestConfig_SandboxProviders(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ providers, want []string }{
		{[]string{"ocr", "fingerprint"}, []string{"ocr", "fingerprint"}},
		{[]string{"fingerprint", Gemini}, BuiltInProviders},
		{[]string{CardSight, OpenAI}, BuiltInProviders},
	} {
		c := Config{IdentifyProviders: tc.providers}
		if diff := cmp.Diff(tc.want, c.SandboxProviders()); diff != "" {
			t.Errorf("%v (-want +got):\n%s", tc.providers, diff)
		}
	}
}

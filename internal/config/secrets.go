package config

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/alecthomas/kong"
)

const (
	// fileSuffix is appended to the variable of a secret. The longer variable names a file that contains the secret.
	fileSuffix = "_FILE"
	// maxSecretFile is the maximum size of a file with a secret, in bytes. Secrets are much shorter.
	maxSecretFile = 64 << 10
	// readableByAll is the permission by which every user of the machine may read a file.
	readableByAll = 0o004
)

// secret is a setting whose value must not be shown. It is either set or in a file.
type secret struct {
	variable    string
	value, file *string
}

// secrets returns the settings whose values are secret.
func (c *Config) secrets() []secret {
	return []secret{
		{"CARDVAULT_DATABASE_URL", &c.DatabaseURL, &c.DatabaseURLFile},
		{"CARDVAULT_SECRET_KEY", &c.SecretKey, &c.SecretKeyFile},
		{"CARDVAULT_OIDC_CLIENT_SECRET", &c.OIDCClientSecret, &c.OIDCClientSecretFile},
		{"CARDVAULT_REDIS_URL", &c.RedisURL, &c.RedisURLFile},
		{"CARDVAULT_CARDSIGHT_KEY", &c.CardSightKey, &c.CardSightKeyFile},
		{"CARDVAULT_GEMINI_KEY", &c.GeminiKey, &c.GeminiKeyFile},
		{"CARDVAULT_OPENAI_KEY", &c.OpenAIKey, &c.OpenAIKeyFile},
		{"CARDVAULT_EBAY_CLIENT_SECRET", &c.EbayClientSecret, &c.EbayClientSecretFile},
		{"CARDVAULT_EBAY_VERIFICATION_TOKEN", &c.EbayVerificationToken, &c.EbayVerificationTokenFile},
	}
}

// readSecrets replaces the files of secrets by their contents.
func (c *Config) readSecrets() error {
	for _, s := range c.secrets() {
		if *s.file == "" {
			continue
		}
		variable := s.variable + fileSuffix
		if *s.value != "" {
			return fmt.Errorf("%s: must not be set, because %s is", variable, s.variable)
		}
		value, public, err := readSecret(*s.file)
		if err != nil {
			return fmt.Errorf("%s: %w", variable, err)
		}
		if public {
			c.warnings = append(c.warnings, fmt.Sprintf("%s: every user of this machine can read the secret in %s; "+
				"use chmod o= on the file", variable, *s.file))
		}
		*s.value, *s.file = value, ""
	}
	return nil
}

// readSecret returns the content of a file without the line break at its end, and whether every user of the machine can
// read the file.
func readSecret(path string) (value string, public bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", false, err
	}
	content, err := io.ReadAll(io.LimitReader(f, maxSecretFile+1))
	if err != nil {
		return "", false, err
	}
	if len(content) > maxSecretFile {
		return "", false, fmt.Errorf("the file %s is longer than %d bytes, so it is not a secret", path, maxSecretFile)
	}
	value = strings.TrimSuffix(strings.TrimSuffix(string(content), "\n"), "\r")
	if strings.TrimSpace(value) == "" {
		return "", false, fmt.Errorf("the file %s is empty", path)
	}
	return value, info.Mode().IsRegular() && info.Mode()&readableByAll != 0, nil
}

// Warnings returns advice for the operator, once Validate has read the settings.
func (c *Config) Warnings() []string { return c.warnings }

// isSecret reports whether a variable holds the value of a secret.
func isSecret(variable string) bool {
	for _, s := range new(Config).secrets() {
		if s.variable == variable {
			return true
		}
	}
	return false
}

// ShownSecrets returns a warning for each secret whose value is on the command line, where every user of the machine
// sees it. The next release refuses these flags.
func ShownSecrets(command *kong.Context) (warnings []string) {
	for _, part := range command.Path {
		if part.Flag == nil || part.Resolved {
			continue
		}
		for _, variable := range part.Flag.Envs {
			if isSecret(variable) {
				warnings = append(warnings, fmt.Sprintf("--%s shows a secret to every user of this machine, "+
					"and the next release refuses it; use --%s-file or %s%s",
					part.Flag.Name, part.Flag.Name, variable, fileSuffix))
			}
		}
	}
	return warnings
}

// errPublishedKey is the error of an installation that others can reach and whose secrets everybody can decrypt.
var errPublishedKey = errors.New("CARDVAULT_SECRET_KEY: must be a key of your own, because CARDVAULT_PUBLIC_URL is " +
	"an https address; the development key is published. " + keyAdvice)

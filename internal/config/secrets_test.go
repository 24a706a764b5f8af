package config

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

func secretFile(t *testing.T, content string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	return path
}

// Every secret is read from its file. The variable and the flag of the file are named after those of the value.
func TestValidate_ReadsSecretsFromFiles(t *testing.T) {
	t.Parallel()
	fields := reflect.TypeFor[Config]()
	secrets := new(Config).secrets()
	for i, s := range secrets {
		t.Run(s.variable, func(t *testing.T) {
			t.Parallel()
			var c Config
			parser := kong.Must(&c, kong.PostBuild(DescribeFlags))
			ofValue := func(f *kong.Flag) bool { return slices.Contains(f.Envs, s.variable) }
			flag := parser.Model.Flags[slices.IndexFunc(parser.Model.Flags, ofValue)]
			got := c.secrets()[i]
			*got.file = secretFile(t, " a secret,another \r\n", 0o600)
			if err := c.readSecrets(); err != nil || *got.value != " a secret,another " || len(c.Warnings()) != 0 {
				t.Errorf("readSecrets = %v, value %q, warnings %q", err, *got.value, c.Warnings())
			}
			if !flag.Hidden {
				t.Errorf("--%s is shown by help, though it takes a secret", flag.Name)
			}
			ofFile := func(f *kong.Flag) bool { return f.Name == flag.Name+"-file" && f.Envs[0] == s.variable+"_FILE" }
			if !slices.ContainsFunc(parser.Model.Flags, ofFile) {
				t.Errorf("there is no flag --%s-file with the variable %s_FILE", flag.Name, s.variable)
			}
		})
	}
	for i := range fields.NumField() {
		name := fields.Field(i).Tag.Get("env")
		suspicious := slices.ContainsFunc([]string{"_KEY", "_SECRET", "_TOKEN", "_PASSWORD"},
			func(suffix string) bool { return strings.HasSuffix(name, suffix) })
		if suspicious && !isSecret(name) {
			t.Errorf("%s looks like a secret and cannot be read from a file", name)
		}
	}
}

func TestValidate_RefusesSecretFile(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ path, value, want string }{
		"missing":              {"/nowhere/key", "", "no such file"},
		"a directory":          {t.TempDir(), "", "is a directory"},
		"empty":                {secretFile(t, "\n", 0o600), "", "is empty"},
		"too long":             {secretFile(t, strings.Repeat("k", maxSecretFile+1), 0o600), "", "longer than"},
		"beside the value":     {secretFile(t, goodKey, 0o600), goodKey, "because CARDVAULT_SECRET_KEY is"},
		"not a key of 32 byte": {secretFile(t, "c2hvcnQ=", 0o600), "", "must be 32 bytes in base64"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := validConfig()
			c.SecretKey, c.SecretKeyFile = tc.value, tc.path
			err := c.Validate()
			if err == nil {
				t.Fatal("Validate: got no error")
			}
			text := err.Error()
			if !strings.HasPrefix(text, "CARDVAULT_SECRET_KEY") || !strings.Contains(text, tc.want) {
				t.Errorf("Validate: got %q, want an error about CARDVAULT_SECRET_KEY with %q", text, tc.want)
			}
			if strings.Contains(text, "c2hvcnQ=") {
				t.Errorf("Validate: the error %q shows the secret", text)
			}
		})
	}
}

func TestValidate_WarnsOfReadableSecretFile(t *testing.T) {
	t.Parallel()
	c := validConfig()
	c.SecretKey, c.SecretKeyFile = "", secretFile(t, goodKey+"\n", 0o644)
	err := c.Validate()
	if err != nil || len(c.Warnings()) != 1 || !strings.Contains(c.Warnings()[0], "CARDVAULT_SECRET_KEY_FILE") {
		t.Errorf("Validate: %v, warnings %q, want one about CARDVAULT_SECRET_KEY_FILE", err, c.Warnings())
	}
}

func TestShownSecrets(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		args []string
		want string
	}{
		"a secret":         {[]string{"--gemini-key=AIza"}, "--gemini-key-file or CARDVAULT_GEMINI_KEY_FILE"},
		"a file":           {[]string{"--gemini-key-file", secretFile(t, "AIza", 0o600)}, ""},
		"no secret at all": {[]string{"--log-level=debug"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := Config{}
			parser := kong.Must(&c, kong.PostBuild(DescribeFlags))
			command, err := parser.Parse(append(tc.args, "--secret-key-file", secretFile(t, goodKey, 0o600)))
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Join(ShownSecrets(command), "\n")
			if !strings.Contains(got, tc.want) || (got == "") != (tc.want == "") || strings.Contains(got, "AIza") {
				t.Errorf("ShownSecrets(%q): got %q, want one with %q", tc.args, got, tc.want)
			}
		})
	}
}

// The development key is published, so an installation that others reach by https must not use it.
func TestKeys_RefusesPublishedKey(t *testing.T) {
	t.Parallel()
	published, err := (&Config{AllowPrivateNetworks: true}).Keys()
	if err != nil {
		t.Fatal(err)
	}
	text := base64.StdEncoding.EncodeToString(published[0])
	for name, tc := range map[string]struct {
		key, public string
		refused     bool
	}{
		"no key, https":            {"", "https://vault.example", true},
		"no key, HTTPS":            {"", "HTTPS://vault.example", true},
		"no key, http":             {"", "http://localhost:8080", false},
		"no key, no address":       {"", "", false},
		"published key, https":     {text, "https://vault.example", true},
		"published old key, https": {goodKey + "," + text, "https://vault.example", true},
		"own key, https":           {goodKey, "https://vault.example", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := validConfig()
			c.AllowPrivateNetworks, c.SecretKey, c.PublicURL = true, tc.key, tc.public
			if err := c.Validate(); (err != nil) != tc.refused {
				t.Errorf("Validate: got %v, want refused = %t", err, tc.refused)
			}
		})
	}
}

func TestConfig_Names(t *testing.T) {
	t.Parallel()
	c := Config{
		AdminAddr: "metrics.example:9090", AdminHosts: []string{"vault"},
		MarketAddr: ":8081", MarketURL: "http://market:8081", MarketHosts: []string{"shop"},
	}
	if got := c.AdminNames(); !slices.Equal(got, []string{"metrics.example", "vault"}) {
		t.Errorf("AdminNames: got %q", got)
	}
	if got := c.MarketNames(); !slices.Equal(got, []string{"shop", "market"}) {
		t.Errorf("MarketNames: got %q", got)
	}
}

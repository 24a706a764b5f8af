package processtest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// settings are the environment variables of a process.
type settings map[string]string

// newSettings returns the settings of a development server on free ports.
func newSettings(t testing.TB, databaseURL string) settings {
	t.Helper()
	return settings{
		"CARDVAULT_DATABASE_URL": databaseURL,
		"CARDVAULT_ADDR":         "127.0.0.1:0", "CARDVAULT_ADMIN_ADDR": "127.0.0.1:0",
		"CARDVAULT_SECRET_KEY":             base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32)),
		"CARDVAULT_ALLOW_PRIVATE_NETWORKS": "true",
		"CARDVAULT_PHOTO_STORE":            t.TempDir(),
	}
}

// with returns a copy with other variables added, given as name, value, name, value….
func (s settings) with(pairs ...string) settings {
	s = maps.Clone(s)
	for pair := range slices.Chunk(pairs, 2) {
		s[pair[0]] = pair[1]
	}
	return s
}

// foreign are the prefixes of variables of the developer's environment that the program does not get. GOGC and
// GOMEMLIMIT would replace its own settings of the garbage collector.
var foreign = []string{"CARDVAULT_", "OTEL_", "PG", "GOGC=", "GOMEMLIMIT="}

// command returns a command of the program with these settings, without those of the developer's environment.
func (s settings) command(args ...string) *exec.Cmd {
	command := exec.Command(binary, args...)
	command.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		return slices.ContainsFunc(foreign, func(prefix string) bool { return strings.HasPrefix(v, prefix) })
	})
	for name, value := range s {
		command.Env = append(command.Env, name+"="+value)
	}
	return command
}

// outcome is the result of a command that has ended.
type outcome struct {
	code           int
	stdout, stderr string
}

// failure returns an error unless the command succeeded.
func (o outcome) failure() error {
	if o.code == 0 {
		return nil
	}
	return fmt.Errorf("exit code %d: %s", o.code, o.stderr)
}

// run runs a command of the program and waits for its end.
func (s settings) run(t testing.TB, args ...string) outcome {
	t.Helper()
	command := s.command(args...)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := command.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return outcome{command.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// read runs a command that must succeed, and decodes the JSON object that it prints into dest.
func (s settings) read(t testing.TB, dest any, args ...string) {
	t.Helper()
	got := s.run(t, append(args, "--json")...)
	if got.code != 0 {
		t.Fatalf("cardvault %s: exit code %d: %s", strings.Join(args, " "), got.code, got.stderr)
	}
	if err := json.Unmarshal([]byte(got.stdout), dest); err != nil {
		t.Fatalf("cardvault %s: %v: %s", strings.Join(args, " "), err, got.stdout)
	}
}

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

// settings are the variables a process is started with.
type settings map[string]string

// newSettings are those of a development server on any free ports.
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

// with returns the settings and others, given as name, value, name, value…
func (s settings) with(pairs ...string) settings {
	s = maps.Clone(s)
	for pair := range slices.Chunk(pairs, 2) {
		s[pair[0]] = pair[1]
	}
	return s
}

// command prepares the program with these settings and none of the developer's own.
func (s settings) command(args ...string) *exec.Cmd {
	command := exec.Command(binary, args...)
	command.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "CARDVAULT_") || strings.HasPrefix(v, "OTEL_") || strings.HasPrefix(v, "PG")
	})
	command.Env = append(command.Env, "GORACE=atexit_sleep_ms=0") // a second for every command, else
	for name, value := range s {
		command.Env = append(command.Env, name+"="+value)
	}
	return command
}

// outcome is how a command that ended went.
type outcome struct {
	code           int
	stdout, stderr string
}

// failure is the error of a command that did not succeed.
func (o outcome) failure() error {
	if o.code == 0 {
		return nil
	}
	return fmt.Errorf("exit code %d: %s", o.code, o.stderr)
}

// run runs a command of the program to its end.
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

// read runs a command that must succeed and decodes the one JSON object that it prints.
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

// Package program builds cardvault for tests that run it as a process. It is not part of the program.
package program

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// ClockOffset is the environment variable that makes the clock of a program from Build wrong by a duration, such as
// "-700ms".
const ClockOffset = "CARDVAULT_TEST_CLOCK_OFFSET"

// Build builds the program into a folder and returns its path. The program has the additional file
// testdata/clock_offset.go. It has no race detector, which makes it several times slower: the tests of internal/e2e run
// the same code in their own process, which the race detector watches.
func Build(dir string) (path string, err error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	extra := filepath.Join(root, "cmd/cardvault/clock_offset.go")
	overlay, err := json.Marshal(map[string]map[string]string{
		"Replace": {extra: filepath.Join(root, "internal/e2e/program/testdata/clock_offset.go")},
	})
	if err != nil {
		return "", err
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		return "", err
	}
	path = filepath.Join(dir, "cardvault")
	build := exec.Command("go", "build", "-buildvcs=false", "-overlay", list, "-o", path,
		"github.com/cardvault/cardvault/cmd/cardvault")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build program: %w: %s", err, out)
	}
	return path, nil
}

// moduleRoot returns the folder of go.mod.
func moduleRoot() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("program: go list: %w", err)
	}
	return string(bytes.TrimSpace(out)), nil
}

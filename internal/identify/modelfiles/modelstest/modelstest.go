// Package modelstest finds the installed models for tests.
package modelstest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/cardvault/cardvault/internal/identify/modelfiles"
)

// Dir returns the folder with the models: CARDVAULT_MODELS_DIR, or else .data/models in the repository. The test fails
// if they are not installed.
func Dir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("CARDVAULT_MODELS_DIR")
	if dir == "" {
		top, err := os.Getwd()
		for ; err == nil; top = filepath.Dir(top) {
			if _, missing := os.Stat(filepath.Join(top, "go.mod")); missing == nil || top == filepath.Dir(top) {
				break
			}
		}
		dir = filepath.Join(top, ".data", "models")
	}
	if err := modelfiles.Find(dir); err != nil {
		t.Fatalf("%v (scripts/install.sh test installs them in %s)", err, dir)
	}
	return dir
}

// Package sharedtest finds the shared test material: photographs, catalogues and marketplace contracts that are too
// large, or not ours, to be part of the repository. It never copies any of it, and only tests import it.
package sharedtest

import (
	"os"
	"path/filepath"
	"testing"
)

// Path returns the path of a file or folder of the shared material, given relative to its top ("data/photos").
// The material is the folder that the environment variable CARDVAULT_SHARED names, else "shared" beside the
// repository. Where there is none, the test is skipped; where it is there but lacks rel, the test fails.
func Path(t testing.TB, rel string) string {
	t.Helper()
	top := os.Getenv("CARDVAULT_SHARED")
	if top == "" {
		top = filepath.Join(filepath.Dir(repository(t)), "shared")
	}
	if _, err := os.Stat(top); err != nil {
		t.Skipf("shared test material is absent: %v (CARDVAULT_SHARED names its folder)", err)
	}
	path := filepath.Join(top, filepath.FromSlash(rel))
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("shared test material is incomplete: %v", err)
	}
	return path
}

// repository returns the folder of go.mod, at or above the working directory: that of the package under test.
func repository(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatalf("sharedtest.repository: %v", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("sharedtest.repository: no go.mod at or above the working directory")
		}
		dir = parent
	}
}

// Package sharedtest finds the shared test material: photographs, catalogues and marketplace contracts that are too
// large, or not ours, to be part of the repository. It never copies any of it, and only tests import it.
package sharedtest

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Path returns the path of a file or folder of the shared material, given relative to its top ("data/photos").
// The material is the folder that the environment variable CARDVAULT_SHARED names, else "shared" beside the
// repository. Where there is none, the test is skipped; where it is there but lacks rel, the test fails.
func Path(t testing.TB, rel string) string {
	t.Helper()
	top, err := top()
	if err != nil {
		t.Fatalf("sharedtest.Path: %v", err)
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

// Find is Path for tests that run without the material too, with fewer checks.
func Find(rel string) (path string, found bool) {
	top, err := top()
	if err != nil {
		return "", false
	}
	path = filepath.Join(top, filepath.FromSlash(rel))
	_, err = os.Stat(path)
	return path, err == nil
}

// top returns the folder of the material, which need not exist.
func top() (string, error) {
	if top := os.Getenv("CARDVAULT_SHARED"); top != "" {
		return top, nil
	}
	repository, err := repository()
	return filepath.Join(filepath.Dir(repository), "shared"), err
}

// repository returns the folder of go.mod: the working directory, or the nearest folder above it.
func repository() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod at or above the working directory")
		}
		dir = parent
	}
}

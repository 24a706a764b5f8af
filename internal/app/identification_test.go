package app

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/modelfiles"
	"github.com/cardvault/cardvault/internal/identify/providers/remote"
)

// namedProvider is a provider that has only a name.
type namedProvider string

func (p namedProvider) Name() string { return string(p) }

func (namedProvider) Identify(context.Context, identify.Photo) ([]identify.Candidate, error) {
	return nil, nil
}

func TestConfiguredProviders(t *testing.T) {
	t.Parallel()
	known := map[string]func() (identify.Provider, error){}
	for _, name := range []string{"a", "b", "c"} {
		known[name] = func() (identify.Provider, error) { return namedProvider(name), nil }
	}
	for _, c := range []struct {
		name      string
		names     []string
		want      []identify.Provider
		wantError string
	}{
		{"in order", []string{"c", "a"}, []identify.Provider{namedProvider("c"), namedProvider("a")}, ""},
		{"unknown", []string{"x"}, nil,
			`CARDVAULT_IDENTIFY_PROVIDERS: there is no provider "x"; the providers are a, b, c`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := configuredProviders(c.names, known)
			message := ""
			if err != nil {
				message = err.Error()
			}
			if diff := cmp.Diff(c.wantError, message); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("providers (-want +got):\n%s", diff)
			}
		})
	}
}

// TestApp_Chains checks that sandbox accounts use built-in providers, whatever the others use.
func TestApp_Chains(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ configured, sandbox []string }{
		{[]string{"ocr", "fingerprint"}, []string{"ocr", "fingerprint"}},
		{[]string{"ocr", "gemini"}, []string{"fingerprint", "ocr"}},
		{[]string{"cardsight", "openai"}, []string{"fingerprint", "ocr"}},
	} {
		a := &App{remote: remote.NewMetrics(), Config: &config.Config{
			IdentifyProviders: tc.configured, OCR: config.OCRTesseract, GeminiKey: "k",
			GeminiURL: "https://gemini.example",
		}}
		live, sandbox, err := a.chains(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		names := func(c identify.Chain) (list []string) {
			for _, p := range c.Providers {
				list = append(list, p.Name())
			}
			return list
		}
		got, want := [][]string{names(live), names(sandbox)}, [][]string{tc.configured, tc.sandbox}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("live and sandbox providers (-want +got):\n%s", diff)
		}
	}
}

func TestOpenReaders(t *testing.T) {
	t.Parallel()
	empty, damaged := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(damaged, modelfiles.Recognition), []byte("cut"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ setting, dir, wantError string }{
		"automatic without models":     {config.OCRAuto, empty, ""},
		"neural without models":        {config.OCRNeural, empty, "run cardvault models install"},
		"automatic with a cut model":   {config.OCRAuto, damaged, modelfiles.Recognition + " is cut"},
		"neural with a cut model":      {config.OCRNeural, damaged, modelfiles.Recognition + " is cut"},
		"tesseract beside a cut model": {config.OCRTesseract, damaged, ""},
		"tesseract without models":     {config.OCRTesseract, empty, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := &App{Config: &config.Config{OCR: c.setting, ModelsDir: c.dir}}
			err := a.openReaders()
			switch {
			case c.wantError == "" && (err != nil || a.requestReaders != nil || a.backgroundReaders != nil):
				t.Errorf("got %v and readers %v, want none", err, a.requestReaders)
			case c.wantError != "" && (err == nil || !strings.Contains(err.Error(), c.wantError)):
				t.Errorf("error: got %v, want one with %q", err, c.wantError)
			}
		})
	}
}

package app

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/identify"
)

// namedProvider is a provider that has only a name.
type namedProvider string

func (p namedProvider) Name() string { return string(p) }

func (namedProvider) Identify(context.Context, identify.Photo) ([]identify.Candidate, error) {
	return nil, nil
}

func TestConfiguredProviders(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		names     []string
		want      []identify.Provider // all that are constructed
		wantError string
	}{
		{"in order", []string{"c", "a"}, []identify.Provider{namedProvider("c"), namedProvider("a")}, ""},
		{"unknown", []string{"x"}, nil,
			`CARDVAULT_IDENTIFY_PROVIDERS: there is no provider "x"; the providers are a, b, c`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var constructed []identify.Provider
			known := map[string]func() identify.Provider{}
			for _, name := range []string{"a", "b", "c"} {
				known[name] = func() identify.Provider {
					constructed = append(constructed, namedProvider(name))
					return namedProvider(name)
				}
			}
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
			if diff := cmp.Diff(c.want, constructed); diff != "" {
				t.Errorf("constructed providers (-want +got):\n%s", diff)
			}
		})
	}
}

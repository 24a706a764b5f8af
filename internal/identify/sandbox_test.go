package identify_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/identify"
)

// called is a provider that records the accounts for which it is called, and is sure.
type called struct {
	name     string
	accounts []string
}

func (c *called) Name() string { return c.name }

func (c *called) Identify(_ context.Context, photo identify.Photo) ([]identify.Candidate, error) {
	c.accounts = append(c.accounts, photo.AccountID)
	return []identify.Candidate{{Title: "Fox", Confidence: 1}}, nil
}

// TestService_SandboxUsesItsOwnChain identifies photos of a live account and of a sandbox account.
func TestService_SandboxUsesItsOwnChain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	sandbox, err := w.accounts.Create(t.Context(), "Sandbox", true)
	if err != nil {
		t.Fatal(err)
	}
	remote, builtIn := &called{name: "remote"}, &called{name: "built-in"}
	chain := func(p identify.Provider) identify.Chain {
		return identify.Chain{Threshold: 0.85, Timeout: time.Minute, Providers: []identify.Provider{p}}
	}
	service := identify.New(
		w.db, clock.System, chain(remote), chain(builtIn), w.accounts, w.cards, w, w.queues.Identifications)
	for account, provider := range map[string]string{w.account: "remote", sandbox.ID: "built-in"} {
		out, err := service.Photo(t.Context(), account, "https://example.com/photo.jpg", catalog.Hints{})
		if err != nil || out.Accepted == nil || out.Accepted.Provider != provider {
			t.Errorf("%s: got %+v, %v, want a card from %s", account, out, err, provider)
		}
	}
	got := [][]string{remote.accounts, builtIn.accounts}
	if diff := cmp.Diff([][]string{{w.account}, {sandbox.ID}}, got); diff != "" {
		t.Errorf("accounts of the calls (-want +got):\n%s", diff)
	}
	if got := service.Settings(sandbox).Providers; !cmp.Equal(got, []string{"built-in"}) {
		t.Errorf("providers of the sandbox account: got %v", got)
	}
}

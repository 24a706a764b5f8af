package app

import (
	"fmt"
	"log/slog"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/providers/fingerprint"
	"github.com/cardvault/cardvault/internal/identify/providers/ocr"
	"github.com/cardvault/cardvault/internal/identify/tesseract"
)

// photosAtOnce limits the photos held in memory for identification, each of which takes up to about 100 MB.
const photosAtOnce = 1

// slotWait is how long a photo waits for another one to be done: half of what a request may take.
const slotWait = 25 * time.Second

// chain returns the chain of the configured identification providers.
func (a *App) chain() (identify.Chain, error) {
	providers, err := configuredProviders(a.Config.IdentifyProviders, a.knownProviders())
	if err != nil {
		return identify.Chain{}, err
	}
	return identify.Chain{
		Providers: providers, Threshold: a.Config.IdentifyThreshold, Timeout: a.Config.IdentifyTimeout,
		Slots: semaphore.NewWeighted(photosAtOnce), Wait: slotWait,
	}, nil
}

// knownProviders returns a constructor for each provider, by name. Constructing one that uses Tesseract checks that it
// is installed, and logs a warning if not.
func (a *App) knownProviders() map[string]func() identify.Provider {
	reader := sync.OnceValue(func() *ocr.Provider {
		engine := tesseract.New(tesseract.Config{Concurrency: runtime.NumCPU()})
		if err := engine.Check(); err != nil {
			slog.Warn("cards cannot be read, so many will not be identified", "error", err)
		}
		return ocr.New(a.Catalog, engine)
	})
	return map[string]func() identify.Provider{
		ocr.Name: func() identify.Provider { return reader() },
		// It reads the collector number to tell reprints apart.
		fingerprint.Name: func() identify.Provider { return fingerprint.New(a.Catalog, reader()) },
	}
}

// configuredProviders constructs the providers with these names, in their order, and no others.
func configuredProviders(names []string, known map[string]func() identify.Provider) ([]identify.Provider, error) {
	providers := make([]identify.Provider, len(names))
	for i, name := range names {
		construct, ok := known[name]
		if !ok {
			return nil, fmt.Errorf("CARDVAULT_IDENTIFY_PROVIDERS: there is no provider %q; the providers are %s", name,
				strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
		providers[i] = construct()
	}
	return providers, nil
}

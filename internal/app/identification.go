package app

import (
	"fmt"
	"log/slog"
	"runtime"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/providers/fingerprint"
	"github.com/cardvault/cardvault/internal/identify/providers/ocr"
	"github.com/cardvault/cardvault/internal/identify/tesseract"
)

// photosAtOnce bounds the photos held in memory for identification, at about 100 MB each at worst.
const photosAtOnce = 1

// slotWait is how long a photo waits for one of them to be done: half of what a request may take.
const slotWait = 25 * time.Second

// chain returns the identification providers in the order configured.
func (a *App) chain() (identify.Chain, error) {
	engine := tesseract.New(tesseract.Config{Concurrency: runtime.NumCPU()})
	if err := engine.Check(); err != nil {
		slog.Warn("cards cannot be read, so many will not be identified", "error", err)
	}
	reader := ocr.New(a.Catalog, engine)
	known := map[string]identify.Provider{
		ocr.Name:         reader,
		fingerprint.Name: fingerprint.New(a.Catalog, reader), // reads the number to tell twins apart
	}
	chain := identify.Chain{
		Threshold: a.Config.IdentifyThreshold, Timeout: a.Config.IdentifyTimeout,
		Slots: semaphore.NewWeighted(photosAtOnce), Wait: slotWait,
	}
	for _, name := range a.Config.IdentifyProviders {
		provider, ok := known[name]
		if !ok {
			return identify.Chain{}, fmt.Errorf(
				"CARDVAULT_IDENTIFY_PROVIDERS: there is no provider %q; there are fingerprint and ocr", name)
		}
		chain.Providers = append(chain.Providers, provider)
	}
	return chain, nil
}

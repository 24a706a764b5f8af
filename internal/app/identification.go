package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/learned"
	"github.com/cardvault/cardvault/internal/identify/modelfiles"
	"github.com/cardvault/cardvault/internal/identify/photoreader"
	"github.com/cardvault/cardvault/internal/identify/providers/fingerprint"
	"github.com/cardvault/cardvault/internal/identify/providers/ocr"
	"github.com/cardvault/cardvault/internal/identify/tesseract"
)

// slotWait is how long a photo waits for another one to finish: half of a request's time limit.
const slotWait = 25 * time.Second

// chains returns the chain of the configured identification providers, and the chain of sandbox accounts, which uses
// built-in providers.
func (a *App) chains(ctx context.Context) (live, sandbox identify.Chain, err error) {
	catalogue := learned.NewCatalogue(a.Catalog, a.DB, a.Config.ShareFingerprints)
	if err := a.openReaders(); err != nil {
		return live, sandbox, err
	}
	read := a.textProvider(catalogue)
	makers := a.remoteProviders(ctx)
	makers[ocr.Name] = func() (identify.Provider, error) { return read, nil }
	// It reads the collector number to tell reprints apart.
	makers[fingerprint.Name] = func() (identify.Provider, error) { return fingerprint.New(catalogue, read), nil }
	live = identify.Chain{
		Threshold: a.Config.IdentifyThreshold, Timeout: a.Config.IdentifyTimeout,
		Requests: a.resources(a.requestReaders), Background: a.resources(a.backgroundReaders), Wait: slotWait,
	}
	sandbox = live
	if live.Providers, err = configuredProviders(a.Config.IdentifyProviders, makers); err != nil {
		return live, sandbox, err
	}
	sandbox.Providers, err = configuredProviders(a.Config.SandboxProviders(), makers)
	return live, sandbox, err
}

// maxIdentifyWorkers limits the default of CARDVAULT_IDENTIFY_WORKERS, because each photo takes up to 400 MB.
const maxIdentifyWorkers = 4

// identifyWorkers returns how many photos are identified at once in the background, and as many for requests.
func (a *App) identifyWorkers() int {
	if n := a.Config.IdentifyWorkers; n > 0 {
		return n
	}
	return max(min(runtime.NumCPU()-1, maxIdentifyWorkers), 1) // one is left for requests
}

// resources returns slots with the readers, which may be nil.
func (a *App) resources(readers *photoreader.Pool) identify.Resources {
	r := identify.Resources{Slots: identify.NewSlots(a.identifyWorkers())}
	if readers != nil {
		r.Reader = readers
	}
	return r
}

// textProvider returns the provider that reads text.
func (a *App) textProvider(catalogue *learned.Catalogue) *ocr.Provider {
	engine := tesseract.New(tesseract.Config{Concurrency: runtime.NumCPU()})
	if a.requestReaders == nil {
		if err := engine.Check(); err != nil {
			slog.Warn("cards cannot be read, so many will not be identified", "error", err)
		}
	}
	return ocr.New(catalogue, engine)
}

// openReaders makes the pools of processes that read photos, if the models are installed or CARDVAULT_OCR demands them.
// Damaged models are an error, because the operator expects them to work.
func (a *App) openReaders() error {
	if a.Config.OCR == config.OCRTesseract {
		return nil
	}
	err := modelfiles.Find(a.Config.ModelsDir)
	absent := errors.Is(err, modelfiles.ErrMissing) || errors.Is(err, modelfiles.ErrUnsupported)
	if absent && a.Config.OCR != config.OCRNeural {
		slog.Info("Tesseract reads the text on cards", "reason", err)
		return nil
	}
	if err != nil {
		return fmt.Errorf("CARDVAULT_OCR: %w", err)
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	readers := photoreader.Config{
		Command: []string{program, "read-photos", "--models-dir", a.Config.ModelsDir}, Size: a.identifyWorkers(),
	}
	a.requestReaders = photoreader.New(readers)
	readers.LowPriority = true
	a.backgroundReaders = photoreader.New(readers)
	return nil
}

// configuredProviders returns the providers with these names, in their order.
func configuredProviders(
	names []string, makers map[string]func() (identify.Provider, error),
) ([]identify.Provider, error) {
	providers := make([]identify.Provider, len(names))
	for i, name := range names {
		open, ok := makers[name]
		if !ok {
			return nil, fmt.Errorf("CARDVAULT_IDENTIFY_PROVIDERS: there is no provider %q; the providers are %s", name,
				strings.Join(slices.Sorted(maps.Keys(makers)), ", "))
		}
		var err error
		if providers[i], err = open(); err != nil {
			return nil, err
		}
	}
	return providers, nil
}

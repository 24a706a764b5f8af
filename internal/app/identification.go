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
	"github.com/cardvault/cardvault/internal/identify/providers/fingerprint"
	"github.com/cardvault/cardvault/internal/identify/providers/ocr"
	"github.com/cardvault/cardvault/internal/identify/tesseract"
	"github.com/cardvault/cardvault/internal/identify/textreader"
	"github.com/cardvault/cardvault/internal/models"
)

// slotWait is how long a photo waits for another one to be done: half of what a request may take.
const slotWait = 25 * time.Second

// chains returns the chain of the configured identification providers, and that of sandbox accounts, whose providers
// are built in.
func (a *App) chains(ctx context.Context) (live, sandbox identify.Chain, err error) {
	catalogue := learned.NewCatalogue(a.Catalog, a.DB, a.Config.ShareFingerprints)
	read, err := a.textProvider(catalogue)
	if err != nil {
		return live, sandbox, err
	}
	known := a.remoteProviders(ctx)
	known[ocr.Name] = func() (identify.Provider, error) { return read, nil }
	// It reads the collector number to tell reprints apart.
	known[fingerprint.Name] = func() (identify.Provider, error) { return fingerprint.New(catalogue, read), nil }
	live = identify.Chain{
		Threshold: a.Config.IdentifyThreshold, Timeout: a.Config.IdentifyTimeout,
		Slots: identify.NewSlots(a.identifyWorkers()), Wait: slotWait,
		Pixels: identify.NewSlots(runtime.GOMAXPROCS(0) - 1),
	}
	sandbox = live
	if live.Providers, err = configuredProviders(a.Config.IdentifyProviders, known); err != nil {
		return live, sandbox, err
	}
	sandbox.Providers, err = configuredProviders(a.Config.SandboxProviders(), known)
	return live, sandbox, err
}

// maxIdentifyWorkers limits the default of CARDVAULT_IDENTIFY_WORKERS, because each photo takes up to 400 MB.
const maxIdentifyWorkers = 4

// identifyWorkers returns how many photos are identified at once.
func (a *App) identifyWorkers() int {
	if n := a.Config.IdentifyWorkers; n > 0 {
		return n
	}
	return max(min(runtime.NumCPU()-1, maxIdentifyWorkers), 1) // one is left for requests
}

// textProvider returns the provider that reads text: with the models if they are installed, with Tesseract otherwise,
// or with what CARDVAULT_OCR names. Damaged models are an error, because the operator expects them to work.
func (a *App) textProvider(catalogue *learned.Catalogue) (*ocr.Provider, error) {
	engine := tesseract.New(tesseract.Config{Concurrency: runtime.NumCPU()})
	if a.Config.OCR != config.OCRTesseract {
		lines, err := a.textReader()
		if err == nil {
			return ocr.NewWithLines(catalogue, lines, engine), nil
		}
		absent := errors.Is(err, models.ErrMissing) || errors.Is(err, models.ErrUnsupported)
		if a.Config.OCR == config.OCRNeural || !absent {
			return nil, fmt.Errorf("CARDVAULT_OCR: %w", err)
		}
		slog.Info("Tesseract reads the text on cards", "reason", err)
	}
	if err := engine.Check(); err != nil {
		slog.Warn("cards cannot be read, so many will not be identified", "error", err)
	}
	return ocr.New(catalogue, engine), nil
}

// textReader returns the pool of processes that read text with the models. They run this program.
func (a *App) textReader() (*textreader.Pool, error) {
	if err := models.Find(a.Config.ModelsDir); err != nil {
		return nil, err
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	a.text = textreader.New(textreader.Config{
		Command: []string{program, "read-text", "--models-dir", a.Config.ModelsDir}, Size: a.identifyWorkers(),
	})
	return a.text, nil
}

// configuredProviders returns the providers with these names, in their order.
func configuredProviders(
	names []string, known map[string]func() (identify.Provider, error),
) ([]identify.Provider, error) {
	providers := make([]identify.Provider, len(names))
	for i, name := range names {
		open, ok := known[name]
		if !ok {
			return nil, fmt.Errorf("CARDVAULT_IDENTIFY_PROVIDERS: there is no provider %q; the providers are %s", name,
				strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
		var err error
		if providers[i], err = open(); err != nil {
			return nil, err
		}
	}
	return providers, nil
}

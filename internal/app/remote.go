package app

import (
	"context"
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/providers/cardsight"
	"github.com/cardvault/cardvault/internal/identify/providers/gemini"
	"github.com/cardvault/cardvault/internal/identify/providers/openai"
	"github.com/cardvault/cardvault/internal/identify/providers/remote"
	"github.com/cardvault/cardvault/internal/identify/spend"
)

// openRemote opens the budget of the remote identification providers, if there are any, and their metrics.
func (a *App) openRemote(context.Context) error {
	a.remote = remote.NewMetrics()
	if a.Config.IdentifiesRemotely() {
		a.Spend = spend.New(a.DB, spend.Dollars(a.Config.IdentifyDailyLimit))
	}
	return nil
}

// registerRemote registers the metrics of the remote providers, which both servers and workers use.
func (a *App) registerRemote(registry prometheus.Registerer) error {
	err := registry.Register(a.remote)
	if twice := (prometheus.AlreadyRegisteredError{}); errors.As(err, &twice) {
		return nil
	}
	return err
}

// remoteProviders returns the constructors of the remote identification providers, by name.
func (a *App) remoteProviders(ctx context.Context) map[string]func() (identify.Provider, error) {
	c := a.Config
	return map[string]func() (identify.Provider, error){
		config.CardSight: func() (identify.Provider, error) {
			return a.remoteProvider(config.CardSight, c.CardSightCost, cardsight.New(cardsight.Config{
				BaseURL: c.CardSightURL, Key: c.CardSightKey, Segment: c.CardSightSegment,
			})), nil
		},
		config.Gemini: func() (identify.Provider, error) {
			client, err := gemini.New(ctx, gemini.Config{BaseURL: c.GeminiURL, Key: c.GeminiKey, Model: c.GeminiModel})
			if err != nil {
				return nil, err
			}
			return a.remoteProvider(config.Gemini, c.GeminiCost, client), nil
		},
		config.OpenAI: func() (identify.Provider, error) {
			return a.remoteProvider(config.OpenAI, c.OpenAICost, openai.New(openai.Config{
				BaseURL: c.OpenAIBaseURL, Key: c.OpenAIKey, Model: c.OpenAIModel,
			})), nil
		},
	}
}

func (a *App) remoteProvider(name string, dollars float64, client remote.Client) identify.Provider {
	return remote.New(remote.Config{
		Name: name, Client: client, Catalogue: a.Catalog, Budget: a.Spend, Cost: spend.Dollars(dollars),
		Threshold: a.Config.IdentifyThreshold, Metrics: a.remote,
	})
}

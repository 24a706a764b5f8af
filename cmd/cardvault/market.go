package main

import (
	"context"
	"log/slog"

	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/sandboxmarket"
)

// marketCmd serves the sandbox marketplace in a process of its own. To the service it is another company's system.
type marketCmd struct {
	DailyCalls int64 `help:"Calls of the API that a seller may make in a day." default:"2000000"`
}

// Run implements the command.
func (cmd marketCmd) Run(ctx context.Context, c *config.Config) error {
	app.SetUpLog(c.LogLevel)
	db, err := app.OpenDatabase(ctx, c)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := sandboxmarket.Migrate(ctx, db); err != nil {
		return err
	}
	market := sandboxmarket.New(db, slog.Default(), sandboxmarket.WithDailyCalls(cmd.DailyCalls))
	handler := api.RequireHost("CARDVAULT_MARKET_HOSTS", c.MarketNames(), market)
	server := api.NewServer(c.MarketAddr, "CARDVAULT_MARKET_ADDR", handler, slog.Default())
	if err := server.Listen(); err != nil {
		return err
	}
	if err := market.Start(ctx); err != nil {
		return err
	}
	defer func() {
		stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), app.DrainTime)
		defer cancel()
		market.Stop(stopping)
	}()
	slog.Info("serving the sandbox marketplace", "address", server.Addr())
	return app.ServeAll(ctx, server)
}

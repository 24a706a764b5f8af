package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/cards/csvfile"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/sales/orderfile"
)

type salesCmd struct {
	Import salesImportCmd `cmd:"" help:"Import a marketplace's report of orders, all or none. Safe to repeat."`
}

type salesImportCmd struct {
	output
	Account  string `required:"" help:"The account whose cards were sold."`
	Format   string `required:"" enum:"ebay,tcgplayer" help:"The marketplace: ${enum}."`
	File     string `arg:"" help:"eBay's orders or transaction report, or TCGplayer's pull sheet; - is standard input."`
	Orders   string `type:"existingfile" placeholder:"FILE" help:"TCGplayer: the order list, with the amounts."`
	Currency string `help:"eBay: the currency of amounts that name none. Default: the currency of the account."`
	Partial  bool   `help:"Import the lines without problems, and list the others."`
}

// Run implements the command.
func (cmd salesImportCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return app.With(ctx, c, func(a *app.App) error {
		account, err := a.Accounts.Get(ctx, cmd.Account)
		if err != nil {
			return err
		}
		services, err := a.Services(ctx)
		if err != nil {
			return err
		}
		report, err := cmd.run(ctx, a.OrderFiles(services), account)
		if err != nil {
			return cmd.explain(t, report, err)
		}
		cmd.printProblems(t, cmd.File, &report.Problems)
		return cmd.print(t, report, cmd.summary(report))
	})
}

func (cmd salesImportCmd) run(
	ctx context.Context, files *orderfile.Service, account accounts.Account,
) (report orderfile.Report, err error) {
	file, err := openInput(cmd.File)
	if err != nil {
		return report, err
	}
	defer file.Close()
	o := orderfile.Options{Format: cmd.Format, Currency: cmd.Currency, Partial: cmd.Partial}
	if cmd.Orders != "" {
		orders, err := openInput(cmd.Orders)
		if err != nil {
			return report, err
		}
		defer orders.Close()
		o.OrderList = orders
	}
	return files.Import(ctx, account, file, o)
}

// explain prints a line for each problem of the files and returns the error to report.
func (cmd salesImportCmd) explain(t *terminal, r orderfile.Report, err error) error {
	var problems *csvfile.Problems
	if !errors.As(err, &problems) {
		if r.Sales > 0 {
			fmt.Fprintf(t.err, "%d sales were recorded before the error. Import the file again.\n", r.Sales)
		}
		return err
	}
	file := cmd.File
	if errors.As(err, new(*orderfile.OrderListError)) {
		file = cmd.Orders
	}
	cmd.printProblems(t, file, problems)
	return fmt.Errorf("nothing was imported; problems in %s: %d", file, problems.Total)
}

func (cmd salesImportCmd) printProblems(t *terminal, file string, problems *csvfile.Problems) {
	for _, p := range problems.List {
		fmt.Fprintf(t.err, "%s: %s\n", file, p)
	}
	if more := problems.Total - len(problems.List); more > 0 {
		fmt.Fprintf(t.err, "and %d more\n", more)
	}
}

func (cmd salesImportCmd) summary(r orderfile.Report) string {
	text := fmt.Sprintf("%d sales of %d orders recorded, %d were recorded before.", r.Sales, r.Orders, r.Known)
	if r.Connected > 0 {
		text += fmt.Sprintf(" %d lines are of listings that CardVault published, and follows by itself.", r.Connected)
	}
	if r.Ignored > 0 {
		text += fmt.Sprintf(" %d rows are not sales.", r.Ignored)
	}
	if r.Problems.Total > 0 {
		text += fmt.Sprintf(" %d lines were left out.", r.Problems.Total)
	}
	return text
}

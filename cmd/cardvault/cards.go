package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/cards/csvfile"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/config"
)

type cardsCmd struct {
	Import cardsImportCmd `cmd:"" help:"Import cards from a CSV file, all or none. Exit code 3: workers finish it."`
	Export cardsExportCmd `cmd:"" help:"Export cards as a CSV file."`
}

type cardsImportCmd struct {
	output
	Account    string `required:"" help:"The account that the cards are imported into."`
	File       string `arg:"" help:"The CSV file; - is standard input."`
	Photos     string `type:"existingdir" placeholder:"DIR" help:"The folder of the photos that the file names."`
	Batch      string `placeholder:"NAME" help:"The open batch for new cards. Created if it does not exist."`
	Currency   string `help:"The currency of prices that name none. Default: the currency of the account."`
	OnConflict string `default:"update" enum:"error,skip,update" help:"For rows whose card exists: ${enum}."`
	MatchSKU   bool   `name:"match-sku" help:"Find existing cards by SKU too, not only by card_id and external_id."`

	HintGame     string `placeholder:"GAME" help:"Game of the cards on the photos. Only its cards are considered."`
	HintSet      string `placeholder:"SET" help:"Name or code of the set. Its cards come first."`
	HintLanguage string `placeholder:"TAG" help:"Language of the cards, such as ja. Its cards come first."`
}

// Run implements the command.
func (cmd cardsImportCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return app.With(ctx, c, func(a *app.App) error {
		account, err := a.Accounts.Get(ctx, cmd.Account)
		if err != nil {
			return err
		}
		file, err := openInput(cmd.File)
		if err != nil {
			return err
		}
		defer file.Close()
		options := csvfile.ImportOptions{
			Options: csvfile.Options{Currency: cmd.Currency, MatchSKU: cmd.MatchSKU},
			Photos:  cmd.Photos, Batch: cmd.Batch, OnConflict: cards.OnConflict(cmd.OnConflict),
			Hints: catalog.Hints{Game: cmd.HintGame, Set: cmd.HintSet, Language: cmd.HintLanguage},
		}
		report, err := a.CSVFiles().Import(ctx, account.ID, file, options, t.progress("Importing cards"))
		if err != nil {
			return cmd.explain(t, err)
		}
		if err := cmd.print(t, report, cmd.summary(report)); err != nil || len(report.Refused) == 0 {
			return err
		}
		for _, row := range report.Refused {
			fmt.Fprintf(t.err, "%s: line %d: %s\n", cmd.File, row.Line, row.Message)
		}
		return errors.New("some rows were not applied, for the reasons above")
	})
}

// explain prints a line for each problem of the file and returns the error to report.
func (cmd cardsImportCmd) explain(t *terminal, err error) error {
	var incomplete *csvfile.UnfinishedError
	if errors.As(err, &incomplete) {
		return unfinishedError{incomplete.Error()}
	}
	var problems *csvfile.Problems
	if !errors.As(err, &problems) {
		return err
	}
	for _, p := range problems.List {
		fmt.Fprintf(t.err, "%s: %s\n", cmd.File, p)
	}
	return fmt.Errorf("nothing was imported; problems in %s: %d", cmd.File, problems.Total)
}

func (cmd cardsImportCmd) summary(r csvfile.Report) string {
	text := fmt.Sprintf("%d cards imported, %d photos.", r.Cards, r.Photos)
	if r.Updated+r.Unchanged > 0 {
		text += fmt.Sprintf(" %d existing cards updated, %d unchanged.", r.Updated, r.Unchanged)
	}
	if r.Skipped > 0 {
		text += fmt.Sprintf(" %d rows without cards.", r.Skipped)
	}
	if len(r.Ignored) > 0 {
		text += " Columns not used: " + strings.Join(r.Ignored, ", ") + "."
	}
	return text
}

func openInput(path string) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(os.Stdin), nil
	}
	return os.Open(path)
}

type cardsExportCmd struct {
	Account string   `required:"" help:"The account whose cards are exported."`
	Out     string   `short:"o" default:"-" placeholder:"FILE" help:"The file to write. Default: standard output."`
	Status  []string `placeholder:"STATUS,…" enum:"${statuses}" help:"Only cards with these workflow statuses."`
}

// statuses returns the workflow statuses in the form of kong's enumerations: separated by commas.
func statuses() string {
	names := make([]string, len(cards.Statuses))
	for i, status := range cards.Statuses {
		names[i] = string(status)
	}
	return strings.Join(names, ",")
}

// Run implements the command.
func (cmd cardsExportCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return app.With(ctx, c, func(a *app.App) error {
		account, err := a.Accounts.Get(ctx, cmd.Account)
		if err != nil {
			return err
		}
		filter := cards.Filter{}
		for _, s := range cmd.Status {
			filter.Statuses = append(filter.Statuses, cards.Status(s))
		}
		n := 0
		err = writeFile(cmd.Out, t.out, func(w io.Writer) (err error) {
			n, err = a.CSVFiles().Export(ctx, w, account.ID, filter, nil)
			return err
		})
		if err != nil || cmd.Out == "-" {
			return err
		}
		_, err = fmt.Fprintf(t.err, "%d cards exported to %s.\n", n, cmd.Out)
		return err
	})
}

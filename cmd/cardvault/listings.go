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
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/listings/listingfile"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

type listingsCmd struct {
	Export listingsExportCmd `cmd:"" help:"Export cards as a file that a marketplace takes for new listings."`
}

type listingsExportCmd struct {
	Account string   `required:"" help:"The account whose cards are exported."`
	Format  string   `required:"" enum:"ebay,tcgplayer" help:"The marketplace: ${enum}."`
	Out     string   `short:"o" default:"-" placeholder:"FILE" help:"The file to write. Default: standard output."`
	Status  []string `enum:"${statuses}" default:"photographed" help:"Only cards with these workflow statuses."`

	Site           string `enum:",${sites}" default:"" help:"eBay: ${sites}. Default: by the account's currency."`
	Location       string `help:"eBay: where the cards are, a town or a postal code."`
	ShippingPolicy string `placeholder:"NAME" help:"eBay: the shipping policy."`
	ReturnPolicy   string `placeholder:"NAME" help:"eBay: the return policy."`
	PaymentPolicy  string `placeholder:"NAME" help:"eBay: the payment policy."`
}

// sites returns the identifiers of eBay's sites in the form of kong's enumerations.
func sites() string {
	var ids []string
	for _, site := range wire.Sites() {
		ids = append(ids, site.ID)
	}
	return strings.Join(ids, ",")
}

// options returns how the cards of an account with the currency are exported.
func (cmd listingsExportCmd) options(currency string) listingfile.Options {
	o := listingfile.Options{Format: cmd.Format, Ebay: listingfile.EbayOptions{
		Location: cmd.Location, ShippingPolicy: cmd.ShippingPolicy, ReturnPolicy: cmd.ReturnPolicy,
		PaymentPolicy: cmd.PaymentPolicy,
	}}
	var named bool
	if o.Ebay.Site, named = wire.FindSite(cmd.Site); !named {
		o.Ebay.Site = wire.SiteOf(currency)
	}
	for _, s := range cmd.Status {
		o.Filter.Statuses = append(o.Filter.Statuses, cards.Status(s))
	}
	return o
}

// Run implements the command.
func (cmd listingsExportCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return app.With(ctx, c, func(a *app.App) error {
		account, err := a.Accounts.Get(ctx, cmd.Account)
		if err != nil {
			return err
		}
		var report listingfile.Report
		err = writeFile(cmd.Out, t.out, func(w io.Writer) (err error) {
			report, err = a.ListingFiles().Export(ctx, w, account.ID, cmd.options(account.Currency))
			return err
		})
		if err != nil {
			return err
		}
		for _, skip := range report.Reasons {
			fmt.Fprintf(t.err, "%s: %s\n", skip.CardID, skip.Reason)
		}
		_, err = fmt.Fprintf(t.err, "%d cards exported, %d left out.\n", report.Cards, report.Skipped)
		return err
	})
}

// writeFile calls write with a file, or with stdout if path is "-". The file gets its name when it is complete, so that
// a failure leaves no partial file.
func writeFile(path string, stdout io.Writer, write func(io.Writer) error) error {
	if path == "-" {
		return write(stdout)
	}
	part := path + ".part"
	file, err := os.Create(part)
	if err != nil {
		return err
	}
	defer os.Remove(part)
	if err := errors.Join(write(file), file.Close()); err != nil {
		return err
	}
	return os.Rename(part, path)
}

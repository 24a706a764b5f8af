package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/marketplaces/callbudget"
	"github.com/cardvault/cardvault/internal/marketplaces/connections"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay"
)

type marketplaceCmd struct {
	Connect    marketplaceConnectCmd    `cmd:"" help:"Connect an account to eBay, with the seller's consent."`
	Status     marketplaceStatusCmd     `cmd:"" help:"Show an account's connection to eBay."`
	Subscribe  marketplaceSubscribeCmd  `cmd:"" help:"Make eBay notify this server of an account's sales."`
	Disconnect marketplaceDisconnectCmd `cmd:"" help:"Delete CardVault's access to the seller's eBay account."`
	GiveUp     marketplaceGiveUpCmd     `cmd:"" help:"End the listings of a seller whose eBay account is lost."`
}

// onConnection is a command about the connection of one account.
type onConnection struct {
	output
	Account string `required:"" help:"The account."`
}

// run calls do with the service and the account's identifier.
func (cmd onConnection) run(
	ctx context.Context, c *config.Config, do func(a *app.App, accountID string, sandbox bool) error,
) error {
	if !c.SellsOnEbay() {
		return usageError{"this server has no keys for eBay: set CARDVAULT_EBAY_CLIENT_ID, " +
			"CARDVAULT_EBAY_CLIENT_SECRET and CARDVAULT_EBAY_REDIRECT"}
	}
	return app.With(ctx, c, func(a *app.App) error {
		account, err := a.Accounts.Get(ctx, cmd.Account)
		if err != nil {
			return err
		}
		return do(a, account.ID, account.Sandbox)
	})
}

// shownConnection is a connection as the commands print it.
type shownConnection struct {
	AccountID           string     `json:"account_id"`
	Marketplace         string     `json:"marketplace"`
	State               string     `json:"state"`
	Site                string     `json:"site"`
	Location            string     `json:"location"`
	FulfillmentPolicyID string     `json:"fulfillment_policy_id"`
	PaymentPolicyID     string     `json:"payment_policy_id"`
	ReturnPolicyID      string     `json:"return_policy_id"`
	ConnectedAt         *time.Time `json:"connected_at"`
	ExpiresAt           *time.Time `json:"expires_at"`
	EndedAt             *time.Time `json:"ended_at"`
	// CallsToday is how many calls the account has made today, of how many.
	CallsToday callbudget.Day `json:"calls_today"`
}

// printConnection prints a connection, and the settings that are still to be chosen.
func (o output) printConnection(
	ctx context.Context, a *app.App, t *terminal, accountID string, c connections.Connection,
) error {
	calls, err := a.Ebay.Calls(ctx, accountID)
	if err != nil {
		return err
	}
	shown := shownConnection{
		AccountID: accountID, Marketplace: c.Marketplace, State: string(c.State), Site: c.Site, Location: c.LocationKey,
		FulfillmentPolicyID: c.FulfillmentPolicyID, PaymentPolicyID: c.PaymentPolicyID,
		ReturnPolicyID: c.ReturnPolicyID,
		ConnectedAt:    optionalTime(c.ConnectedAt), ExpiresAt: optionalTime(c.ExpiresAt), EndedAt: c.EndedAt,
		CallsToday: calls,
	}
	text := fmt.Sprintf("Account %s: %s, %s", accountID, c.Marketplace, c.State)
	switch {
	case c.State == connections.None:
	case c.State != connections.Connected:
		text += fmt.Sprintf(" (%s).", c.Site)
	default:
		text += fmt.Sprintf(" (%s), until %s. %d of %d calls today.", c.Site, c.ExpiresAt.Format(time.DateOnly),
			calls.Calls, calls.PerDay)
		if c.LocationKey == "" || !c.HasPolicies() {
			text += "\nAn owner has to choose where to ship from and the policies, at Settings, Marketplaces."
		}
	}
	return o.print(t, shown, text)
}

func optionalTime(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	return &at
}

type marketplaceConnectCmd struct {
	onConnection
	Site   string `default:"EBAY_US" enum:"EBAY_US,EBAY_GB,EBAY_DE,EBAY_AU,EBAY_CA" help:"The site: ${enum}."`
	Answer string `placeholder:"URL" help:"The address to which eBay sent the seller, from the same command before."`
}

// Run implements the command.
func (cmd marketplaceConnectCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return cmd.run(ctx, c, func(a *app.App, accountID string, sandbox bool) error {
		if sandbox {
			return usageError{"sandbox accounts sell on the sandbox marketplace only"}
		}
		if cmd.Answer != "" {
			return cmd.complete(ctx, a, t, accountID, cmd.Answer)
		}
		address, err := a.Connections.Begin(ctx, accountID, cmd.Site)
		if err != nil {
			return err
		}
		text := "Open this address, log in as the seller and consent:\n" + address +
			"\nThen eBay leads to a page whose address begins with that of this server. "
		if cmd.JSON || !term.IsTerminal(int(os.Stdin.Fd())) {
			return cmd.print(t, map[string]string{"account_id": accountID, "url": address},
				text+"Give it to this command with --answer, within 15 minutes.")
		}
		fmt.Fprintln(t.err, text+"Paste it here within 15 minutes:")
		answer, err := readLine(os.Stdin)
		if err != nil {
			return err
		}
		return cmd.complete(ctx, a, t, accountID, answer)
	})
}

// maxAnswer is the maximum number of bytes that are read as an answer.
const maxAnswer = 8192

func readLine(from io.Reader) (string, error) {
	line, err := bufio.NewReader(io.LimitReader(from, maxAnswer)).ReadString('\n')
	if err != nil && (err != io.EOF || line == "") {
		return "", usageError{"standard input has no address"}
	}
	return line, nil
}

// complete connects the account with the answer that the address contains.
func (cmd marketplaceConnectCmd) complete(
	ctx context.Context, a *app.App, t *terminal, accountID, address string,
) error {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Query().Get("state") == "" {
		return usageError{"the answer must be the whole address of the page, with its code and state"}
	}
	c, err := a.Connections.Complete(ctx, accountID, u.Query())
	if err != nil {
		return err
	}
	if with, err := a.Ebay.UseDefaults(ctx, accountID); err == nil {
		c = with
	} else {
		fmt.Fprintf(t.err, "The settings could not be read from eBay: %s\n", plain(err))
	}
	if err := a.Ebay.Subscribe(ctx, accountID); err != nil {
		fmt.Fprintf(t.err, "eBay does not notify of sales, which are found by polling: %s\n", plain(err))
	}
	return cmd.printConnection(ctx, a, t, accountID, c)
}

type marketplaceStatusCmd struct{ onConnection }

// Run implements the command.
func (cmd marketplaceStatusCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return cmd.run(ctx, c, func(a *app.App, accountID string, _ bool) error {
		rows, err := a.Connections.Find(ctx, accountID)
		if err != nil {
			return err
		}
		return cmd.printConnection(ctx, a, t, accountID, rows)
	})
}

type marketplaceSubscribeCmd struct{ onConnection }

// Run implements the command. Connecting an account subscribes it too.
func (cmd marketplaceSubscribeCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	if !c.NotifiedByEbay() {
		return usageError{"set CARDVAULT_EBAY_VERIFICATION_TOKEN and CARDVAULT_EBAY_ALERT_EMAIL"}
	}
	return cmd.run(ctx, c, func(a *app.App, accountID string, _ bool) error {
		if err := a.Ebay.Subscribe(ctx, accountID); err != nil {
			return err
		}
		return cmd.print(t, map[string]any{"account_id": accountID, "subscribed": true},
			"eBay notifies this server of the sales of account "+accountID+".")
	})
}

type marketplaceDisconnectCmd struct{ onConnection }

// Run implements the command.
func (cmd marketplaceDisconnectCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return cmd.run(ctx, c, func(a *app.App, accountID string, _ bool) error {
		if err := a.Connections.Disconnect(ctx, accountID); err != nil {
			return err
		}
		rows, err := a.Connections.Find(ctx, accountID)
		if err != nil {
			return err
		}
		return cmd.printConnection(ctx, a, t, accountID, rows)
	})
}

type marketplaceGiveUpCmd struct{ onConnection }

// Run implements the command. Workers end the listings.
func (cmd marketplaceGiveUpCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return cmd.run(ctx, c, func(a *app.App, accountID string, _ bool) error {
		rows, err := a.Connections.Find(ctx, accountID)
		if err != nil {
			return err
		}
		if rows.State == connections.Connected {
			return usageError{"the account is connected to eBay, so its listings can be ended: disconnect it first"}
		}
		services, err := a.Services(ctx)
		if err != nil {
			return err
		}
		n, err := services.Listings.GiveUp(ctx, accountID, ebay.Name)
		if err != nil {
			return err
		}
		return cmd.print(t, map[string]any{"account_id": accountID, "given_up": n},
			fmt.Sprintf("Account %s: %d listings are given up. They end within a moment.", accountID, n))
	})
}

package main

import (
	"bufio"
	"context"
	"encoding/json"
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
	"github.com/cardvault/cardvault/internal/marketplaces/registry"
)

type marketplaceCmd struct {
	Connect    marketplaceConnectCmd    `cmd:"" help:"Connect an account to a marketplace, with the seller's consent."`
	Status     marketplaceStatusCmd     `cmd:"" help:"Show an account's connection to a marketplace."`
	Subscribe  marketplaceSubscribeCmd  `cmd:"" help:"Make a marketplace notify this server of an account's sales."`
	Disconnect marketplaceDisconnectCmd `cmd:"" help:"Delete CardVault's access to the seller's account."`
	GiveUp     marketplaceGiveUpCmd     `cmd:"" help:"End the listings of a seller whose account is lost."`
}

// onConnection is a command about the connection of one account.
type onConnection struct {
	output
	Account     string `required:"" help:"The account."`
	Marketplace string `placeholder:"NAME" help:"The marketplace. Default: the only one to which accounts connect."`
}

// connecting is what a command about a connection works with.
type connecting struct {
	*app.App
	registry.Market
	accountID string
	sandbox   bool
}

func (c connecting) connections() *connections.Service { return c.Connector.Connections() }

// run calls do with the service, the marketplace and the account.
func (cmd onConnection) run(ctx context.Context, c *config.Config, do func(on connecting) error) error {
	return app.With(ctx, c, func(a *app.App) error {
		market, err := cmd.market(a.Markets)
		if err != nil {
			return err
		}
		account, err := a.Accounts.Get(ctx, cmd.Account)
		if err != nil {
			return err
		}
		return do(connecting{a, market, account.ID, account.Sandbox})
	})
}

// market returns the marketplace of the command.
func (cmd onConnection) market(markets registry.Markets) (registry.Market, error) {
	all := markets.Connectable()
	if cmd.Marketplace != "" || len(all) != 1 {
		market, ok := all.Find(cmd.Marketplace)
		if !ok {
			return market, usageError{"--marketplace must be one of " + strings.Join(all.Names(), ", ")}
		}
		all = registry.Markets{market}
	}
	if !all[0].Available() {
		return all[0], usageError{"this server has no keys for " + all[0].Label + ": set " + all[0].Connect.Variables}
	}
	return all[0], nil
}

// shownConnection is a connection as the commands print it.
type shownConnection struct {
	AccountID   string     `json:"account_id"`
	Marketplace string     `json:"marketplace"`
	State       string     `json:"state"`
	Site        string     `json:"site"`
	ConnectedAt *time.Time `json:"connected_at"`
	ExpiresAt   *time.Time `json:"expires_at"`
	EndedAt     *time.Time `json:"ended_at"`
	// CallsToday is how many calls the account has made today, of how many.
	CallsToday *callbudget.Day   `json:"calls_today,omitempty"`
	settings   map[string]string // are fields of the JSON too
}

// MarshalJSON adds the settings of the marketplace.
func (c shownConnection) MarshalJSON() ([]byte, error) {
	type plain shownConnection
	text, err := json.Marshal(plain(c))
	if err != nil {
		return nil, err
	}
	all := map[string]any{}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	for name, value := range c.settings {
		all[name] = value
	}
	return json.Marshal(all)
}

// printConnection prints a connection, and the settings that are still to be chosen.
func (o output) printConnection(ctx context.Context, t *terminal, on connecting, c connections.Connection) error {
	shown := shownConnection{
		AccountID: on.accountID, Marketplace: c.Marketplace, State: string(c.State), Site: c.Site,
		ConnectedAt: optionalTime(c.ConnectedAt), ExpiresAt: optionalTime(c.ExpiresAt), EndedAt: c.EndedAt,
		settings: on.Connector.Settings(c),
	}
	text := fmt.Sprintf("Account %s: %s, %s", on.accountID, c.Marketplace, c.State)
	if c.Site != "" {
		text += fmt.Sprintf(" (%s)", c.Site)
	}
	if c.State == connections.Connected {
		text += fmt.Sprintf(", until %s", c.ExpiresAt.Format(time.DateOnly))
	}
	if c.State != connections.None {
		text += "."
	}
	if on.Budget != nil {
		calls, err := on.Budget.Today(ctx, on.accountID)
		if err != nil {
			return err
		}
		shown.CallsToday = &calls
		if c.State == connections.Connected {
			text += fmt.Sprintf(" %d of %d calls today.", calls.Calls, calls.PerDay)
		}
	}
	if c.State == connections.Connected && !on.Connector.Complete(c) {
		text += "\n" + on.Connect.Incomplete
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
	Site   string            `help:"The marketplace's site, such as EBAY_DE. Default: the first of its sites."`
	Set    map[string]string `placeholder:"NAME=VALUE" help:"Other values that the marketplace needs."`
	Answer string            `placeholder:"URL" help:"Where the seller was sent, from the same command before."`
}

// values returns the values with which the account is connected.
func (cmd marketplaceConnectCmd) values(fields []registry.Field) registry.Values {
	values := registry.Values{}
	for _, field := range fields {
		if len(field.Options) > 0 {
			values[field.Name] = field.Options[0].Value
		}
		if value, ok := cmd.Set[field.Name]; ok {
			values[field.Name] = value
		}
	}
	if cmd.Site != "" {
		values[registry.Site] = cmd.Site
	}
	return values
}

// Run implements the command.
func (cmd marketplaceConnectCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return cmd.run(ctx, c, func(on connecting) error {
		if on.sandbox {
			return usageError{"sandbox accounts sell on the sandbox marketplace only"}
		}
		if cmd.Answer != "" {
			return cmd.complete(ctx, t, on, cmd.Answer)
		}
		address, err := on.Connector.Begin(ctx, on.accountID, cmd.values(on.Connect.Fields))
		if err != nil {
			return err
		}
		if address == "" {
			return cmd.connected(ctx, t, on)
		}
		text := "Open this address, log in as the seller and consent:\n" + address +
			"\nThen " + on.Label + " leads to a page whose address begins with that of this server. "
		if cmd.JSON || !term.IsTerminal(int(os.Stdin.Fd())) {
			return cmd.print(t, map[string]string{"account_id": on.accountID, "url": address},
				text+"Give it to this command with --answer, within 15 minutes.")
		}
		fmt.Fprintln(t.err, text+"Paste it here within 15 minutes:")
		answer, err := readLine(os.Stdin)
		if err != nil {
			return err
		}
		return cmd.complete(ctx, t, on, answer)
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
func (cmd marketplaceConnectCmd) complete(ctx context.Context, t *terminal, on connecting, address string) error {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Query().Get("state") == "" {
		return usageError{"the answer must be the whole address of the page, with its code and state"}
	}
	if _, err := on.connections().Complete(ctx, on.accountID, u.Query()); err != nil {
		return err
	}
	return cmd.connected(ctx, t, on)
}

// connected prepares an account that was connected just now and prints its connection.
func (cmd marketplaceConnectCmd) connected(ctx context.Context, t *terminal, on connecting) error {
	for _, warning := range on.Connector.Connected(ctx, on.accountID) {
		fmt.Fprintf(t.err, "%s: %s\n", warning.Text, plain(warning.Err))
	}
	return cmd.printFound(ctx, t, on)
}

// printFound prints the connection as it is now.
func (cmd onConnection) printFound(ctx context.Context, t *terminal, on connecting) error {
	connection, err := on.connections().Find(ctx, on.accountID)
	if err != nil {
		return err
	}
	return cmd.printConnection(ctx, t, on, connection)
}

type marketplaceStatusCmd struct{ onConnection }

// Run implements the command.
func (cmd marketplaceStatusCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return cmd.run(ctx, c, func(on connecting) error { return cmd.printFound(ctx, t, on) })
}

type marketplaceSubscribeCmd struct{ onConnection }

// Run implements the command. Connecting an account subscribes it too.
func (cmd marketplaceSubscribeCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return cmd.run(ctx, c, func(on connecting) error {
		if on.Subscribe == nil {
			return usageError{on.Connect.NoNotifications}
		}
		if err := on.Subscribe(ctx, on.accountID); err != nil {
			return err
		}
		return cmd.print(t, map[string]any{"account_id": on.accountID, "subscribed": true},
			on.Label+" notifies this server of the sales of account "+on.accountID+".")
	})
}

type marketplaceDisconnectCmd struct{ onConnection }

// Run implements the command.
func (cmd marketplaceDisconnectCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return cmd.run(ctx, c, func(on connecting) error {
		if err := on.connections().Disconnect(ctx, on.accountID); err != nil {
			return err
		}
		return cmd.printFound(ctx, t, on)
	})
}

type marketplaceGiveUpCmd struct{ onConnection }

// Run implements the command. Workers end the listings.
func (cmd marketplaceGiveUpCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return cmd.run(ctx, c, func(on connecting) error {
		connection, err := on.connections().Find(ctx, on.accountID)
		if err != nil {
			return err
		}
		if connection.State == connections.Connected {
			return usageError{"the account is connected to " + on.Label +
				", so its listings can be ended: disconnect it first"}
		}
		services, err := on.Services(ctx)
		if err != nil {
			return err
		}
		n, err := services.Listings.GiveUp(ctx, on.accountID, on.Name)
		if err != nil {
			return err
		}
		return cmd.print(t, map[string]any{"account_id": on.accountID, "given_up": n},
			fmt.Sprintf("Account %s: %d listings are given up. They end within a moment.", on.accountID, n))
	})
}

package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/timestamp"
	"github.com/cardvault/cardvault/internal/webhooks"
)

type webhookCmd struct {
	Register     webhookRegisterCmd     `cmd:"" help:"Register an endpoint; its secret is shown once."`
	List         webhookListCmd         `cmd:"" help:"List endpoints."`
	RotateSecret webhookRotateSecretCmd `cmd:"" help:"Give an endpoint a new secret. For a time, both secrets sign."`
	EndSecret    webhookEndSecretCmd    `cmd:"" help:"End the grace period of a previous secret now."`
	Disable      webhookDisableCmd      `cmd:"" help:"Stop sending to an endpoint. Deliveries wait 90 days at most."`
	Enable       webhookEnableCmd       `cmd:"" help:"Send to an endpoint again."`
	Delete       webhookDeleteCmd       `cmd:"" help:"Delete an endpoint and drop its pending deliveries."`
	Deliveries   webhookDeliveriesCmd   `cmd:"" help:"List deliveries, newest first."`
	Listen       webhookListenCmd       `cmd:"" help:"Receive and print events on this machine, for development."`
	Test         webhookTestCmd         `cmd:"" help:"Send an example event to an endpoint."`
	Resend       webhookResendCmd       `cmd:"" help:"Send one delivery again, or many since a time."`
	Reencrypt    webhookReencryptCmd    `cmd:"" name:"re-encrypt" help:"Encrypt all secrets with the current key."`
}

// owned is embedded by commands about an endpoint or a delivery of one account.
type owned struct {
	Account string `help:"The account it belongs to. Default: search all accounts."`
}

// things names the objects of the commands, by the code of the error for a missing object.
var things = map[fault.Code]string{fault.EndpointNotFound: "endpoint", fault.DeliveryNotFound: "delivery"}

// each calls do for the given account. Without one, it calls do for each account until do returns no error or one other
// than notFound.
func (o owned) each(
	ctx context.Context, a *app.App, notFound fault.Code, thingID string, do func(accountID string) error,
) error {
	if o.Account != "" {
		account, err := a.Accounts.Get(ctx, o.Account)
		if err != nil {
			return err
		}
		err = do(account.ID)
		if fault.Is(err, notFound) {
			return fault.New(notFound, "no webhook %s %s in this account", things[notFound], thingID)
		}
		return err
	}
	all, err := a.Accounts.List(ctx)
	if err != nil {
		return err
	}
	for _, account := range all {
		if err := do(account.ID); err == nil || !fault.Is(err, notFound) {
			return err
		}
	}
	return fault.New(notFound, "no webhook %s %s in any account", things[notFound], thingID)
}

// shownSecret is an endpoint with its new secret, as the command prints it.
type shownSecret struct {
	ID        string `json:"id"`
	AccountID string `json:"account_id"`
	URL       string `json:"url"`
	Secret    string `json:"secret"`
}

func (o output) printSecret(t *terminal, e webhooks.Endpoint, secret string) error {
	shown := shownSecret{ID: e.ID, AccountID: e.AccountID, URL: e.URL, Secret: secret}
	return o.print(t, shown, fmt.Sprintf("Endpoint %s, %s. Its secret, shown once:\n%s", e.ID, e.URL, secret))
}

type webhookRegisterCmd struct {
	output
	Account string   `required:"" help:"The account whose events are sent."`
	URL     string   `name:"url" required:"" help:"The address to send to: https, not in a private network."`
	Events  []string `placeholder:"KIND,…" help:"Only these kinds; else the steps of the workflow."`
}

// Run implements the command.
func (cmd webhookRegisterCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	var kinds []events.Kind
	for _, kind := range cmd.Events {
		kinds = append(kinds, events.Kind(kind))
	}
	return app.With(ctx, c, func(a *app.App) error {
		account, err := a.Accounts.Get(ctx, cmd.Account)
		if err != nil {
			return err
		}
		endpoint, secret, err := a.Endpoints.Register(ctx, account.ID, cmd.URL, kinds)
		if err != nil {
			return err
		}
		return cmd.printSecret(t, endpoint, secret)
	})
}

type webhookListCmd struct {
	output
	Account string `help:"Only this account's."`
}

// Run implements the command.
func (cmd webhookListCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return app.With(ctx, c, func(a *app.App) error {
		all, err := perAccount(ctx, a, cmd.Account, a.Endpoints.List)
		if err != nil {
			return err
		}
		const header = "ENDPOINT\tACCOUNT\tENABLED\tEVENTS\tURL\tPREVIOUS SECRETS"
		return list(cmd.output, t, all, header, func(e webhooks.Endpoint) string {
			return fmt.Sprintf("%s\t%s\t%v\t%s\t%s\t%s",
				e.ID, e.AccountID, e.Enabled, kindsText(e.Events), e.URL, previousText(e.SigningSecrets(time.Now())))
		})
	})
}

func kindsText(kinds []events.Kind) string {
	if len(kinds) == 0 {
		return "all"
	}
	names := make([]string, len(kinds))
	for i, kind := range kinds {
		names[i] = string(kind)
	}
	return strings.Join(names, ",")
}

// previousText names the previous secrets that still sign.
func previousText(previous []webhooks.PreviousSecret) string {
	if len(previous) == 0 {
		return "none"
	}
	texts := make([]string, len(previous))
	for i, p := range previous {
		texts[i] = p.ID + " until " + timestamp.Format(p.ExpiresAt)
	}
	return strings.Join(texts, ", ")
}

// perAccount collects the results of get for one account, or for all accounts.
func perAccount[T any](
	ctx context.Context, a *app.App, accountID string, get func(context.Context, string) ([]T, error),
) ([]T, error) {
	if accountID != "" {
		account, err := a.Accounts.Get(ctx, accountID)
		if err != nil {
			return nil, err
		}
		return get(ctx, account.ID)
	}
	all, err := a.Accounts.List(ctx)
	if err != nil {
		return nil, err
	}
	var c []T
	for _, account := range all {
		part, err := get(ctx, account.ID)
		if err != nil {
			return nil, err
		}
		c = append(c, part...)
	}
	return c, nil
}

type webhookRotateSecretCmd struct {
	output
	owned
	ID    string        `arg:"" help:"The endpoint's identifier, whe_…"`
	Grace time.Duration `default:"24h" help:"How long the old secret signs as well."`
}

// Run implements the command.
func (cmd webhookRotateSecretCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return app.With(ctx, c, func(a *app.App) error {
		return cmd.each(ctx, a, fault.EndpointNotFound, cmd.ID, func(accountID string) error {
			secret, err := a.Endpoints.RotateSecret(ctx, accountID, cmd.ID, cmd.Grace)
			if err != nil {
				return err
			}
			e, err := a.Endpoints.Get(ctx, accountID, cmd.ID)
			if err != nil {
				return err
			}
			return cmd.printSecret(t, e, secret)
		})
	})
}

type webhookEndSecretCmd struct {
	onEndpoint
	Secret string `arg:"" help:"The identifier of the previous secret, whs_…, from the list of endpoints."`
}

// Run implements the command.
func (cmd webhookEndSecretCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	end := func(endpoints *webhooks.Endpoints, ctx context.Context, accountID, endpointID string) error {
		return endpoints.EndSecret(ctx, accountID, endpointID, cmd.Secret)
	}
	return cmd.run(ctx, c, t, "gets no more signatures by "+cmd.Secret, end)
}

// onEndpoint is a command that does one thing to one endpoint.
type onEndpoint struct {
	output
	owned
	ID string `arg:"" help:"The endpoint's identifier, whe_…"`
}

// run calls do, a method of webhooks.Endpoints, for the endpoint and prints the endpoint's new state.
func (cmd onEndpoint) run(
	ctx context.Context, c *config.Config, t *terminal, state string,
	do func(endpoints *webhooks.Endpoints, ctx context.Context, accountID, endpointID string) error,
) error {
	return app.With(ctx, c, func(a *app.App) error {
		return cmd.each(ctx, a, fault.EndpointNotFound, cmd.ID, func(accountID string) error {
			if err := do(a.Endpoints, ctx, accountID, cmd.ID); err != nil {
				return err
			}
			shown := map[string]string{"id": cmd.ID, "account_id": accountID}
			return cmd.print(t, shown, fmt.Sprintf("Endpoint %s %s.", cmd.ID, state))
		})
	})
}

type webhookDisableCmd struct{ onEndpoint }

// Run implements the command.
func (cmd webhookDisableCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return cmd.run(ctx, c, t, "is disabled", (*webhooks.Endpoints).Disable)
}

type webhookEnableCmd struct{ onEndpoint }

// Run implements the command.
func (cmd webhookEnableCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return cmd.run(ctx, c, t, "is enabled", (*webhooks.Endpoints).Enable)
}

type webhookDeleteCmd struct{ onEndpoint }

// Run implements the command.
func (cmd webhookDeleteCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return cmd.run(ctx, c, t, "is deleted", (*webhooks.Endpoints).Delete)
}

type webhookDeliveriesCmd struct {
	output
	Account  string `help:"Only this account's."`
	State    string `help:"Only deliveries in this state: pending, delivered or dropped."`
	Endpoint string `help:"Only this endpoint's."`
	Limit    int    `default:"50" help:"Deliveries of each account at most."`
}

// Run implements the command.
func (cmd webhookDeliveriesCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return app.With(ctx, c, func(a *app.App) error {
		get := func(ctx context.Context, accountID string) ([]webhooks.Delivery, error) {
			return cmd.deliveries(ctx, a, accountID)
		}
		rows, err := perAccount(ctx, a, cmd.Account, get)
		if err != nil {
			return err
		}
		const header = "DELIVERY\tEVENT\tENDPOINT\tSTATE\tATTEMPTS\tNEXT ATTEMPT\tLAST STATUS\tLAST ERROR"
		return list(cmd.output, t, rows, header, deliveryLine)
	})
}

// deliveries reads pages until there are Limit deliveries or no more.
func (cmd webhookDeliveriesCmd) deliveries(
	ctx context.Context, a *app.App, accountID string,
) ([]webhooks.Delivery, error) {
	const pageSize = 200
	var all []webhooks.Delivery
	filter := webhooks.Filter{Account: accountID, State: webhooks.State(cmd.State), Endpoint: cmd.Endpoint}
	for len(all) < cmd.Limit {
		filter.Limit = min(pageSize, cmd.Limit-len(all))
		part, next, err := a.Deliveries.List(ctx, filter)
		if err != nil {
			return nil, err
		}
		all = append(all, part...)
		if next == "" {
			break
		}
		filter.Cursor = next
	}
	return all, nil
}

func deliveryLine(d webhooks.Delivery) string {
	status, reason := "-", "-"
	if d.LastStatus != nil {
		status = fmt.Sprint(*d.LastStatus)
	}
	if d.LastError != nil {
		reason = *d.LastError
	}
	return fmt.Sprintf("%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s",
		d.ID, d.EventID, d.EndpointID, d.State, d.Attempts, when(d.NextAttemptAt), status, reason)
}

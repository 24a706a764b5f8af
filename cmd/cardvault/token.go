package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

type tokenCmd struct {
	Create tokenCreateCmd `cmd:"" help:"Create a token; it is shown once."`
	List   tokenListCmd   `cmd:"" help:"List tokens."`
	Revoke tokenRevokeCmd `cmd:"" help:"Stop a token on every server within 5 seconds."`
	Rotate tokenRotateCmd `cmd:"" help:"Create a token's successor, and stop the old one after a grace period."`
}

// shownToken is a new token as the command prints it.
type shownToken struct {
	ID        string `json:"id"`
	AccountID string `json:"account_id"`
	Name      string `json:"name"`
	Token     string `json:"token"`
}

func (o output) printToken(t *terminal, token accounts.Token, secret string) error {
	shown := shownToken{ID: token.ID, AccountID: token.AccountID, Name: token.Name, Token: secret}
	return o.print(t, shown, fmt.Sprintf("Token %s of %s. Keep it now, it is not shown again:\n%s",
		token.ID, token.AccountID, secret))
}

type tokenCreateCmd struct {
	output
	Account string `required:"" help:"The account it acts for."`
	Name    string `required:"" help:"The token's name."`
	Limits  string `placeholder:"read=N,write=N,ai=N" help:"Requests a minute by class. Default: --rate-limits."`
	Scopes  string `default:"read,write" help:"What it may do: read, write, webhooks."`
}

// Run implements the command.
func (cmd tokenCreateCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	limits, err := ratelimit.ParseLimits(cmd.Limits)
	if err != nil {
		return usageError{err.Error()}
	}
	scopes, err := caller.ParseScopes(cmd.Scopes)
	if err != nil {
		return usageError{err.Error()}
	}
	return app.With(ctx, c, func(a *app.App) error {
		token, secret, err := a.Accounts.CreateToken(ctx, cmd.Account, cmd.Name, limits, scopes...)
		if err != nil {
			return err
		}
		return cmd.printToken(t, token, secret)
	})
}

type tokenListCmd struct {
	output
	Account string `help:"Only this account's."`
}

// Run implements the command.
func (cmd tokenListCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return app.With(ctx, c, func(a *app.App) error {
		accountID := ""
		if cmd.Account != "" {
			account, err := a.Accounts.Get(ctx, cmd.Account)
			if err != nil {
				return err
			}
			accountID = account.ID
		}
		all, err := a.Accounts.Tokens(ctx, accountID)
		if err != nil {
			return err
		}
		return list(cmd.output, t, all,
			"TOKEN\tACCOUNT\tENDS IN\tLAST USED\tSTOPS WORKING\tLIMITS\tSCOPES\tNAME", tokenLine)
	})
}

func tokenLine(k accounts.Token) string {
	return fmt.Sprintf("%s\t%s\t…%s\t%s\t%s\t%s\t%s\t%s", k.ID, k.AccountID, k.LastFour, when(k.LastUsedAt),
		when(k.RevokedAt), cmp.Or(k.Limits, "default"), k.Scopes, k.Name)
}

// when formats a time, or returns a dash for none.
func when(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return t.UTC().Format(time.RFC3339)
}

type tokenRevokeCmd struct {
	output
	ID string `arg:"" help:"The token's identifier, tok_…"`
}

// Run implements the command.
func (cmd tokenRevokeCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return app.With(ctx, c, func(a *app.App) error {
		token, err := a.Accounts.RevokeToken(ctx, cmd.ID)
		if err != nil {
			return err
		}
		return cmd.print(t, token, fmt.Sprintf("Token %s is revoked.", token.ID))
	})
}

type tokenRotateCmd struct {
	output
	ID    string        `arg:"" help:"The token's identifier, tok_…"`
	Grace time.Duration `default:"0s" help:"How long the old token still works."`
}

// Run implements the command.
func (cmd tokenRotateCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	if cmd.Grace < 0 {
		return usageError{"--grace must not be negative"}
	}
	return app.With(ctx, c, func(a *app.App) error {
		token, secret, err := a.Accounts.RotateToken(ctx, cmd.ID, cmd.Grace)
		if err != nil {
			return err
		}
		return cmd.printToken(t, token, secret)
	})
}

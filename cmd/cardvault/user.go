package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/users"
)

type userCmd struct {
	Create    userCreateCmd    `cmd:"" help:"Let a person use the dashboard of an account."`
	List      userListCmd      `cmd:"" help:"List users."`
	Disable   userDisableCmd   `cmd:"" help:"Keep a user from logging in, and end the user's sessions."`
	ResetLink userResetLinkCmd `cmd:"" help:"Print a link by which a user sets a new password."`
}

type userCreateCmd struct {
	output
	Account       string `required:"" help:"The account."`
	Email         string `required:"" help:"The user's e-mail address."`
	Role          string `default:"member" enum:"owner,member" help:"owner or member."`
	PasswordStdin bool   `help:"Read the password from standard input instead of printing an invitation link."`
}

// createdUser is the command's output as JSON.
type createdUser struct {
	users.User
	AccountID string `json:"account_id"`
	Role      string `json:"role"`
	Link      string `json:"link,omitempty"` // to set a password or to join the account; absent if neither is needed
}

// Run implements the command.
func (cmd userCreateCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	password, err := cmd.password(os.Stdin)
	if err != nil {
		return err
	}
	return app.With(ctx, c, func(a *app.App) error {
		result, text, err := cmd.create(ctx, a, password)
		if err != nil {
			return err
		}
		return cmd.print(t, result, text)
	})
}

// create creates the user. A user of other accounts is invited instead, because the passwords of that user may be
// known to others.
func (cmd userCreateCmd) create(ctx context.Context, a *app.App, password string) (createdUser, string, error) {
	user, role := createdUser{AccountID: cmd.Account, Role: cmd.Role}, users.Role(cmd.Role)
	var err error
	if user.User, err = a.Users.Create(ctx, cmd.Account, cmd.Email, role, password); err == nil {
		return cmd.withLink(ctx, a, user)
	}
	if !errors.Is(err, users.ErrExists) {
		return createdUser{}, "", err
	}
	secret, err := a.Users.Invite(ctx, cmd.Account, cmd.Email, role)
	if err != nil {
		return createdUser{}, "", err
	}
	if user.User, err = a.Users.ByEmail(ctx, cmd.Email); err != nil {
		return createdUser{}, "", err
	}
	user.Link, err = linkURL(a, secret)
	text := fmt.Sprintf("%s is a user of other accounts, and joins %s as %s by this link, once and within %d days:\n%s",
		user.Email, cmd.Account, cmd.Role, linkDays, user.Link)
	return user, text, err
}

// withLink adds the link by which a user without a password sets one.
func (cmd userCreateCmd) withLink(ctx context.Context, a *app.App, user createdUser) (createdUser, string, error) {
	membership, err := a.Users.Membership(ctx, cmd.Account, user.ID)
	if err != nil {
		return createdUser{}, "", err
	}
	if user.PasswordHash != nil || membership.AccountPassword != nil {
		return user, fmt.Sprintf("%s can log in and is %s of %s.", user.Email, cmd.Role, cmd.Account), nil
	}
	user.Link, err = newLink(ctx, a, user.User)
	return user, linkText(user.User, user.Link), err
}

// maxPasswordLine is the maximum number of bytes that are read as a password.
const maxPasswordLine = 4096

// password reads the first line of standard input, or returns "" if the user is to set a password by a link.
func (cmd userCreateCmd) password(from io.Reader) (string, error) {
	if !cmd.PasswordStdin {
		return "", nil
	}
	read, err := io.ReadAll(io.LimitReader(from, maxPasswordLine))
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(string(read), "\n")
	if line = strings.TrimSuffix(line, "\r"); line == "" {
		return "", usageError{"--password-stdin: standard input has no password"}
	}
	return line, nil
}

// newLink returns the URL by which the user sets a password.
func newLink(ctx context.Context, a *app.App, user users.User) (string, error) {
	secret, err := a.Users.NewLink(ctx, user.ID)
	if err != nil {
		return "", err
	}
	return linkURL(a, secret)
}

// linkURL returns the URL of a link.
func linkURL(a *app.App, secret string) (string, error) {
	public, err := a.Config.Public()
	return public + "/password/" + secret, err
}

// linkDays is how long a link can be used.
var linkDays = int(users.LinkLifetime.Hours() / 24)

func linkText(user users.User, link string) string {
	return fmt.Sprintf("%s sets a password by this link, once and within %d days:\n%s",
		user.Email, linkDays, link)
}

type userListCmd struct {
	output
	Account string `help:"Only this account's."`
}

// Run implements the command.
func (cmd userListCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return app.With(ctx, c, func(a *app.App) error {
		if cmd.Account != "" {
			if _, err := a.Accounts.Get(ctx, cmd.Account); err != nil {
				return err
			}
		}
		all, err := a.Users.List(ctx, cmd.Account)
		if err != nil {
			return err
		}
		return list(cmd.output, t, all, "USER\tACCOUNT\tROLE\tLAST LOG-IN\tDISABLED\tE-MAIL",
			func(u users.AccountUser) string {
				return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s",
					u.ID, u.AccountID, u.Role, when(u.LastLoginAt), when(u.DisabledAt), u.Email)
			})
	})
}

type userDisableCmd struct {
	output
	Email string `arg:"" help:"The user's e-mail address."`
}

// Run implements the command.
func (cmd userDisableCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return app.With(ctx, c, func(a *app.App) error {
		user, err := a.Users.ByEmail(ctx, cmd.Email)
		if err != nil {
			return err
		}
		if user, err = a.Users.Disable(ctx, user.ID); err != nil {
			return err
		}
		return cmd.print(t, user, fmt.Sprintf("%s is disabled, and the user's sessions have ended.", user.Email))
	})
}

type userResetLinkCmd struct {
	output
	Email string `arg:"" help:"The user's e-mail address."`
}

// Run implements the command.
func (cmd userResetLinkCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return app.With(ctx, c, func(a *app.App) error {
		user, err := a.Users.ByEmail(ctx, cmd.Email)
		if err != nil {
			return err
		}
		link, err := newLink(ctx, a, user)
		if err != nil {
			return err
		}
		return cmd.print(t, map[string]string{"email": user.Email, "link": link}, linkText(user, link))
	})
}

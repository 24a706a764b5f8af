package main

import (
	"context"
	"fmt"

	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/timestamp"
)

type waitingCmd struct {
	output
	Account string `help:"Only the work of this account."`
	Limit   int    `default:"100" help:"The largest number of lines."`
}

// shownWork is the command's output as JSON.
type shownWork struct {
	app.StuckWork
	Reason string `json:"reason"` // as the API shows it
}

// Run implements the command.
func (cmd waitingCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	if cmd.Limit < 1 {
		return usageError{"--limit: must be at least 1"}
	}
	return app.With(ctx, c, func(a *app.App) error {
		if cmd.Account != "" {
			if _, err := a.Accounts.Get(ctx, cmd.Account); err != nil {
				return err
			}
		}
		services, err := a.Services(ctx)
		if err != nil {
			return err
		}
		work, err := a.Stuck(ctx, services, cmd.Account, cmd.Limit)
		if err != nil {
			return err
		}
		shown := make([]shownWork, len(work))
		for i, one := range work {
			shown[i] = shownWork{one, string(one.Waiting().Reason)}
		}
		return list(cmd.output, t, shown,
			"QUEUE\tACCOUNT\tWORK\tSINCE\tATTEMPTS\tLAST ATTEMPT\tNEXT ATTEMPT\tREASON\tLAST ERROR", workLine)
	})
}

func workLine(w shownWork) string {
	next := "under way"
	if !w.Claimed {
		next = timestamp.Format(w.DueAt)
	}
	return fmt.Sprintf("%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\t%s", w.Queue, w.AccountID, w.Key, timestamp.Format(w.Since),
		w.Attempts, when(w.LastAttemptAt), next, w.Reason, w.LastError)
}

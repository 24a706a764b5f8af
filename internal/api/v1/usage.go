package v1

import (
	"cmp"
	"context"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/timestamp"
	"github.com/cardvault/cardvault/internal/usage"
)

// defaultUsageHours is the number of hours if the request names none.
const defaultUsageHours = 24

// GetAccountUsage implements GET /account/usage.
func (s *Server) GetAccountUsage(
	ctx context.Context, r server.GetAccountUsageRequestObject,
) (server.GetAccountUsageResponseObject, error) {
	account, hours, token := caller.From(ctx).AccountID, defaultUsageHours, ""
	if r.Params.Hours != nil {
		hours = int(*r.Params.Hours)
	}
	if r.Params.Token != nil {
		token = *r.Params.Token
	}
	report, err := s.Usage.Report(ctx, account, token, hours)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(report.Tokens))
	for i, t := range report.Tokens {
		ids[i] = t.ID
	}
	names, err := s.Accounts.TokenNames(ctx, account, ids)
	if err != nil {
		return nil, err
	}
	return server.GetAccountUsage200JSONResponse(accountUsage(report, names)), nil
}

// accountUsage converts a report. names has the names of its tokens.
func accountUsage(report usage.Report, names map[string]string) server.AccountUsage {
	u := server.AccountUsage{
		Since: timestamp.Of(report.Since), Before: timestamp.Of(report.Before),
		Hours: make([]server.HourUsage, len(report.Hours)), Tokens: make([]server.TokenUsage, len(report.Tokens)),
	}
	for i, h := range report.Hours {
		u.Hours[i] = server.HourUsage{
			StartedAt: timestamp.Of(h.Start),
			Read:      requestCounts(h.Read), Write: requestCounts(h.Write), Ai: requestCounts(h.AI),
		}
	}
	for i, t := range report.Tokens {
		u.Tokens[i] = server.TokenUsage{
			ID: t.ID, Name: cmp.Or(names[t.ID], t.ID),
			Read: requestCounts(t.Read), Write: requestCounts(t.Write), Ai: requestCounts(t.AI),
		}
	}
	return u
}

func requestCounts(c usage.Counts) server.RequestCounts {
	return server.RequestCounts{Requests: c.Requests, Refused: c.Refused}
}

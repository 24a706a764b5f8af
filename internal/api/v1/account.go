package v1

import (
	"context"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/caller"
)

// GetAccount implements GET /account.
func (s *Server) GetAccount(
	ctx context.Context, _ server.GetAccountRequestObject,
) (server.GetAccountResponseObject, error) {
	who := caller.From(ctx)
	account, err := s.Accounts.Get(ctx, who.AccountID)
	if err != nil {
		return nil, err
	}
	limits := who.Limits.Or(s.Limits)
	scopes := make([]server.TokenScope, len(who.Scopes))
	for i, scope := range who.Scopes {
		scopes[i] = server.TokenScope(scope)
	}
	return server.GetAccount200JSONResponse{
		ID: account.ID, Name: account.Name, Sandbox: account.Sandbox,
		Currency: server.Currency(account.Currency), TimeZone: account.TimeZone, Scopes: scopes,
		Limits: server.TokenLimits{Read: int64(limits.Read), Write: int64(limits.Write), Ai: int64(limits.AI)},
	}, nil
}

package v1

import (
	"context"
	"slices"

	"github.com/oapi-codegen/nullable"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/caller"
)

// GetAccount implements GET /account.
func (s *Server) GetAccount(
	ctx context.Context, _ server.GetAccountRequestObject,
) (server.GetAccountResponseObject, error) {
	account, err := s.Accounts.Get(ctx, caller.From(ctx).AccountID)
	if err != nil {
		return nil, err
	}
	return server.GetAccount200JSONResponse(s.account(ctx, account)), nil
}

// UpdateAccount implements PATCH /account.
func (s *Server) UpdateAccount(
	ctx context.Context, r server.UpdateAccountRequestObject,
) (server.UpdateAccountResponseObject, error) {
	account, err := s.Accounts.Update(ctx, caller.From(ctx).AccountID, func(c *accounts.Change) {
		changeAccount(c, *r.Body)
	})
	if err != nil {
		return nil, err
	}
	return server.UpdateAccount200JSONResponse(s.account(ctx, account)), nil
}

// changeAccount applies a patch to the settings of an account.
func changeAccount(c *accounts.Change, in server.AccountPatch) {
	replace(&c.Name, in.Name)
	replace(&c.Currency, text(in.Currency))
	replace(&c.TimeZone, in.TimeZone)
	merge(&c.Preferences.FloorPrice, in.FloorPrice, moneyOf)
	if in.Identification == nil {
		return
	}
	merge(&c.Preferences.Threshold, in.Identification.Threshold, func(t float64) float64 { return t })
	if providers := in.Identification.Providers; providers.IsSpecified() {
		c.Preferences.Providers, _ = providers.Get() // nil for null
	}
	if in.Identification.Games != nil {
		c.Preferences.Games = nil
		for _, game := range *in.Identification.Games {
			if !slices.Contains(c.Preferences.Games, string(game)) {
				c.Preferences.Games = append(c.Preferences.Games, string(game))
			}
		}
	}
}

// replace sets dst, unless the value is absent.
func replace[T any](dst, value *T) {
	if value != nil {
		*dst = *value
	}
}

// merge sets dst to a value of a merge patch, or to nil for null. It leaves dst alone if the value is absent.
func merge[From, To any](dst **To, value nullable.Nullable[From], as func(From) To) {
	if !value.IsSpecified() {
		return
	}
	*dst = nil
	if v, err := value.Get(); err == nil {
		out := as(v)
		*dst = &out
	}
}

// account returns an account with the limits and scopes of the caller.
func (s *Server) account(ctx context.Context, a accounts.Account) server.Account {
	who := caller.From(ctx)
	limits, settings := who.Limits.Or(s.Limits), s.Identification.Settings(a)
	scopes := make([]server.TokenScope, len(who.Scopes))
	for i, scope := range who.Scopes {
		scopes[i] = server.TokenScope(scope)
	}
	games := make([]server.Game, len(settings.Games))
	for i, game := range settings.Games {
		games[i] = server.Game(game)
	}
	return server.Account{
		ID: a.ID, Name: a.Name, Sandbox: a.Sandbox, Currency: server.Currency(a.Currency), TimeZone: a.TimeZone,
		FloorPrice: moneyOut(a.Preferences.FloorPrice),
		Identification: server.IdentificationSettings{
			Providers: settings.Providers, Threshold: settings.Threshold, Games: &games,
		},
		Scopes: scopes,
		Limits: server.TokenLimits{Read: int64(limits.Read), Write: int64(limits.Write), Ai: int64(limits.AI)},
	}
}

package demo

import (
	"context"
	"fmt"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/page"
	"github.com/cardvault/cardvault/internal/photos"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// AccountName is the name of the demo account. Load finds the account by this name.
const AccountName = "Demo (fictional cards)"

// Services are the parts of the service that Load and New use.
type Services struct {
	DB       *postgres.DB
	Clock    clock.Clock
	Accounts *accounts.Service
	Batches  *batches.Service
	Cards    *cards.Service
	Photos   *photos.Service
	Catalog  *catalog.Service
	Identify *identify.Service // for the cards that need review
}

// Options are the options of Load and New.
type Options struct {
	Name     string                // of the account that New creates
	Limits   ratelimit.Limits      // of the new token; zero means the service's limits
	Progress func(done, total int) // called with the number of photographed cards; may be nil
}

// Result is the account that Load or New returns.
type Result struct {
	AccountID string `json:"account_id"`
	Name      string `json:"name"`
	Sandbox   bool   `json:"sandbox"`
	Token     string `json:"token"` // the secret of a token that this call created
	TokenID   string `json:"token_id"`
	Cards     int    `json:"cards"` // how many cards and batches the demo has
	Batches   int    `json:"batches"`
	Made      bool   `json:"made"` // whether this call created them
}

// Load creates the demo account with its cards, batches and photos, and imports their catalogue entries. If the account
// exists, Load leaves its cards as they are. The token is new every time. The account is a sandbox account, so it
// publishes only to the sandbox marketplace.
func Load(ctx context.Context, s Services, o Options) (Result, error) {
	if err := Install(ctx, s.Catalog); err != nil {
		return Result{}, err
	}
	account, err := s.account(ctx)
	if err != nil {
		return Result{}, fmt.Errorf("demo.Load: %w", err)
	}
	result, err := s.load(ctx, account, o)
	if err != nil {
		return Result{}, fmt.Errorf("demo.Load: %w", err)
	}
	return result, nil
}

// New creates another sandbox account with the demo's cards and a token.
func New(ctx context.Context, s Services, o Options) (Result, error) {
	if err := Install(ctx, s.Catalog); err != nil {
		return Result{}, err
	}
	account, err := s.Accounts.Create(ctx, o.Name, true)
	if err != nil {
		return Result{}, fmt.Errorf("demo.New: %w", err)
	}
	result, err := s.load(ctx, account, o)
	if err != nil {
		return Result{}, fmt.Errorf("demo.New: account %s: %w", account.ID, err)
	}
	return result, nil
}

// load fills the account if it has no cards, and creates a token. It needs the catalogue entries of Install.
func (s Services) load(ctx context.Context, account accounts.Account, o Options) (Result, error) {
	existing, err := s.Cards.List(ctx, account.ID, cards.Filter{}, page.Request{Limit: 1})
	if err != nil {
		return Result{}, err
	}
	result := Result{
		AccountID: account.ID, Name: account.Name, Sandbox: account.Sandbox,
		Cards: len(items()), Batches: len(stock), Made: len(existing.Data) == 0,
	}
	if result.Made {
		if err := s.fill(ctx, account.ID, o.Progress); err != nil {
			return Result{}, err
		}
	}
	if err := s.review(ctx, account.ID); err != nil {
		return Result{}, err
	}
	token, secret, err := s.Accounts.CreateToken(ctx, account.ID, "demo", o.Limits)
	result.Token, result.TokenID = secret, token.ID
	return result, err
}

// account returns the demo account. It creates the account if it does not exist.
func (s Services) account(ctx context.Context) (accounts.Account, error) {
	list, err := s.Accounts.List(ctx)
	if err != nil {
		return accounts.Account{}, err
	}
	for _, a := range list {
		if a.Name == AccountName && a.Sandbox {
			return a, nil
		}
	}
	return s.Accounts.Create(ctx, AccountName, true)
}

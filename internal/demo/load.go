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

// AccountName is the name that the demo account is found by.
const AccountName = "Demo (fictional cards)"

// Services are the parts of the service that the demo fills.
type Services struct {
	DB       *postgres.DB
	Clock    clock.Clock
	Accounts *accounts.Service
	Batches  *batches.Service
	Cards    *cards.Service
	Photos   *photos.Service
	Catalog  *catalog.Service
	// Identify looks at the photos of the cards that end in review.
	Identify *identify.Service
}

// Options are what a caller may want of Load or New.
type Options struct {
	// Name is what New calls the account.
	Name string
	// Limits are the new token's own; the service's where they are zero.
	Limits ratelimit.Limits
	// Progress may be nil; it is called with how many of the cards have been photographed.
	Progress func(done, total int)
}

// Result is the account as Load or New leaves it.
type Result struct {
	AccountID string `json:"account_id"`
	Name      string `json:"name"`
	Sandbox   bool   `json:"sandbox"`
	// Token is the secret of a token made by this call.
	Token   string `json:"token"`
	TokenID string `json:"token_id"`
	// Cards and Batches are how many the demo has; Made says whether this call made them.
	Cards   int  `json:"cards"`
	Batches int  `json:"batches"`
	Made    bool `json:"made"`
}

// Load makes the demo account with its cards, batches and photos, and the catalogue entries that they
// are identified by, or finds what an earlier Load made; what people have done with it since stays.
// The token is new every time. The account is a sandbox account: what it publishes stays in the
// sandbox marketplace.
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

// New makes one more sandbox account with the demo's cards and a token: a place of one's own to try
// things in.
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

// load fills the account where it is empty, and makes it a token. The catalogue must be installed.
func (s Services) load(ctx context.Context, account accounts.Account, o Options) (Result, error) {
	there, err := s.Cards.List(ctx, account.ID, cards.Filter{}, page.Request{Limit: 1})
	if err != nil {
		return Result{}, err
	}
	result := Result{
		AccountID: account.ID, Name: account.Name, Sandbox: account.Sandbox,
		Cards: len(items()), Batches: len(stock), Made: len(there.Data) == 0,
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

// account finds or makes the demo account.
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

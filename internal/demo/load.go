package demo

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/photos"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/ratelimit"
	"github.com/cardvault/cardvault/internal/users"
)

// AccountName is the name of the demo account. Load finds the account by this name.
const AccountName = "Demo (fictional cards)"

// Email is the address of the demo account's owner. No mail server has it (RFC 2606).
const Email = "demo@cardvault.example"

// Services are the parts of the service that Load and New use.
type Services struct {
	DB       *postgres.DB
	Clock    clock.Clock
	Accounts *accounts.Service
	Users    *users.Service
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
	Email     string `json:"email,omitempty"` // of the account's owner; only Load creates one
	Password  string `json:"password,omitempty"`
	Cards     int    `json:"cards"` // how many cards and batches the demo has
	Batches   int    `json:"batches"`
	Made      bool   `json:"made"` // whether this call created them
}

// Load creates the demo account with its cards, batches and photos, and imports their catalogue entries. If the account
// exists, Load leaves its cards as they are. The token and the owner's password are new every time. The account is a
// sandbox account, so it publishes only to the sandbox marketplace.
func Load(ctx context.Context, s Services, o Options) (Result, error) {
	if err := Install(ctx, s.Catalog); err != nil {
		return Result{}, err
	}
	account, err := s.account(ctx)
	if err != nil {
		return Result{}, fmt.Errorf("load demo: %w", err)
	}
	result, err := s.load(ctx, account, o)
	if err != nil {
		return Result{}, fmt.Errorf("load demo: %w", err)
	}
	result.Email = Email
	if result.Password, err = s.owner(ctx, account.ID); err != nil {
		return Result{}, fmt.Errorf("load demo: %w", err)
	}
	return result, nil
}

// owner creates the account's owner, unless there is one, and returns the owner's new password.
func (s Services) owner(ctx context.Context, accountID string) (password string, err error) {
	user, err := s.Users.Create(ctx, accountID, Email, users.Owner, "")
	if err != nil {
		return "", err
	}
	link, err := s.Users.NewLink(ctx, user.ID)
	if err != nil {
		return "", err
	}
	password = strings.ToLower(rand.Text()[:passwordLength])
	_, err = s.Users.SetPassword(ctx, link, password)
	return password, err
}

// passwordLength is the number of characters of the owner's password, which have 5 random bits each.
const passwordLength = 16

// New creates another sandbox account with the demo's cards and a token.
func New(ctx context.Context, s Services, o Options) (Result, error) {
	if err := Install(ctx, s.Catalog); err != nil {
		return Result{}, err
	}
	account, err := s.Accounts.Create(ctx, o.Name, true)
	if err != nil {
		return Result{}, fmt.Errorf("create demo: %w", err)
	}
	result, err := s.load(ctx, account, o)
	if err != nil {
		return Result{}, fmt.Errorf("load account %s: %w", account.ID, err)
	}
	return result, nil
}

// load fills the account if it has no cards, and creates a token. It needs the catalogue entries of Install.
func (s Services) load(ctx context.Context, account accounts.Account, o Options) (Result, error) {
	existing, err := s.Cards.List(ctx, account.ID, cards.Filter{}, paging.Request{Limit: 1})
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

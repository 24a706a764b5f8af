// Package accounts manages accounts and the tokens that act for them.
//
// A token's secret is shown once and stored only as a SHA-256 hash. A token gives access to all data of its account:
// there are no finer permissions. The package stores the rate limits of a token; package api applies them.
package accounts

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Account is the owner of cards and of everything that belongs to them.
type Account struct {
	ID        string    `db:"id" json:"id"`
	Name      string    `db:"name" json:"name"`
	Sandbox   bool      `db:"sandbox" json:"sandbox"` // uses built-in providers and the sandbox marketplace only
	CreatedAt time.Time `db:"created_at" json:"-"`
}

// MaxName is the maximum length of the names of accounts and tokens, in characters.
const MaxName = 120

// Service reads and changes accounts and tokens.
type Service struct {
	db    *postgres.DB
	clock clock.Clock
	cache *cache
}

// New returns a Service.
func New(db *postgres.DB, c clock.Clock) *Service {
	return &Service{db: db, clock: c, cache: newCache()}
}

// Create creates an account.
func (s *Service) Create(ctx context.Context, name string, sandbox bool) (Account, error) {
	if err := checkName(name); err != nil {
		return Account{}, err
	}
	now := s.clock.Time()
	a := Account{ID: id.New(id.Account, now), Name: name, Sandbox: sandbox, CreatedAt: now}
	err := s.db.InTx(ctx, func(tx *postgres.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO accounts (id, name, sandbox, created_at) VALUES ($1, $2, $3, $4)`,
			a.ID, a.Name, a.Sandbox, a.CreatedAt)
		if err != nil {
			return err
		}
		return s.clock.Create(ctx, tx, a.ID)
	})
	if err != nil {
		return Account{}, fmt.Errorf("accounts.Create: %w", err)
	}
	return a, nil
}

// Get returns an account. It returns account_not_found if there is none with this identifier.
func (s *Service) Get(ctx context.Context, accountID string) (Account, error) {
	return find(ctx, s.db, accountID)
}

func find(ctx context.Context, q postgres.Querier, accountID string) (Account, error) {
	var a Account
	parsed, _ := id.Parse(id.Account, accountID)
	err := q.Get(ctx, &a, `SELECT id, name, sandbox, created_at FROM accounts WHERE id = $1`, parsed)
	if errors.Is(err, sql.ErrNoRows) {
		return Account{}, fault.New(fault.AccountNotFound, "there is no account %s", accountID)
	}
	if err != nil {
		return Account{}, fmt.Errorf("accounts.find: %w", err)
	}
	return a, nil
}

// List returns all accounts, oldest first.
func (s *Service) List(ctx context.Context) ([]Account, error) {
	var list []Account
	err := s.db.Select(ctx, &list, `SELECT id, name, sandbox, created_at FROM accounts ORDER BY id`)
	if err != nil {
		return nil, fmt.Errorf("accounts.List: %w", err)
	}
	return list, nil
}

func checkName(name string) error {
	if n := len([]rune(name)); n < 1 || n > MaxName {
		return fault.Invalid("name", "must be 1 to %d characters", MaxName)
	}
	return nil
}

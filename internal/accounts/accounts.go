// Package accounts manages accounts and the tokens that act for them.
//
// A token's secret is shown once and stored only as a SHA-256 hash. A token gives access to all data of its account, as
// far as its scopes allow. The package stores the rate limits and the scopes of a token; package api applies them.
package accounts

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // time zones do not depend on the machine
	"unicode/utf8"

	"github.com/cardvault/cardvault/internal/audit"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Account is the owner of cards and of everything that belongs to them.
type Account struct {
	ID      string `db:"id" json:"id"`
	Name    string `db:"name" json:"name"`
	Sandbox bool   `db:"sandbox" json:"sandbox"` // uses built-in providers and the sandbox marketplace only
	// Currency is an ISO 4217 code: the currency of filters by price that name none.
	Currency string `db:"currency" json:"currency"`
	// TimeZone is a name of the IANA database, such as Europe/Berlin.
	TimeZone    string      `db:"time_zone" json:"time_zone"`
	Preferences Preferences `db:"preferences" json:"preferences"`
	CreatedAt   time.Time   `db:"created_at" json:"-"`
	// DeleteAt is when the account is deleted. It is nil unless its deletion was asked for.
	DeleteAt *time.Time `db:"delete_at" json:"delete_at,omitempty"`
}

// The currency and the time zone of accounts that are created without.
const (
	DefaultCurrency = "USD"
	DefaultTimeZone = "UTC"
)

// Settings are the values of a new account. Empty ones have defaults, except Name.
type Settings struct {
	Name     string
	Sandbox  bool
	Currency string
	TimeZone string
}

func (s Settings) check() error {
	if err := checkName(s.Name); err != nil {
		return err
	}
	if !money.Known(s.Currency) {
		return fault.Invalid("currency", "must be an upper-case ISO 4217 code such as USD")
	}
	if _, err := time.LoadLocation(s.TimeZone); err != nil || s.TimeZone == "" || s.TimeZone == "Local" {
		return fault.Invalid("time_zone", "must be a name of the IANA database such as Europe/Berlin")
	}
	return nil
}

// Columns are the columns of an Account, for statements of other packages that join accounts.
const Columns = "id, name, sandbox, currency, time_zone, preferences, created_at, delete_at"

// MaxName is the maximum length of the names of accounts and tokens, in characters.
const MaxName = 120

// Service reads and changes accounts and tokens.
type Service struct {
	db    *postgres.DB
	clock clock.Clock
	cache *cache
	// identification holds the providers and the threshold that the operator allows. sandboxIdentification holds the
	// ones for sandbox accounts.
	identification, sandboxIdentification Identification
}

// New returns a Service.
func New(db *postgres.DB, c clock.Clock) *Service {
	return &Service{db: db, clock: c, cache: newCache()}
}

// Create creates an account with the default settings.
func (s *Service) Create(ctx context.Context, name string, sandbox bool) (Account, error) {
	return s.CreateWith(ctx, Settings{Name: name, Sandbox: sandbox})
}

// CreateWith creates an account.
func (s *Service) CreateWith(ctx context.Context, settings Settings) (Account, error) {
	settings.Currency = cmp.Or(settings.Currency, DefaultCurrency)
	settings.TimeZone = cmp.Or(settings.TimeZone, DefaultTimeZone)
	if err := settings.check(); err != nil {
		return Account{}, err
	}
	now := s.clock.Time()
	a := Account{
		ID: id.New(id.Account, now), Name: settings.Name, Sandbox: settings.Sandbox,
		Currency: settings.Currency, TimeZone: settings.TimeZone, CreatedAt: now,
	}
	err := s.db.InTx(ctx, func(tx *postgres.Tx) error {
		_, err := tx.Exec(ctx, `
			INSERT INTO accounts (id, name, sandbox, currency, time_zone, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
			a.ID, a.Name, a.Sandbox, a.Currency, a.TimeZone, a.CreatedAt)
		if err != nil {
			return err
		}
		return s.clock.Create(ctx, tx, a.ID)
	})
	if err != nil {
		return Account{}, fmt.Errorf("create account: %w", err)
	}
	return a, nil
}

// Get returns an account. It returns account_not_found if there is none with this identifier, or if its deletion has
// begun.
func (s *Service) Get(ctx context.Context, accountID string) (Account, error) {
	return find(ctx, s.db, accountID, "")
}

// GetIn is Get in a transaction. The deletion of the account does not begin before tx has ended.
func (s *Service) GetIn(ctx context.Context, tx *postgres.Tx, accountID string) (Account, error) {
	return find(ctx, tx, accountID, "FOR SHARE")
}

// find returns an account. lock is "", FOR SHARE or FOR UPDATE.
func find(ctx context.Context, q postgres.Querier, accountID, lock string) (Account, error) {
	var a Account
	tokenID, _ := id.Parse(id.Account, accountID)
	err := q.Get(ctx, &a, `SELECT `+Columns+` FROM accounts WHERE id = $1 AND closed_at IS NULL `+lock, tokenID)
	if errors.Is(err, sql.ErrNoRows) {
		return Account{}, fault.New(fault.AccountNotFound, "there is no account %s", accountID)
	}
	if err != nil {
		return Account{}, fmt.Errorf("load account: %w", err)
	}
	return a, nil
}

// Change has the settings of an account that its owner may change.
type Change struct {
	Name, Currency, TimeZone string
	Preferences              Preferences
}

// Change returns the account's settings, for Update.
func (a Account) Change() Change {
	return Change{Name: a.Name, Currency: a.Currency, TimeZone: a.TimeZone, Preferences: a.Preferences}
}

// Update changes the settings of an account by a function, and returns the account. It returns account_not_found if
// there is none with this identifier. The function can be called more than once.
func (s *Service) Update(ctx context.Context, accountID string, change func(*Change)) (Account, error) {
	var a Account
	err := s.db.InTx(ctx, func(tx *postgres.Tx) error {
		before, err := find(ctx, tx, accountID, "FOR UPDATE")
		if err != nil {
			return err
		}
		c := before.Change()
		change(&c)
		if err := (Settings{Name: c.Name, Currency: c.Currency, TimeZone: c.TimeZone}).check(); err != nil {
			return err
		}
		if err := c.Preferences.check(s.identificationOf(before)); err != nil {
			return err
		}
		preferences, err := json.Marshal(c.Preferences)
		if err != nil {
			return err
		}
		err = tx.Get(ctx, &a, `
			UPDATE accounts SET name = $2, currency = $3, time_zone = $4, preferences = $5 WHERE id = $1
			RETURNING `+Columns, before.ID, c.Name, c.Currency, c.TimeZone, postgres.JSON(preferences))
		if err != nil {
			return err
		}
		if summary := changes(before, a); summary != "" {
			return audit.Record(ctx, tx, a.ID, audit.SettingsChanged, a.Name, summary)
		}
		return nil
	})
	if err != nil {
		return Account{}, fmt.Errorf("update account: %w", err)
	}
	return a, nil
}

// changes describes the differences between two versions of an account's settings.
func changes(before, after Account) string {
	var names []string
	from, to := before.words(), after.words()
	for _, name := range slices.Sorted(maps.Keys(from)) {
		if from[name] != to[name] {
			names = append(names, name+": "+from[name]+" → "+to[name])
		}
	}
	return strings.Join(names, "; ")
}

// words returns the settings of the account as an audit trail shows them, by name.
func (a Account) words() map[string]string {
	shown := a.Preferences.words()
	shown["name"], shown["currency"], shown["time zone"] = a.Name, a.Currency, a.TimeZone
	return shown
}

// List returns all accounts, oldest first.
func (s *Service) List(ctx context.Context) ([]Account, error) {
	var list []Account
	err := s.db.Select(ctx, &list, `SELECT `+Columns+` FROM accounts ORDER BY id`)
	if err != nil {
		return nil, fmt.Errorf("list accounts: %w", err)
	}
	return list, nil
}

func checkName(name string) error {
	n := utf8.RuneCountInString(name)
	if n < 1 || n > MaxName || !utf8.ValidString(name) || strings.Contains(name, "\x00") {
		return fault.Invalid("name", "must be 1 to %d characters of text", MaxName)
	}
	return nil
}

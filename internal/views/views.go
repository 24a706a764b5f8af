// Package views stores the views of an account: lists of cards to which a user gave a name. A view is the query of the
// list's address. All users of the account share it.
//
// The package does not read queries: the page that shows the cards does.
package views

import (
	"context"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/collation"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/quota"
)

const (
	// maxListed is the number of views that are listed, should the quota of the account allow more.
	maxListed = 1000
	// MaxName is the maximum length of a name, in characters.
	MaxName = 60
	// MaxQuery is the maximum length of a query, in bytes.
	MaxQuery = 4000
)

// View is a view of an account.
type View struct {
	ID        string    `db:"id"`
	Name      string    `db:"name"`
	Query     string    `db:"query"`
	CreatedAt time.Time `db:"created_at"`
}

// Service reads and changes views.
type Service struct {
	db    *postgres.DB
	clock clock.Clock
}

// New returns a Service.
func New(db *postgres.DB, c clock.Clock) *Service { return &Service{db, c} }

// List returns the account's views by name, at most maxListed.
func (s *Service) List(ctx context.Context, accountID string) (list []View, err error) {
	err = s.db.Select(ctx, &list, `
		SELECT id, name, query, created_at FROM views WHERE account_id = $1 ORDER BY name LIMIT $2`,
		accountID, maxListed)
	if err != nil {
		return nil, fmt.Errorf("list views: %w", err)
	}
	slices.SortStableFunc(list, func(a, b View) int { return collation.Compare(a.Name, b.Name) })
	return list, nil
}

// Save stores a view. It replaces the query of the view with this name, if there is one.
func (s *Service) Save(ctx context.Context, accountID, name, query string) error {
	if err := check(name, query); err != nil {
		return err
	}
	err := s.clock.Write(ctx, s.db, accountID, func(tx *postgres.Tx, stamp clock.Stamp) error {
		if err := checkQuota(ctx, tx, stamp, name); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `
			INSERT INTO views (account_id, id, name, query, created_at) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (account_id, name) DO UPDATE SET query = excluded.query`,
			accountID, id.New(id.View, stamp.At), name, query, stamp.At)
		return err
	})
	if err != nil {
		return fmt.Errorf("save view: %w", err)
	}
	return nil
}

// checkQuota returns quota_exceeded if the account may not have one more view and none with this name is replaced.
func checkQuota(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, name string) error {
	var has struct {
		Views    int64 `db:"views"`
		Replaced int64 `db:"replaced"`
	}
	err := tx.Get(ctx, &has, `
		SELECT count(*) AS views, count(*) FILTER (WHERE name = $2) AS replaced FROM views WHERE account_id = $1`,
		stamp.AccountID, name)
	if err != nil {
		return err
	}
	return stamp.Quotas(tx).Check(quota.Views, has.Views, 1-has.Replaced)
}

// check returns an invalid_request error unless a view can have the name and the query.
func check(name, query string) error {
	switch {
	case blank.Is(name) || utf8.RuneCountInString(name) > MaxName:
		return fault.Invalid("name", "must have 1 to %d characters, not spaces alone", MaxName)
	case !blank.IsLine(name):
		return fault.Invalid("name", "must not contain control characters such as line breaks")
	case len(query) > MaxQuery:
		return fault.Invalid("query", "has too long filters to be saved; remove some")
	}
	return nil
}

// Delete deletes a view. It returns view_not_found if the account does not have it.
func (s *Service) Delete(ctx context.Context, accountID, viewID string) error {
	viewID, ok := id.Parse(id.View, viewID)
	if !ok {
		return fault.NotFound(fault.ViewNotFound)
	}
	result, err := s.db.Exec(ctx, `DELETE FROM views WHERE account_id = $1 AND id = $2`, accountID, viewID)
	if err != nil {
		return fmt.Errorf("delete view: %w", err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 1 {
		return err
	}
	return fault.NotFound(fault.ViewNotFound)
}

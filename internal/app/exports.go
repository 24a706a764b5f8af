package app

import (
	"context"

	"github.com/cardvault/cardvault/internal/exports"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/timestamp"
	"github.com/cardvault/cardvault/internal/users"
)

// exported returns the content of an account's export.
func (a *App) exported(s *Services) exports.Content {
	return exports.Content{
		Account: func(ctx context.Context, accountID string) (any, error) { return a.Accounts.Get(ctx, accountID) },
		Files: append(a.handlers(s).ExportFiles(),
			exports.File{Name: "views.jsonl", Meaning: "the saved views of the dashboard", List: a.exportViews},
			exports.File{Name: "users.jsonl", Meaning: "the users of the dashboard", List: a.exportUsers}),
		Table: a.CSVFiles(), Cards: a.Cards, Photos: a.Photos,
	}
}

// exportedUser is a user of an export, without the data of the user's log-in.
type exportedUser struct {
	ID          string     `json:"id"`
	Email       string     `json:"email"`
	Role        users.Role `json:"role"`
	LastLoginAt *string    `json:"last_login_at"`
	CreatedAt   string     `json:"created_at"`
}

// exportUsers returns all users of an account: they are few.
func (a *App) exportUsers(ctx context.Context, accountID string, _ paging.Request) (paging.Page[any], error) {
	list, err := a.Users.List(ctx, accountID)
	if err != nil {
		return paging.Page[any]{}, err
	}
	result := paging.Page[any]{Data: make([]any, len(list))}
	for i, u := range list {
		user := exportedUser{ID: u.ID, Email: u.Email, Role: u.Role, CreatedAt: timestamp.Format(u.CreatedAt)}
		if u.LastLoginAt != nil {
			at := timestamp.Format(*u.LastLoginAt)
			user.LastLoginAt = &at
		}
		result.Data[i] = user
	}
	return result, nil
}

// exportedView is a view of an export. Query is the query of the dashboard's list of cards.
type exportedView struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Query     string `json:"query"`
	CreatedAt string `json:"created_at"`
}

// exportViews returns all views of an account.
func (a *App) exportViews(ctx context.Context, accountID string, _ paging.Request) (paging.Page[any], error) {
	list, err := a.Views.List(ctx, accountID)
	if err != nil {
		return paging.Page[any]{}, err
	}
	result := paging.Page[any]{Data: make([]any, len(list))}
	for i, v := range list {
		result.Data[i] = exportedView{v.ID, v.Name, v.Query, timestamp.Format(v.CreatedAt)}
	}
	return result, nil
}

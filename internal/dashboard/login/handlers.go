// Package login serves the pages by which a person begins and ends a session, and sets a password or joins an account.
package login

import (
	"embed"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/dashboard/web"
)

// Handlers serves the pages.
type Handlers struct {
	*web.Frame
	Accounts *accounts.Service
	// SignOn is the log-in at an identity provider, nil if there is none. SignOnLabel is the text of its button.
	SignOn      SignOn
	SignOnLabel string
}

// Views are the templates of the pages.
//
//go:embed *.html
var Views embed.FS

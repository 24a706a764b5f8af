// Package settings serves the pages of an account's settings: the account itself, its users, its marketplaces, its
// export and deletion, and the audit log.
package settings

import (
	"embed"

	"github.com/cardvault/cardvault/internal/accounts/deletion"
	"github.com/cardvault/cardvault/internal/audit"
	"github.com/cardvault/cardvault/internal/dashboard/lookup"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/exports"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/spend"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/marketplaces/registry"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// Handlers serves the pages.
type Handlers struct {
	*web.Frame
	*lookup.Reader
	Audit          *audit.Log
	Exports        *exports.Service
	Deletions      *deletion.Service
	Identification *identify.Service
	Listings       *listings.Service
	Limits         ratelimit.Limits // of tokens without limits of their own
	Markets        registry.Markets
	// Spend is the budget of remote identification providers, or nil if there are none.
	Spend *spend.Budget
}

// Views are the templates of the pages.
//
//go:embed *.html
var Views embed.FS

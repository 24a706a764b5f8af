// Package home serves the first page: what there is to do, and how the account is doing.
package home

import (
	"embed"

	"github.com/cardvault/cardvault/internal/dashboard/imports"
	"github.com/cardvault/cardvault/internal/dashboard/lookup"
	"github.com/cardvault/cardvault/internal/dashboard/selling"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/marketplaces/registry"
	"github.com/cardvault/cardvault/internal/sales"
	"github.com/cardvault/cardvault/internal/stock"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// Handlers serves the pages.
type Handlers struct {
	*web.Frame
	*lookup.Reader
	Identification *identify.Service
	Sales          *sales.Service
	Stock          *stock.Service
	Listings       *listings.Service
	DeliveryLog    *webhooks.Log
	Selling        *selling.Handlers
	Imports        *imports.Handlers
	Markets        registry.Markets
}

// Views are the templates of the pages.
//
//go:embed *.html
var Views embed.FS

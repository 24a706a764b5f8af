// Package cardpage serves the page of a card and the review, which share the candidates of an identification.
package cardpage

import (
	"embed"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/dashboard/lookup"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/photos"
	"github.com/cardvault/cardvault/internal/pricing"
	"github.com/cardvault/cardvault/internal/sales"
)

// Handlers serves the pages.
type Handlers struct {
	*web.Frame
	*lookup.Reader
	Photos         *photos.Service
	Identification *identify.Service
	Catalog        *catalog.Service
	Pricing        *pricing.Service
	Listings       *listings.Service
	Sales          *sales.Service
}

// Views are the templates of the pages.
//
//go:embed *.html
var Views embed.FS

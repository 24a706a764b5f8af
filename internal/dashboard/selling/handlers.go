// Package selling serves the pages of listings and sales, and the sheet by which sold cards are taken from their
// shelves.
package selling

import (
	"embed"

	"github.com/cardvault/cardvault/internal/dashboard/lookup"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/listings/listingfile"
	"github.com/cardvault/cardvault/internal/sales"
)

// Handlers serves the pages.
type Handlers struct {
	*web.Frame
	*lookup.Reader
	Listings     *listings.Service
	ListingFiles *listingfile.Service
	Sales        *sales.Service
	// Markets are the names of the marketplaces.
	Markets []string
}

// Views are the templates of the pages.
//
//go:embed *.html
var Views embed.FS

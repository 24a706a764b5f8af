// Package cardlist serves the pages of all cards: the list with its filters and views, the search, and the file.
package cardlist

import (
	"embed"

	"github.com/cardvault/cardvault/internal/cards/csvfile"
	"github.com/cardvault/cardvault/internal/dashboard/lookup"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/views"
)

// Handlers serves the pages.
type Handlers struct {
	*web.Frame
	*lookup.Reader
	CSVFiles   *csvfile.Service
	SavedViews *views.Service
}

// Views are the templates of the pages.
//
//go:embed *.html
var Views embed.FS

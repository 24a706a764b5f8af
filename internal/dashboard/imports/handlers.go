// Package imports serves the pages that bring cards in, from files and photos, and the batches that they come in.
package imports

import (
	"embed"

	"github.com/cardvault/cardvault/internal/cards/csvfile"
	"github.com/cardvault/cardvault/internal/dashboard/lookup"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/photos"
)

// Handlers serves the pages.
type Handlers struct {
	*web.Frame
	*lookup.Reader
	CSVFiles *csvfile.Service
	Photos   *photos.Service
}

// Views are the templates of the pages.
//
//go:embed *.html
var Views embed.FS

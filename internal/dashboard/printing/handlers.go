// Package printing serves the pages that are printed: labels of cards, and sheets by which cards are found.
package printing

import (
	"embed"

	"github.com/cardvault/cardvault/internal/dashboard/lookup"
	"github.com/cardvault/cardvault/internal/dashboard/web"
)

// Handlers serves the pages.
type Handlers struct {
	*web.Frame
	*lookup.Reader
}

// Views are the templates of the pages.
//
//go:embed *.html
var Views embed.FS

// Package bulk serves the pages that change many cards at once, and the jobs that do so.
package bulk

import (
	"embed"

	"github.com/cardvault/cardvault/internal/dashboard/lookup"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/jobs"
	"github.com/cardvault/cardvault/internal/pricing"
)

// Handlers serves the pages.
type Handlers struct {
	*web.Frame
	*lookup.Reader
	Jobs    *jobs.Service
	Pricing *pricing.Service
}

// Views are the templates of the pages.
//
//go:embed *.html
var Views embed.FS

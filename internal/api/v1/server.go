// Package v1 answers the first version of the API: it converts between the generated types and
// the domain, one service call a request. No rule and no SQL lives here; generated types go no
// further.
package v1

import (
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/photos"
	"github.com/cardvault/cardvault/internal/pricing"
)

// Server implements the generated strict interface.
type Server struct {
	Cards          *cards.Service
	Batches        *batches.Service
	Photos         *photos.Service
	PhotoURLs      *photos.URLs
	Identification *identify.Service
	Pricing        *pricing.Service
	Listings       *listings.Service
	Events         *events.Reader
	Clock          clock.Clock
}

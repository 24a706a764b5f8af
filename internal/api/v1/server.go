// Package v1 implements the handlers of the first version of the API. Each handler converts the request, calls one
// method of a service and converts its result. The package contains no rules and no SQL, and the generated types are
// not used outside of it.
package v1

import (
	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/cards/csvfile"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/exports"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/jobs"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/photos"
	"github.com/cardvault/cardvault/internal/pricing"
	"github.com/cardvault/cardvault/internal/ratelimit"
	"github.com/cardvault/cardvault/internal/sales"
	"github.com/cardvault/cardvault/internal/stock"
	"github.com/cardvault/cardvault/internal/usage"
	"github.com/cardvault/cardvault/internal/users"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// Server implements the generated strict interface.
type Server struct {
	Accounts       *accounts.Service
	Users          *users.Service
	Cards          *cards.Service
	Batches        *batches.Service
	Photos         *photos.Service
	PhotoURLs      *photos.URLs
	Identification *identify.Service
	Catalog        *catalog.Service
	Pricing        *pricing.Service
	Listings       *listings.Service
	Jobs           *jobs.Service
	Imports        *csvfile.Service
	Exports        *exports.Service
	Sales          *sales.Service
	Events         *events.Reader
	Webhooks       *webhooks.Endpoints
	Deliveries     *webhooks.Deliveries
	DeliveryLog    *webhooks.Log
	Usage          *usage.Log
	Stock          *stock.Service
	Limits         ratelimit.Limits // of tokens without limits of their own
	Clock          clock.Clock
}

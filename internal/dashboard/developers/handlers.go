// Package developers serves the pages for programs: tokens, webhooks, their deliveries, and events.
package developers

import (
	"embed"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/ratelimit"
	"github.com/cardvault/cardvault/internal/usage"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// Handlers serves the pages.
type Handlers struct {
	*web.Frame
	Accounts    *accounts.Service
	Events      *events.Reader
	Webhooks    *webhooks.Endpoints
	Deliveries  *webhooks.Deliveries
	DeliveryLog *webhooks.Log
	Usage       *usage.Log
	Limits      ratelimit.Limits // of tokens without limits of their own
	// Limiter counts the requests of tokens. The pages only read it.
	Limiter ratelimit.Limiter
	// SharedLimiter is true if Limiter counts the requests to all processes of the service, not only to this one.
	SharedLimiter bool
}

// Views are the templates of the pages.
//
//go:embed *.html
var Views embed.FS

// Package marketplaces says what the service needs of a marketplace: put up a listing, take it
// down, learn what became of it. Each marketplace is a package below this one.
//
// It knows nothing of cards, accounts or the database, and it never decides when to ask again:
// that is for the life cycle in package listings.
package marketplaces

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/money"
)

// Marketplace is one seller's access to one marketplace. It is safe for concurrent use.
//
// An error that holds a *Refusal (AsRefusal) is final: the same call would be refused again. Every other error is
// worth another try; if it is a *fault.Error with a RetryAfter, not before that.
//
// Callers give each call a deadline shorter than their claim on the listing, so that no call of a
// worker that lost its claim is still under way when another one works on the listing.
type Marketplace interface {
	// Name is the marketplace's name in the API: "ebay" or "sandbox".
	Name() string

	// Publish puts the offer up as a live listing. It may be repeated after any outcome, a crash
	// included: an SKU that was published answers its first listing, and one whose listing was
	// ended is refused (CodeEnded), so that an SKU never has two listings.
	Publish(ctx context.Context, offer Offer) (Published, error)

	// End takes the listing down and answers what became of it: Ended, or Sold if a buyer was
	// faster. It may be repeated.
	End(ctx context.Context, ref Ref) (Status, error)

	// Status asks about one listing that was published. It costs one call, two or more if sold.
	Status(ctx context.Context, ref Ref) (Status, error)

	// Sales answers every sale since a time with one call per 200 sales, whatever the number of
	// live listings. It tells nothing of listings that ended unsold: marketplaces have no call
	// for that, so Status is to be asked of every live listing from time to time.
	Sales(ctx context.Context, since time.Time) (Sales, error)
}

// Ref names a listing that was published.
type Ref struct {
	SKU string
	// PublishedAt bounds the search for the order if the listing sold; the zero time means the
	// marketplace's own limit (eBay: 90 days).
	PublishedAt time.Time
}

// Published is a live listing.
type Published struct {
	ExternalID string // the marketplace's identifier of the listing
	URL        string // where a buyer sees it
}

// State is what became of a listing.
type State string

// The states of a listing at the marketplace.
const (
	// Unknown: the marketplace has nothing under this SKU.
	Unknown State = "unknown"
	Live    State = "live"
	Sold    State = "sold"
	Ended   State = "ended" // without a sale
)

// Why a listing ended without a sale: Status.EndReason.
const (
	// Withdrawn: by End, or by the seller through another program.
	Withdrawn = "withdrawn"
	// EndedAtMarketplace: by the seller or the marketplace on its own site.
	EndedAtMarketplace = "ended_at_marketplace"
)

// Status is what a marketplace says of one listing.
type Status struct {
	SKU        string
	State      State
	ExternalID string // "" if the marketplace no longer tells
	URL        string // "" if ExternalID is
	// SoldPrice and SoldAt are set when State is Sold; nil while the marketplace counts the sale
	// but does not show the order yet, which calls for asking again.
	SoldPrice *money.Money
	SoldAt    *time.Time
	// BuyerReference is the order's number at the marketplace: never the buyer's name.
	BuyerReference string
	EndReason      string // set when State is Ended
}

// Sales are the sales since a time.
type Sales struct {
	// Sold holds them in no order. Sales that were answered before can come again, and so can
	// sales of SKUs that this service never published.
	Sold []Status
	// Through is the since of the next call, by the marketplace's clock; never before the last.
	Through time.Time
}

// Refusal is a marketplace's final no. It is shown to the seller as the listing's failure.
type Refusal struct {
	Code    string
	Message string
}

// Error returns the code and the message.
func (r *Refusal) Error() string { return fmt.Sprintf("%s: %s", r.Code, r.Message) }

// AsRefusal returns the refusal in err's chain, if there is one.
func AsRefusal(err error) (*Refusal, bool) {
	var refusal *Refusal
	ok := errors.As(err, &refusal)
	return refusal, ok
}

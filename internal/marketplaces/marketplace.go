// Package marketplaces defines the interface of a marketplace: publish a listing, revise it, end it, and
// read its status and sales. Each marketplace is a package below this one.
//
// The package does not use cards, accounts or the database, and it never decides when to retry: package
// listings does.
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
// Publish, Revise and End take a list of different listings, at least one and at most as many as Limits says. They
// return a result per listing, in the same order. The result of a listing does not depend on the others, except that a
// call that fails as a whole, for example because the marketplace does not answer, is an error of every listing in it.
// Such an error is never a Refusal.
//
// An error that wraps a *Refusal (AsRefusal) is permanent: the same call would be refused again. One that wraps a
// *ConnectionError (AsConnectionError) can be retried once the account is connected again. Any other error can be
// retried; if it is a *fault.Error with a RetryAfter, after that time.
//
// The context of a call must end before the caller's claim on the listing, so that no call of a worker that lost its
// claim is still running when another worker handles the listing.
type Marketplace interface {
	// Name is the marketplace's name in the API: "ebay" or "sandbox".
	Name() string

	// Publish publishes offers as live listings. It is idempotent, also after a crash: for a ListingID that was
	// published it returns the first result, and for one whose listing ended it returns a Refusal (CodeEnded), so that
	// the marketplace never has two listings of one ListingID.
	Publish(ctx context.Context, offers []Offer) []Result

	// Revise gives live listings the titles and the prices of the offers and returns their states: Live, or the state
	// of a listing that is not live, which stays as it is. The listings keep their pictures. It is idempotent. Calls
	// for one listing must not overlap, because the last one to arrive wins.
	Revise(ctx context.Context, offers []Offer) []Result

	// End ends listings and returns their states: Ended, or Sold if a buyer was faster. It is idempotent.
	End(ctx context.Context, refs []Ref) []Result

	// Status returns the status of a published listing. It makes one API call, two or more if sold.
	Status(ctx context.Context, ref Ref) (Status, error)

	// Sales returns every sale since a time, with one API call per 200 sales, whatever the number of
	// live listings. It does not include listings that ended unsold, which marketplaces cannot list:
	// callers check the Status of every live listing from time to time.
	Sales(ctx context.Context, since time.Time) (Sales, error)
}

// Ref identifies a published listing.
type Ref struct {
	ListingID string // of the offer
	// PublishedAt limits the search for the order if the listing was sold. The zero time means the
	// marketplace's own limit (eBay: 90 days).
	PublishedAt time.Time
}

// State is the state of a listing at the marketplace.
type State string

// The states of a listing.
const (
	// Unknown: the marketplace does not have this listing.
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

// Status is the status of one listing at the marketplace.
type Status struct {
	ListingID  string // of the offer
	State      State
	ExternalID string // "" if the marketplace no longer returns it
	URL        string // "" if ExternalID is
	// SoldPrice and SoldAt are set if State is Sold. They are nil while the marketplace counts the sale
	// but does not return the order yet: the caller has to ask again.
	SoldPrice *money.Money
	SoldAt    *time.Time
	// BuyerReference is the order's number at the marketplace: never the buyer's name.
	BuyerReference string
	// Order is set if SoldPrice is.
	Order     *Order
	EndReason string // set when State is Ended
}

// Result is the outcome of a call for one listing: its status, or an error.
type Result struct {
	Status
	Err error
}

// Each calls do for each listing of a list. It is for marketplaces that have no call for several listings.
func Each[T Offer | Ref](list []T, do func(T) (Status, error)) []Result {
	results := make([]Result, len(list))
	for i, listing := range list {
		results[i].Status, results[i].Err = do(listing)
	}
	return results
}

// Order is the listing's part of an order. Amounts are in the currency of SoldPrice, without taxes.
type Order struct {
	Shipping int64  // what the buyer paid for delivery
	Fee      *int64 // of the marketplace; nil while it is not known
	Refunded int64  // what the buyer got back of the price and the delivery
	// Cancelled is true if the order was cancelled. Then it is no sale, and the card stays with the seller.
	Cancelled bool
}

// Sales are the sales since a time.
type Sales struct {
	// Sold is not ordered. It contains sales whose order changed, such as by a refund. It can contain sales that an
	// earlier call returned, and sales of listings that this service did not publish.
	Sold []Status
	// Through is the time from which the next call should read, by the marketplace's clock. It never decreases.
	Through time.Time
}

// Refusal is a permanent error of a marketplace. The seller sees it as the listing's failure.
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

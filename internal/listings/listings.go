// Package listings is the life of a card on a marketplace: from the request to publish it, over
// the listing that buyers see, to its sale or its end.
//
// A request is written down and answered at once; a Worker talks to the marketplace, outside any
// transaction and repeatably: the listing's identifier is the marketplace's SKU, so that no crash,
// retry or double click makes two marketplace listings of one card. The package never changes a
// card itself: what a listing means for its card goes through package cards, in the same
// transaction.
package listings

import (
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
)

// Status is where a listing is in its life.
type Status string

// The statuses: publishing → live → sold or ended, publishing → failed, live → ending → ended, or
// ending → sold where a buyer was faster.
const (
	Publishing Status = "publishing"
	Live       Status = "live"
	Ending     Status = "ending"
	Sold       Status = "sold"
	Ended      Status = "ended"
	Failed     Status = "failed"
)

// Why a listing ended without a sale: Listing.EndReason.
const (
	// EndedBySeller: by End, or by the seller through another program.
	EndedBySeller = "ended_by_seller"
	// EndedAtMarketplace: by the seller or the marketplace on the marketplace's site.
	EndedAtMarketplace = "ended_at_marketplace"
	// NotAtMarketplace: the marketplace no longer knows the listing.
	NotAtMarketplace = "not_at_marketplace"
)

// Unreachable is the failure's code of a listing that could not be published for a day.
const Unreachable = "marketplace_unreachable"

// Listing is one card on one marketplace. Optional values are nil until they apply.
type Listing struct {
	AccountID      string
	ID             string
	CardID         string
	Marketplace    string
	Status         Status
	Title          string // at most 80 characters
	Price          money.Money
	ExternalID     *string // the marketplace's identifier
	URL            *string // where a buyer sees it
	Failure        *Failure
	SoldPrice      *money.Money
	BuyerReference *string // the order's number at the marketplace
	EndReason      *string
	PublishedAt    *time.Time // when the service learned that it is live
	SoldAt         *time.Time // when the buyer bought, by the marketplace's clock
	EndedAt        *time.Time // when the service learned that it ended
	Version        int64
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// Failure is why a listing did not go live, in words for the seller.
type Failure struct{ Code, Message string }

// UnderWay reports whether the listing is publishing, live or ending.
func (l Listing) UnderWay() bool {
	return l.Status == Publishing || l.Status == Live || l.Status == Ending
}

// Filter chooses listings; the zero Filter chooses all. Every condition given must hold.
type Filter struct {
	Statuses     []Status
	Card         *string
	Marketplace  *string
	UpdatedSince *time.Time // inclusive; also turns the order into that of change
}

// NotFound is the fault of a listing that the account does not have, whatever the reason.
func NotFound() error {
	return fault.NotFound(fault.ListingNotFound)
}

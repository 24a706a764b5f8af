// Package listings manages the listings of cards on marketplaces, from the request to publish a card
// to its sale or the end of the listing.
//
// A listing has one price: the card's asking price. Reviser has a live listing revised when package cards changes that
// price, and Service.Update changes both.
//
// Service stores a request and returns at once. Worker then calls the marketplace outside any
// transaction. Its calls are idempotent: the listing's identifier is the marketplace's SKU, so no crash,
// retry or double click creates two marketplace listings of one card. The package never changes cards
// itself: it calls package cards, in the same transaction.
package listings

import (
	"time"

	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/money"
)

// Status is the state of a listing.
type Status string

// The statuses: publishing → live → sold or ended, publishing → failed, live → ending → ended, or
// ending → sold if a buyer was faster.
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

// SoldElsewhere is the end reason of a listing whose card was sold elsewhere, and the failure code if the listing was
// not live yet. The end reason is set while the listing is still publishing or ending.
const SoldElsewhere = "sold_elsewhere"

// Unreachable is the failure code of a listing that could not be published for a day.
const Unreachable = "marketplace_unreachable"

// Listing is one card on one marketplace. Optional values are nil until they apply.
type Listing struct {
	AccountID      string
	ID             string
	CardID         string
	Marketplace    string
	Status         Status
	Title          string // at most 80 characters; the wanted one while a revision is pending
	Price          money.Money
	ExternalID     *string // the marketplace's identifier
	URL            *string // where a buyer sees it
	Failure        *Failure
	Revision       Revision
	SoldPrice      *money.Money
	BuyerReference *string // the order's number at the marketplace
	EndReason      *string // also of a listing that is to end
	// Order is the order of a sale that is being recorded. It is not stored with the listing.
	Order       *marketplaces.Order
	PublishedAt *time.Time // when the service learned that it is live
	SoldAt      *time.Time // when the buyer bought, by the marketplace's clock
	EndedAt     *time.Time // when the service learned that it ended
	Version     int64
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// Failure tells the seller why a listing did not go live or was not revised.
type Failure struct{ Code, Message string }

// RevisionStatus is the state of a revision.
type RevisionStatus string

// The statuses: none → pending → done or failed → pending. A listing that leaves live with a pending revision has none.
const (
	RevisionNone    RevisionStatus = "none"
	RevisionPending RevisionStatus = "pending"
	RevisionDone    RevisionStatus = "done"
	RevisionFailed  RevisionStatus = "failed"
)

// Revision is the last change of the title or the price of a live listing.
type Revision struct {
	Status  RevisionStatus
	Failure *Failure // if the marketplace refused it
	// DelayedUntil is set while a pending revision waits because the listing was revised too often today.
	DelayedUntil *time.Time
}

// Shown returns the revision as events and responses show it.
func (r Revision) Shown() events.ListingRevision {
	shown := events.ListingRevision{Status: string(r.Status)}
	if r.Failure != nil {
		shown.Failure = &events.RevisionFailure{Code: r.Failure.Code, Message: r.Failure.Message}
	}
	return shown
}

// UnderWay reports whether the listing is publishing, live or ending.
func (l Listing) UnderWay() bool {
	return l.Status == Publishing || l.Status == Live || l.Status == Ending
}

// Filter selects the listings that meet all of its conditions. The zero Filter selects all.
type Filter struct {
	Statuses     []Status
	Card         *string
	Marketplace  *string
	UpdatedSince *time.Time // inclusive; also orders the list by UpdatedAt
}

// NotFound returns the error for a listing that the account does not have.
func NotFound() error {
	return fault.NotFound(fault.ListingNotFound)
}

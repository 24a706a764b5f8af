// Package cards stores the cards of accounts and enforces the rules of their workflow. Service is the
// only way to change a card. Every update runs in a transaction that holds the account's clock, moves the
// status along allowed transitions and records one event for each.
//
// The package never calls a marketplace, an identification provider or a photo store: their packages
// call this one with their results.
package cards

import (
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/money"
)

// IdentificationStatus says whether a card is identified.
type IdentificationStatus string

// The statuses of an identification.
const (
	IdentificationNone    IdentificationStatus = "none"    // not identified, and not waiting for it
	IdentificationPending IdentificationStatus = "pending" // enqueued, or waits for a photo that is being fetched
	IdentificationDone    IdentificationStatus = "identified"
	IdentificationFailed  IdentificationStatus = "failed"
)

var identificationStatuses = []IdentificationStatus{
	IdentificationNone, IdentificationPending, IdentificationDone, IdentificationFailed,
}

// The sources of an identification.
const (
	SourceAI     = "ai"
	SourceManual = "manual"
)

// Identification describes a card and how it was identified.
type Identification struct {
	Status       IdentificationStatus
	Source       *string  // SourceAI or SourceManual
	Provider     *string  // the provider whose result was accepted
	Confidence   *float64 // of the provider, from 0 to 1
	IdentifiedAt *time.Time
	Description
}

// Description identifies the printing and the copy of a card.
type Description struct {
	Title     *string `json:"title,omitempty"`
	Set       *string `json:"set,omitempty"`
	Number    *string `json:"number,omitempty"` // n/m where the set has a printed total
	CatalogID *string `json:"catalog_id,omitempty"`
	Game      *string `json:"game,omitempty"`
	Year      *int32  `json:"year,omitempty"`
	Variant   *string `json:"variant,omitempty"`
	Language  *string `json:"language,omitempty"` // BCP 47
	Condition *string `json:"condition,omitempty"`
	Grade     *Grade  `json:"grade,omitempty"`
}

// Grade is a grading company's grade of a card.
type Grade struct {
	Company    string  `json:"company"`
	Value      string  `json:"value"`
	CertNumber *string `json:"cert_number,omitempty"`
}

// Pricing is the asking price, the floor price and the cost of a card.
type Pricing struct {
	AskingPrice *money.Money
	FloorPrice  *money.Money // lowest asking price of the card; nil means the account's
	Cost        *money.Money
	PricedAt    *time.Time // when the asking price was set; nil if there is none
	// EverPriced is true if the card ever had an asking price: card.priced is recorded for the first one only.
	EverPriced bool
}

// ListingRef is the newest listing that is publishing, live, ending or sold.
type ListingRef struct {
	ID     string
	Status string
}

// The statuses a ListingRef can have.
const (
	ListingPublishing = "publishing"
	ListingLive       = "live"
	ListingEnding     = "ending"
	ListingSold       = "sold"
)

// Role is the role of a photo: what it shows.
type Role string

// The roles.
const (
	RoleFront   Role = "front"
	RoleBack    Role = "back"
	RoleListing Role = "listing"
)

// Roles lists the roles in display order.
var Roles = []Role{RoleFront, RoleBack, RoleListing}

// PhotoStatus says whether a photo can be shown.
type PhotoStatus string

// The statuses of a photo.
const (
	PhotoPending PhotoStatus = "pending" // to be fetched from its URL
	PhotoReady   PhotoStatus = "ready"
	PhotoFailed  PhotoStatus = "failed"
)

// Photo is one photo of a card.
type Photo struct {
	ID          string      `json:"id"`
	Role        Role        `json:"role"`
	Status      PhotoStatus `json:"status"`
	ContentType string      `json:"content_type,omitempty"`
	Width       int         `json:"width,omitempty"`  // pixels
	Height      int         `json:"height,omitempty"` // pixels
	Size        int64       `json:"size,omitempty"`   // bytes; 0 if it was stored before sizes were
	Failure     string      `json:"failure,omitempty"`
}

// Facts returns the facts that determine the card's status.
func (c *Card) Facts() Facts {
	return Facts{
		Identified:   c.Identification.Title != nil,
		Failed:       c.Identification.Status == IdentificationFailed,
		Priced:       c.Pricing.AskingPrice != nil,
		ListingPhoto: c.photo(RoleListing) != nil,
		Live:         c.Listing != nil && (c.Listing.Status == ListingLive || c.Listing.Status == ListingEnding),
		Sold:         c.Sold(),
		Archived:     c.Archived,
	}
}

// UnderWay reports whether a listing of the card is publishing, live or ending.
func (c *Card) UnderWay() bool { return c.Listing != nil && c.Listing.Status != ListingSold }

// Sold reports whether the card was sold and did not come back. A process of an earlier version marks the listing only.
func (c *Card) Sold() bool {
	return c.SaleID != nil || c.Listing != nil && c.Listing.Status == ListingSold
}

// BestPhoto returns the best ready photo for identification: the front, else the listing photo, else nil.
func (c *Card) BestPhoto() *Photo {
	if p := c.photo(RoleFront); p != nil {
		return p
	}
	return c.photo(RoleListing)
}

// ReadyPhotos returns the photos that can be shown.
func (c *Card) ReadyPhotos() []Photo {
	var ready []Photo
	for _, p := range c.Photos {
		if p.Status == PhotoReady {
			ready = append(ready, p)
		}
	}
	return ready
}

// PhotosForSale returns the photos that can be shown in the order in which a listing shows them: the one made for it
// first.
func (c *Card) PhotosForSale() []Photo {
	ready := c.ReadyPhotos()
	slices.SortStableFunc(ready, func(p, q Photo) int { return place(p.Role) - place(q.Role) })
	return ready
}

func place(role Role) int { return slices.Index([]Role{RoleListing, RoleFront, RoleBack}, role) }

// photo returns the ready photo of the role, or nil.
func (c *Card) photo(role Role) *Photo {
	for i := range c.Photos {
		if p := &c.Photos[i]; p.Role == role && p.Status == PhotoReady {
			return p
		}
	}
	return nil
}

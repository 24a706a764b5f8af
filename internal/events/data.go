package events

import (
	"slices"

	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// Kind is the name of an event.
type Kind string

// The kinds (openapi/v1.yaml, EventKind).
const (
	KindCardIdentified            Kind = "card.identified"
	KindCardPriced                Kind = "card.priced"
	KindCardWorkflowStatusChanged Kind = "card.workflow_status_changed"
	KindListingPublished          Kind = "listing.published"
	KindListingSold               Kind = "listing.sold"
	KindListingEnded              Kind = "listing.ended"
	KindBatchCompleted            Kind = "batch.completed"
	KindIdentifyFailed            Kind = "identify.failed"
	KindCardUpdated               Kind = "card.updated"
	KindCardDeleted               Kind = "card.deleted"
	KindCardRestored              Kind = "card.restored"
	KindSaleCreated               Kind = "sale.created"
	KindSaleRefunded              Kind = "sale.refunded"
	KindListingUpdated            Kind = "listing.updated"
	KindSaleVoided                Kind = "sale.voided"
)

// DefaultKinds are the kinds that an endpoint gets that names none.
var DefaultKinds = []Kind{
	KindCardIdentified, KindCardPriced, KindCardWorkflowStatusChanged, KindListingPublished,
	KindListingSold, KindListingEnded, KindBatchCompleted, KindIdentifyFailed,
}

// Kinds lists every kind: the default kinds, then the kinds that only an endpoint that names them receives.
var Kinds = append(slices.Clone(DefaultKinds),
	KindCardUpdated, KindCardDeleted, KindCardRestored, KindSaleCreated, KindSaleRefunded, KindListingUpdated,
	KindSaleVoided)

// onDemand are the kinds that are recorded only while an endpoint of the account names them, because every change
// causes such an event.
var onDemand = []Kind{KindCardUpdated, KindListingUpdated}

// Data is the data object of one kind.
type Data interface{ Kind() Kind }

// Card describes the card of an event. Unknown fields are "". Every kind except batch.completed embeds it, so a field
// of Card is a field of all these kinds.
type Card struct {
	CardID string `json:"card_id"`
	Title  string `json:"title"`
	Set    string `json:"set"`
	Number string `json:"number"`
}

// CardIdentified fires when a card is identified for the first time, by AI or manually.
type CardIdentified struct{ Card }

// CardPriced fires when a card gets an asking price for the first time.
type CardPriced struct {
	Card
	AskingPrice money.Money `json:"asking_price"`
}

// CardWorkflowStatusChanged fires for each change of a card's workflow status.
type CardWorkflowStatusChanged struct {
	Card
	PreviousStatus string `json:"previous_status"`
	Status         string `json:"status"`
}

// ListingPublished fires when a listing goes live.
type ListingPublished struct {
	Card
	ListingID   string      `json:"listing_id"`
	Marketplace string      `json:"marketplace"`
	ExternalID  string      `json:"external_id"`
	URL         string      `json:"url"`
	Price       money.Money `json:"price"`
}

// ListingSold fires when a listing closes with a sale.
type ListingSold struct {
	Card
	ListingID   string         `json:"listing_id"`
	Marketplace string         `json:"marketplace"`
	ExternalID  string         `json:"external_id"`
	SoldPrice   money.Money    `json:"sold_price"`
	SoldAt      timestamp.Time `json:"sold_at"`
}

// ListingEnded fires when a listing ends without a sale.
type ListingEnded struct {
	Card
	ListingID   string         `json:"listing_id"`
	Marketplace string         `json:"marketplace"`
	ExternalID  string         `json:"external_id"`
	EndReason   string         `json:"end_reason"`
	EndedAt     timestamp.Time `json:"ended_at"`
}

// BatchCompleted fires when a batch is marked complete.
type BatchCompleted struct {
	BatchID     string         `json:"batch_id"`
	Name        string         `json:"name"`
	CardCount   int            `json:"card_count"`
	CompletedAt timestamp.Time `json:"completed_at"`
}

// IdentifyFailed fires when every identification provider failed for a card.
type IdentifyFailed struct {
	Card
	Attempts []IdentifyAttempt `json:"attempts"`
}

// IdentifyAttempt is how one provider failed.
type IdentifyAttempt struct {
	Provider string `json:"provider"`
	Outcome  string `json:"outcome"`
	Message  string `json:"message"`
}

// CardUpdated fires for each version of a card after the first. It is recorded on demand.
type CardUpdated struct {
	CardID  string   `json:"card_id"`
	Version int64    `json:"version"`
	Changed []string `json:"changed"` // paths of the changed fields, such as "pricing.asking_price"
}

// CardDeleted fires when a card is deleted.
type CardDeleted struct{ Card }

// CardRestored fires when a deleted card comes back.
type CardRestored struct{ Card }

// SaleCreated fires when a sale is recorded.
type SaleCreated struct {
	Card
	SaleID    string         `json:"sale_id"`
	ListingID *string        `json:"listing_id"`
	Channel   string         `json:"channel"`
	Gross     money.Money    `json:"gross"`
	SoldAt    timestamp.Time `json:"sold_at"`
}

// SaleRefunded fires for each refund of a sale.
type SaleRefunded struct {
	Card
	SaleID    string      `json:"sale_id"`
	Amount    money.Money `json:"amount"`
	Refunded  money.Money `json:"refunded"` // the total, this refund included
	Status    string      `json:"status"`
	Restocked bool        `json:"restocked"`
}

// SaleVoided fires when a sale is voided.
type SaleVoided struct {
	Card
	SaleID    string         `json:"sale_id"`
	Channel   string         `json:"channel"`
	Gross     money.Money    `json:"gross"`
	SoldAt    timestamp.Time `json:"sold_at"`
	VoidedAt  timestamp.Time `json:"voided_at"`
	Restocked bool           `json:"restocked"`
}

// ListingUpdated fires when a revision of a live listing is requested, done or refused. It is recorded on demand.
type ListingUpdated struct {
	Card
	ListingID    string          `json:"listing_id"`
	Marketplace  string          `json:"marketplace"`
	ExternalID   string          `json:"external_id"`
	ListingTitle string          `json:"listing_title"`
	Price        money.Money     `json:"price"`
	Revision     ListingRevision `json:"revision"`
}

// ListingRevision is the state of a revision.
type ListingRevision struct {
	Status  string           `json:"status"`
	Failure *RevisionFailure `json:"failure"`
}

// RevisionFailure is why the marketplace refused a revision.
type RevisionFailure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Kind implements Data.
func (CardIdentified) Kind() Kind { return KindCardIdentified }

// Kind implements Data.
func (CardPriced) Kind() Kind { return KindCardPriced }

// Kind implements Data.
func (CardWorkflowStatusChanged) Kind() Kind { return KindCardWorkflowStatusChanged }

// Kind implements Data.
func (ListingPublished) Kind() Kind { return KindListingPublished }

// Kind implements Data.
func (ListingSold) Kind() Kind { return KindListingSold }

// Kind implements Data.
func (ListingEnded) Kind() Kind { return KindListingEnded }

// Kind implements Data.
func (BatchCompleted) Kind() Kind { return KindBatchCompleted }

// Kind implements Data.
func (IdentifyFailed) Kind() Kind { return KindIdentifyFailed }

// Kind implements Data.
func (CardUpdated) Kind() Kind { return KindCardUpdated }

// Kind implements Data.
func (CardDeleted) Kind() Kind { return KindCardDeleted }

// Kind implements Data.
func (CardRestored) Kind() Kind { return KindCardRestored }

// Kind implements Data.
func (SaleCreated) Kind() Kind { return KindSaleCreated }

// Kind implements Data.
func (SaleRefunded) Kind() Kind { return KindSaleRefunded }

// Kind implements Data.
func (SaleVoided) Kind() Kind { return KindSaleVoided }

// Kind implements Data.
func (ListingUpdated) Kind() Kind { return KindListingUpdated }

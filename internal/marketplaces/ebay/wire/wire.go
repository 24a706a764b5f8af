// Package wire defines the types and constants of eBay's Sell Inventory v1 and Sell Fulfillment v1 APIs
// that single cards need. Names are eBay's.
//
// Both sides use it: the marketplace adapter and the sandbox marketplace. It makes no calls and has no
// rules.
package wire

// InventoryItem is the body of createOrReplaceInventoryItem.
type InventoryItem struct {
	Product              Product               `json:"product"`
	Condition            string                `json:"condition,omitempty"` // ConditionEnum
	ConditionDescriptors []ConditionDescriptor `json:"conditionDescriptors,omitempty"`
	Availability         Availability          `json:"availability"`
}

// Product describes the item for sale.
type Product struct {
	Title       string              `json:"title,omitempty"` // at most 80 characters
	Description string              `json:"description,omitempty"`
	ImageURLs   []string            `json:"imageUrls,omitempty"` // 1 to 24
	Aspects     map[string][]string `json:"aspects,omitempty"`
}

// ConditionDescriptor describes one attribute of a card's condition. Name and values are numeric identifiers.
type ConditionDescriptor struct {
	Name           string   `json:"name"`
	Values         []string `json:"values,omitempty"`
	AdditionalInfo string   `json:"additionalInfo,omitempty"` // at most 30 characters
}

// Availability is the available quantity.
type Availability struct {
	ShipToLocationAvailability ShipToLocationAvailability `json:"shipToLocationAvailability"`
}

// ShipToLocationAvailability is the quantity that can be shipped.
type ShipToLocationAvailability struct {
	Quantity int `json:"quantity"`
}

// OfferTerms are the fields that createOffer, updateOffer and getOffer share.
type OfferTerms struct {
	AvailableQuantity   int             `json:"availableQuantity"`
	CategoryID          string          `json:"categoryId,omitempty"`
	ListingDescription  string          `json:"listingDescription,omitempty"`
	ListingDuration     string          `json:"listingDuration,omitempty"`
	ListingPolicies     ListingPolicies `json:"listingPolicies"`
	MerchantLocationKey string          `json:"merchantLocationKey,omitempty"`
	PricingSummary      PricingSummary  `json:"pricingSummary"`
}

// NewOffer is the body of createOffer.
type NewOffer struct {
	SKU           string `json:"sku"`
	MarketplaceID string `json:"marketplaceId"`
	Format        string `json:"format"`
	OfferTerms
}

// Offer is the response of getOffer and an element of getOffers.
type Offer struct {
	OfferID       string          `json:"offerId"`
	SKU           string          `json:"sku"`
	MarketplaceID string          `json:"marketplaceId"`
	Format        string          `json:"format"`
	Status        string          `json:"status"` // Published or Unpublished
	Listing       *ListingDetails `json:"listing,omitempty"`
	OfferTerms
}

// Offers is a page of getOffers.
type Offers struct {
	Href   string  `json:"href,omitempty"`
	Limit  int     `json:"limit"`
	Size   int     `json:"size"`
	Total  int     `json:"total"`
	Offers []Offer `json:"offers"`
}

// ListingDetails is the listing of an offer that is or was published.
type ListingDetails struct {
	ListingID     string `json:"listingId"`
	ListingStatus string `json:"listingStatus"`
	SoldQuantity  int    `json:"soldQuantity"`
}

// ListingPolicies are the seller's business policies.
type ListingPolicies struct {
	FulfillmentPolicyID string `json:"fulfillmentPolicyId,omitempty"`
	PaymentPolicyID     string `json:"paymentPolicyId,omitempty"`
	ReturnPolicyID      string `json:"returnPolicyId,omitempty"`
}

// PricingSummary is the asking price.
type PricingSummary struct {
	Price *Amount `json:"price,omitempty"`
}

// Amount is money in eBay's format: {"value": "12.50", "currency": "USD"}.
type Amount struct {
	Value    string `json:"value"`
	Currency string `json:"currency"`
}

// OfferCreated is the response of createOffer and updateOffer.
type OfferCreated struct {
	OfferID string `json:"offerId"`
}

// ListingChanged is the response of publishOffer and withdrawOffer.
type ListingChanged struct {
	ListingID string `json:"listingId"`
}

// Orders is a page of getOrders.
type Orders struct {
	Href   string  `json:"href"`
	Next   string  `json:"next,omitempty"` // absent on the last page
	Limit  int     `json:"limit"`
	Offset int     `json:"offset"`
	Total  int     `json:"total"`
	Orders []Order `json:"orders"`
}

// Order is one purchase. Dates are ISO 8601 in UTC with milliseconds.
type Order struct {
	OrderID            string       `json:"orderId"`
	CreationDate       string       `json:"creationDate"`
	LastModifiedDate   string       `json:"lastModifiedDate"`
	OrderPaymentStatus string       `json:"orderPaymentStatus"`
	CancelStatus       CancelStatus `json:"cancelStatus"`
	Buyer              Buyer        `json:"buyer"`
	LineItems          []LineItem   `json:"lineItems"`

	OrderFulfillmentStatus string         `json:"orderFulfillmentStatus,omitempty"`
	SellerID               string         `json:"sellerId,omitempty"`
	PaymentSummary         PaymentSummary `json:"paymentSummary"`
	PricingSummary         OrderPricing   `json:"pricingSummary"`
	TotalMarketplaceFee    *Amount        `json:"totalMarketplaceFee,omitempty"`
}

// CancelStatus tells whether the order was cancelled.
type CancelStatus struct {
	CancelState    string          `json:"cancelState"`
	CancelledDate  string          `json:"cancelledDate,omitempty"`
	CancelRequests []CancelRequest `json:"cancelRequests"` // filled by getOrder only
}

// Buyer is the buyer of an order.
type Buyer struct {
	Username string `json:"username"`
}

// LineItem is one listing's part of an order.
type LineItem struct {
	LineItemID   string `json:"lineItemId"`
	LegacyItemID string `json:"legacyItemId"` // the listing's identifier
	SKU          string `json:"sku,omitempty"`
	Title        string `json:"title"`
	Quantity     int    `json:"quantity"`
	LineItemCost Amount `json:"lineItemCost"` // the price, without delivery and taxes
	// DiscountedLineItemCost is the price after a promotion, if there was one.
	DiscountedLineItemCost *Amount      `json:"discountedLineItemCost,omitempty"`
	DeliveryCost           DeliveryCost `json:"deliveryCost"`
	Total                  Amount       `json:"total"` // the price with delivery
	Refunds                []Refund     `json:"refunds"`
	ListingMarketplaceID   string       `json:"listingMarketplaceId,omitempty"`
	SoldFormat             string       `json:"soldFormat,omitempty"`
}

// ErrorBody is the body of every error response.
type ErrorBody struct {
	Errors []Error `json:"errors"`
}

// Error is one error of a response.
type Error struct {
	ErrorID     int         `json:"errorId"`
	Domain      string      `json:"domain"`
	Category    string      `json:"category"`
	Message     string      `json:"message"`
	LongMessage string      `json:"longMessage,omitempty"`
	Parameters  []Parameter `json:"parameters,omitempty"`
}

// Parameter is a value that an error refers to.
type Parameter struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Values of Offer.Status and NewOffer.Format.
const (
	Published   = "PUBLISHED"
	Unpublished = "UNPUBLISHED"
	FixedPrice  = "FIXED_PRICE"
)

// Values of ListingDetails.ListingStatus (ListingStatusEnum) that this package tells apart.
const (
	ListingActive     = "ACTIVE"
	ListingOutOfStock = "OUT_OF_STOCK"
	ListingEnded      = "ENDED"
)

// GoodTillCancelled is the only duration of a fixed-price listing.
const GoodTillCancelled = "GTC"

// Values of CancelStatus.CancelState.
const (
	Cancelled     = "CANCELED"
	NotCancelling = "NONE_REQUESTED"
)

// TimeFormat is the format of times.
const TimeFormat = "2006-01-02T15:04:05.000Z"

// MaxRevisions is how often a listing may be revised in a calendar day.
const MaxRevisions = 250

// Paths of the two contracts.
const (
	InventoryPath   = "/sell/inventory/v1"
	FulfillmentPath = "/sell/fulfillment/v1"
)

// The error ids that the service handles. Others are passed on to the seller.
const (
	UserError        = 25002 // on createOffer with a parameter offerId: the offer exists already
	SKUNotFound      = 25702
	NotFound         = 25710 // the resource that the request names does not exist
	OfferNotFound    = 25713
	InvalidToken     = 1001
	MissingToken     = 1002
	AccessDenied     = 1100 // the token lacks the scope of the call
	QuotaUsed        = 2001 // the calls of the day, or of some seconds, are used up; with status 429
	UnsupportedMedia = 2005 // with status 415
	ParameterOffer   = "offerId"
)

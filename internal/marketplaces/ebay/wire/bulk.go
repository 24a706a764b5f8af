package wire

// MaxBulk is the largest number of elements of a bulk call.
const MaxBulk = 25

// BulkSKUs is the body of bulkGetInventoryItem.
type BulkSKUs struct {
	Requests []SKURequest `json:"requests"`
}

// SKURequest names an inventory item.
type SKURequest struct {
	SKU string `json:"sku"`
}

// BulkItems is the body of bulkCreateOrReplaceInventoryItem.
type BulkItems struct {
	Requests []BulkItem `json:"requests"`
}

// BulkItem is one inventory item of a bulk call. Locale is the language of its texts, such as "en_US".
type BulkItem struct {
	SKU    string `json:"sku"`
	Locale string `json:"locale"`
	InventoryItem
}

// BulkOffers is the body of bulkCreateOffer.
type BulkOffers struct {
	Requests []NewOffer `json:"requests"`
}

// BulkPublish is the body of bulkPublishOffer.
type BulkPublish struct {
	Requests []OfferCreated `json:"requests"`
}

// BulkPrices is the body of bulkUpdatePriceQuantity.
type BulkPrices struct {
	Requests []PriceQuantity `json:"requests"`
}

// PriceQuantity changes the quantity of an inventory item, and prices and quantities of published offers.
type PriceQuantity struct {
	SKU                        string                      `json:"sku,omitempty"`
	ShipToLocationAvailability *ShipToLocationAvailability `json:"shipToLocationAvailability,omitempty"`
	Offers                     []OfferPrice                `json:"offers,omitempty"`
}

// OfferPrice changes a published offer. Nil fields stay as they are.
type OfferPrice struct {
	OfferID           string  `json:"offerId"`
	AvailableQuantity *int    `json:"availableQuantity,omitempty"`
	Price             *Amount `json:"price,omitempty"`
}

// BulkResponses is the response of a bulk call. Its status is 200 if all elements succeeded, else 207.
type BulkResponses struct {
	Responses []BulkResponse `json:"responses"`
}

// BulkResponse is the result of one element. Which identifiers it has depends on the call.
type BulkResponse struct {
	StatusCode    int     `json:"statusCode"`
	SKU           string  `json:"sku,omitempty"`
	Locale        string  `json:"locale,omitempty"`
	MarketplaceID string  `json:"marketplaceId,omitempty"`
	Format        string  `json:"format,omitempty"`
	OfferID       string  `json:"offerId,omitempty"`
	ListingID     string  `json:"listingId,omitempty"`
	Errors        []Error `json:"errors,omitempty"`
	Warnings      []Error `json:"warnings,omitempty"`

	InventoryItem *InventoryItem `json:"inventoryItem,omitempty"` // of bulkGetInventoryItem
}

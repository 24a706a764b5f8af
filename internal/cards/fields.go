package cards

import (
	"time"

	"github.com/cardvault/cardvault/internal/money"
)

// Card is one card of an account. Optional values are nil when missing.
type Card struct {
	AccountID      string
	ID             string
	Status         Status
	Identification Identification
	Pricing        Pricing
	Location       *string
	BatchID        *string
	Listing        *ListingRef
	SaleID         *string // the sale by which the card is sold
	Archived       bool
	Photos         []Photo // at most one per role, in the order of Roles
	SKU            *string
	ExternalID     *string // the owner's identifier; unique in the account
	Notes          *string
	Metadata       map[string]string // values of the owner; nil if there are none
	// AutoIdentify is true while the card waits to be identified automatically.
	AutoIdentify bool
	Version      int64
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// Patch holds the values that an owner can change. Fields that are not set stay unchanged. Patches are stored as JSON,
// in which such fields are absent and null clears a field.
type Patch struct {
	Title       Field[string]      `json:"title,omitzero"`
	Set         Field[string]      `json:"set,omitzero"`
	Number      Field[string]      `json:"number,omitzero"`
	CatalogID   Field[string]      `json:"catalog_id,omitzero"`
	Game        Field[string]      `json:"game,omitzero"`
	Variant     Field[string]      `json:"variant,omitzero"`
	Language    Field[string]      `json:"language,omitzero"`
	Condition   Field[string]      `json:"condition,omitzero"`
	Year        Field[int32]       `json:"year,omitzero"`
	Grade       Field[Grade]       `json:"grade,omitzero"`
	AskingPrice Field[money.Money] `json:"asking_price,omitzero"`
	FloorPrice  Field[money.Money] `json:"floor_price,omitzero"`
	Cost        Field[money.Money] `json:"cost,omitzero"`
	Location    Field[string]      `json:"location,omitzero"`
	SKU         Field[string]      `json:"sku,omitzero"`
	ExternalID  Field[string]      `json:"external_id,omitzero"`
	Notes       Field[string]      `json:"notes,omitzero"`
	BatchID     Field[string]      `json:"batch_id,omitzero"`
	// Metadata sets the values of the given keys and removes the keys with nil. Clear removes all keys.
	Metadata Field[map[string]*string] `json:"metadata,omitzero"`
	Archived *bool                     `json:"archived,omitempty"`
}

// fields are the fields of a card that clients see, in the order in which a history shows them. The fields that owners
// change come with their columns, limits, and places in Card and Patch. All code that handles every field iterates over
// this table: patches, checks, changes, the store, quotas, CSV files, requests and forms. It lacks metadata, which has
// a change for each key, and version, created_at and updated_at, which follow from the changes.
var fields = []field{
	word("workflow_status", func(c *Card) Status { return c.Status }),
	line("identification.title", MaxTitle,
		func(c *Card) **string { return &c.Identification.Title }, func(p *Patch) *Field[string] { return &p.Title }),
	line("identification.set", MaxSet,
		func(c *Card) **string { return &c.Identification.Set }, func(p *Patch) *Field[string] { return &p.Set }),
	line("identification.number", MaxNumber,
		func(c *Card) **string { return &c.Identification.Number }, func(p *Patch) *Field[string] { return &p.Number }),
	word("identification.status", func(c *Card) IdentificationStatus { return c.Identification.Status }),
	optionalValue("identification.source", func(c *Card) *string { return c.Identification.Source }),
	optionalValue("identification.provider", func(c *Card) *string { return c.Identification.Provider }),
	optionalValue("identification.confidence", func(c *Card) *float64 { return c.Identification.Confidence }),
	moment("identification.identified_at", func(c *Card) *time.Time { return c.Identification.IdentifiedAt }),
	line("identification.catalog_id", MaxCatalogID,
		func(c *Card) **string { return &c.Identification.CatalogID },
		func(p *Patch) *Field[string] { return &p.CatalogID }),
	choice("identification.game", Games,
		func(c *Card) **string { return &c.Identification.Game }, func(p *Patch) *Field[string] { return &p.Game }),
	year("identification.year",
		func(c *Card) **int32 { return &c.Identification.Year }, func(p *Patch) *Field[int32] { return &p.Year }),
	line("identification.variant", MaxVariant,
		func(c *Card) **string { return &c.Identification.Variant },
		func(p *Patch) *Field[string] { return &p.Variant }),
	language("identification.language",
		func(c *Card) **string { return &c.Identification.Language },
		func(p *Patch) *Field[string] { return &p.Language }),
	choice("identification.condition", Conditions,
		func(c *Card) **string { return &c.Identification.Condition },
		func(p *Patch) *Field[string] { return &p.Condition }),
	grade("identification.grade",
		func(c *Card) **Grade { return &c.Identification.Grade }, func(p *Patch) *Field[Grade] { return &p.Grade }),
	price("pricing.asking_price", "asking",
		func(c *Card) **money.Money { return &c.Pricing.AskingPrice },
		func(p *Patch) *Field[money.Money] { return &p.AskingPrice }),
	price("pricing.floor_price", "floor",
		func(c *Card) **money.Money { return &c.Pricing.FloorPrice },
		func(p *Patch) *Field[money.Money] { return &p.FloorPrice }),
	price("pricing.cost", "cost",
		func(c *Card) **money.Money { return &c.Pricing.Cost }, func(p *Patch) *Field[money.Money] { return &p.Cost }),
	moment("pricing.priced_at", func(c *Card) *time.Time { return c.Pricing.PricedAt }),
	location("location",
		func(c *Card) **string { return &c.Location }, func(p *Patch) *Field[string] { return &p.Location }),
	batch("batch_id",
		func(c *Card) **string { return &c.BatchID }, func(p *Patch) *Field[string] { return &p.BatchID }),
	optionalValue("listing_id", func(c *Card) *string { return c.Listing.id() }),
	optionalValue("sale_id", func(c *Card) *string { return c.SaleID }),
	photo("photos.front", RoleFront),
	photo("photos.back", RoleBack),
	photo("photos.listing", RoleListing),
	line("sku", MaxSKU,
		func(c *Card) **string { return &c.SKU }, func(p *Patch) *Field[string] { return &p.SKU }),
	line("external_id", MaxExternalID,
		func(c *Card) **string { return &c.ExternalID }, func(p *Patch) *Field[string] { return &p.ExternalID }),
	lines("notes", MaxNotes,
		func(c *Card) **string { return &c.Notes }, func(p *Patch) *Field[string] { return &p.Notes }),
}

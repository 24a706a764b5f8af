package wire

// Paths of the contracts for a seller's account and for the rules of categories.
const (
	AccountPath  = "/sell/account/v1"
	MetadataPath = "/sell/metadata/v1"
)

// Policy is what the three kinds of business policies have in common. Exactly one identifier is set.
type Policy struct {
	FulfillmentPolicyID string         `json:"fulfillmentPolicyId,omitempty"`
	PaymentPolicyID     string         `json:"paymentPolicyId,omitempty"`
	ReturnPolicyID      string         `json:"returnPolicyId,omitempty"`
	Name                string         `json:"name"`
	Description         string         `json:"description,omitempty"`
	MarketplaceID       string         `json:"marketplaceId"`
	CategoryTypes       []CategoryType `json:"categoryTypes"`
}

// CategoryType is what a policy applies to, and whether it is the default there.
type CategoryType struct {
	Name    string `json:"name"`
	Default bool   `json:"default"`
}

// CategoryTypeCards is the CategoryType.Name of everything but motor vehicles.
const CategoryTypeCards = "ALL_EXCLUDING_MOTORS_VEHICLES"

// Policies is the response of getFulfillmentPolicies, getPaymentPolicies or getReturnPolicies, which set one list each.
type Policies struct {
	Href                string   `json:"href,omitempty"`
	Limit               int      `json:"limit,omitempty"`
	Offset              int      `json:"offset,omitempty"`
	Total               int      `json:"total"`
	FulfillmentPolicies []Policy `json:"fulfillmentPolicies,omitempty"`
	PaymentPolicies     []Policy `json:"paymentPolicies,omitempty"`
	ReturnPolicies      []Policy `json:"returnPolicies,omitempty"`
}

// Locations is a page of getInventoryLocations.
type Locations struct {
	Href      string     `json:"href,omitempty"`
	Limit     int        `json:"limit,omitempty"`
	Offset    int        `json:"offset,omitempty"`
	Next      string     `json:"next,omitempty"`
	Total     int        `json:"total"`
	Locations []Location `json:"locations"`
}

// Location is a place from which the seller ships.
type Location struct {
	MerchantLocationKey    string          `json:"merchantLocationKey"`
	MerchantLocationStatus string          `json:"merchantLocationStatus"` // ENABLED or DISABLED
	Name                   string          `json:"name,omitempty"`
	LocationTypes          []string        `json:"locationTypes,omitempty"`
	Location               LocationAddress `json:"location"`
}

// LocationAddress has the address of a location.
type LocationAddress struct {
	Address Address `json:"address"`
}

// Address is a postal address.
type Address struct {
	City            string `json:"city,omitempty"`
	StateOrProvince string `json:"stateOrProvince,omitempty"`
	PostalCode      string `json:"postalCode,omitempty"`
	Country         string `json:"country"`
}

// ConditionPolicies is the response of getItemConditionPolicies.
type ConditionPolicies struct {
	ItemConditionPolicies []ConditionPolicy `json:"itemConditionPolicies"`
	Warnings              []Error           `json:"warnings,omitempty"`
}

// ConditionPolicy has the conditions that a category allows.
type ConditionPolicy struct {
	CategoryTreeID        string          `json:"categoryTreeId"`
	CategoryID            string          `json:"categoryId"`
	ItemConditionRequired bool            `json:"itemConditionRequired"`
	ItemConditions        []ItemCondition `json:"itemConditions"`
}

// ItemCondition is a condition, by the numeric identifier of the ConditionEnum in inventory items.
type ItemCondition struct {
	ConditionID          string                 `json:"conditionId"`
	ConditionDescription string                 `json:"conditionDescription"`
	ConditionDescriptors []DescriptorDefinition `json:"conditionDescriptors"`
}

// DescriptorDefinition defines a condition descriptor.
type DescriptorDefinition struct {
	ID         string               `json:"conditionDescriptorId"`
	Name       string               `json:"conditionDescriptorName"`
	Constraint DescriptorConstraint `json:"conditionDescriptorConstraint"`
	Values     []DescriptorValue    `json:"conditionDescriptorValues,omitempty"`
}

// DescriptorConstraint is the constraint on a condition descriptor.
type DescriptorConstraint struct {
	Cardinality string `json:"cardinality"`     // SINGLE
	Mode        string `json:"mode"`            // SELECTION_ONLY or FREE_TEXT
	Usage       string `json:"usage,omitempty"` // REQUIRED, or absent
	MaxLength   int    `json:"maxLength,omitempty"`
}

// DescriptorValue is a value of a condition descriptor.
type DescriptorValue struct {
	ID   string `json:"conditionDescriptorValueId"`
	Name string `json:"conditionDescriptorValueName"`
}

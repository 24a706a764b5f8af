package wire

// NewLocation is the body of createInventoryLocation. eBay needs the country and either the postal code or the city and
// the state.
type NewLocation struct {
	Name     string          `json:"name"`
	Status   string          `json:"merchantLocationStatus"`
	Types    []string        `json:"locationTypes"`
	Location LocationAddress `json:"location"`
}

const (
	// LocationEnabled is the status of a location that listings can have.
	LocationEnabled = "ENABLED"
	// Warehouse is the type of a location from which a seller ships.
	Warehouse = "WAREHOUSE"
	// LocationExists is the error of createInventoryLocation for a key that exists.
	LocationExists = 25803
)

package marketplaces

// Limits are the limits of a marketplace.
type Limits struct {
	// Publish, Revise and End are the largest lists of listings that the calls take. Zero means one.
	Publish, Revise, End int
	// RevisionsPerDay is how often a listing can be revised in a calendar day (UTC). Zero means any number.
	RevisionsPerDay int
}

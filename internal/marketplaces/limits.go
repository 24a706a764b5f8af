package marketplaces

// Limits are the largest lists of listings that the calls of a marketplace take. Zero means one.
type Limits struct {
	Publish, Revise, End int
}

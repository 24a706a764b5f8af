package wire

import "strings"

// The categories of single cards.
const (
	CategoryCCG      = "183454" // collectible card games
	CategoryNonSport = "183050"
	CategorySports   = "261328"
)

// The conditions of these categories (ConditionEnum; condition ids 2750 and 4000).
const (
	Graded   = "LIKE_NEW"
	Ungraded = "USED_VERY_GOOD"
)

// The condition descriptors of these categories, as getItemConditionPolicies names them.
const (
	DescriptorGrader        = "27501"
	DescriptorGrade         = "27502"
	DescriptorCertificate   = "27503"
	DescriptorCardCondition = "40001"
)

// SKU returns a listing's identifier without the underscore, because eBay allows only letters and
// digits in an SKU (error 25707).
func SKU(listingID string) string { return strings.ReplaceAll(listingID, "_", "") }

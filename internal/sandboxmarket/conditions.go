package sandboxmarket

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// The values of the condition descriptors of single cards, as getItemConditionPolicies of eBay returns them.
var (
	graders = []wire.DescriptorValue{
		{ID: "275010", Name: "Professional Sports Authenticator (PSA)"},
		{ID: "275011", Name: "Beckett Collectors Club Grading (BCCG)"},
		{ID: "275012", Name: "Beckett Vintage Grading (BVG)"}, {ID: "275013", Name: "Beckett Grading Services (BGS)"},
		{ID: "275014", Name: "Certified Sports Guaranty (CSG)"},
		{ID: "275015", Name: "Certified Guaranty Company (CGC)"},
		{ID: "275016", Name: "Sportscard Guaranty Corporation (SGC)"},
		{ID: "275017", Name: "K Sportscard Authentication (KSA)"},
		{ID: "275018", Name: "Gem Mint Authentication (GMA)"}, {ID: "275019", Name: "Hybrid Grading Approach (HGA)"},
		{ID: "2750110", Name: "International Sports Authentication (ISA)"},
		{ID: "2750111", Name: "Professional Card Authenticator (PCA)"},
		{ID: "2750112", Name: "Gold Standard Grading (GSG)"},
		{ID: "2750113", Name: "Platin Grading Service (PGS)"}, {ID: "2750114", Name: "MNT Grading (MNT)"},
		{ID: "2750115", Name: "Technical Authentication & Grading (TAG)"}, {ID: "2750116", Name: "Rare Edition (Rare)"},
		{ID: "2750117", Name: "Revolution Card Grading (RCG)"}, {ID: "2750118", Name: "Premier Card Grading (PCG)"},
		{ID: "2750119", Name: "Ace Grading (Ace)"}, {ID: "2750120", Name: "Card Grading Australia (CGA)"},
		{ID: "2750121", Name: "Trading Card Grading (TCG)"}, {ID: "2750122", Name: "ARK Grading (ARK)"},
		{ID: "2750123", Name: "Other"},
	}
	grades = numbered("27502", "10", "9.5", "9", "8.5", "8", "7.5", "7", "6.5", "6", "5.5", "5", "4.5", "4", "3.5", "3",
		"2.5", "2", "1.5", "1", "Authentic", "Authentic Altered", "Authentic - Trimmed", "Authentic - Coloured")
	cardGameConditions = []wire.DescriptorValue{
		{ID: "400010", Name: "Near Mint or Better"}, {ID: "400015", Name: "Lightly Played (Excellent)"},
		{ID: "400016", Name: "Moderately Played (Very Good)"}, {ID: "400017", Name: "Heavily Played (Poor)"},
	}
	otherConditions = []wire.DescriptorValue{
		{ID: "400010", Name: "Near Mint or Better"}, {ID: "400011", Name: "Excellent"},
		{ID: "400012", Name: "Very Good"}, {ID: "400013", Name: "Poor"},
	}
)

// numbered returns values whose identifiers are the descriptor's followed by 0, 1, 2 and so on.
func numbered(descriptor string, names ...string) []wire.DescriptorValue {
	values := make([]wire.DescriptorValue, len(names))
	for i, name := range names {
		values[i] = wire.DescriptorValue{ID: descriptor + strconv.Itoa(i), Name: name}
	}
	return values
}

// conditionsOf returns the conditions of a category of single cards.
func conditionsOf(category string) []wire.ItemCondition {
	conditions := cardGameConditions
	if category != wire.CategoryCCG {
		conditions = otherConditions
	}
	constraint := wire.DescriptorConstraint{Cardinality: "SINGLE", Mode: "SELECTION_ONLY", Usage: "REQUIRED"}
	freeText := wire.DescriptorConstraint{Cardinality: "SINGLE", Mode: "FREE_TEXT", MaxLength: maxCertificate}
	return []wire.ItemCondition{
		{ConditionID: "2750", ConditionDescription: "Graded", ConditionDescriptors: []wire.DescriptorDefinition{
			{ID: wire.DescriptorGrader, Name: "Professional Grader", Constraint: constraint, Values: graders},
			{ID: wire.DescriptorGrade, Name: "Grade", Constraint: constraint, Values: grades},
			{ID: wire.DescriptorCertificate, Name: "Certification Number", Constraint: freeText},
		}},
		{ConditionID: "4000", ConditionDescription: "Ungraded", ConditionDescriptors: []wire.DescriptorDefinition{
			{ID: wire.DescriptorCardCondition, Name: "Card Condition", Constraint: constraint, Values: conditions},
		}},
	}
}

// conditionIDs are the identifiers of the values of ConditionEnum.
var conditionIDs = map[string]string{wire.Graded: "2750", wire.Ungraded: "4000"}

// hasDescriptors reports whether an item has a condition of the category and valid values of its required descriptors.
func hasDescriptors(item wire.InventoryItem, category string) bool {
	values := map[string][]string{}
	for _, d := range item.ConditionDescriptors {
		values[d.Name] = d.Values
	}
	for _, condition := range conditionsOf(category) {
		if condition.ConditionID == conditionIDs[item.Condition] {
			return !slices.ContainsFunc(condition.ConditionDescriptors, func(d wire.DescriptorDefinition) bool {
				return d.Constraint.Usage == "REQUIRED" && !isValue(values[d.ID], d.Values)
			})
		}
	}
	return false
}

// isValue reports whether given is exactly one of the values.
func isValue(texts []string, values []wire.DescriptorValue) bool {
	return len(texts) == 1 &&
		slices.ContainsFunc(values, func(v wire.DescriptorValue) bool { return v.ID == texts[0] })
}

func metadataError(id int, message string) wire.Error {
	return wire.Error{ErrorID: id, Domain: "API_METADATA", Category: "REQUEST", Message: message, LongMessage: message}
}

// getConditionPolicies returns the conditions of the categories in the filter "categoryIds:{183454|183050}", or of all.
func (s *server) getConditionPolicies(w http.ResponseWriter, r *http.Request, _ caller) error {
	site, ok := sites[r.PathValue("marketplace_id")]
	if !ok {
		return &apiError{http.StatusBadRequest,
			[]wire.Error{metadataError(46001, "The specified marketplace ID was not found.")}}
	}
	policies := wire.ConditionPolicies{ItemConditionPolicies: []wire.ConditionPolicy{}}
	ids := categories
	if filter := r.URL.Query().Get("filter"); filter != "" {
		list, ok := strings.CutPrefix(filter, "categoryIds:{")
		list, closed := strings.CutSuffix(list, "}")
		if ids = strings.Split(list, "|"); !ok || !closed {
			ids = nil
			policies.Warnings = append(policies.Warnings, metadataError(46002, "The filter value is invalid. "+
				"Sample supported values: filter=categoryIds:{catId1|catId2|catId3}."))
		}
	}
	for _, category := range ids {
		if !slices.Contains(categories, category) {
			policies.Warnings = append(policies.Warnings,
				metadataError(46003, "The specified categoryId was not found for the marketplace."))
			continue
		}
		policies.ItemConditionPolicies = append(policies.ItemConditionPolicies, wire.ConditionPolicy{
			CategoryTreeID: site.categoryTree, CategoryID: category, ItemConditionRequired: true,
			ItemConditions: conditionsOf(category),
		})
	}
	writeJSON(w, http.StatusOK, policies)
	return nil
}

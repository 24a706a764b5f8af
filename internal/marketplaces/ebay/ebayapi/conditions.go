package ebayapi

import (
	"strings"

	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// category returns the leaf category for a game. Cards of unknown games are card-game cards.
func category(game string) string {
	switch game {
	case "sports":
		return wire.CategorySports
	case "other":
		return wire.CategoryNonSport
	}
	return wire.CategoryCCG
}

// The values of descriptor 40001 (getItemConditionPolicies). Near mint is the same in all categories.
// The others differ between card games and the other two categories. Damaged cards have the lowest.
var (
	cardConditions = map[string]string{
		"NM": "400010", "LP": "400015", "MP": "400016", "HP": "400017", "DMG": "400017"}
	otherConditions = map[string]string{
		"NM": "400010", "LP": "400011", "MP": "400012", "HP": "400013", "DMG": "400013"}
)

// graders are the values of descriptor 27501. Any other company is otherGrader.
var graders = map[string]string{
	"PSA": "275010", "BCCG": "275011", "BVG": "275012", "BGS": "275013", "CSG": "275014", "CGC": "275015",
	"SGC": "275016", "KSA": "275017", "GMA": "275018", "HGA": "275019", "ISA": "2750110", "PCA": "2750111",
	"GSG": "2750112", "PGS": "2750113", "MNT": "2750114", "TAG": "2750115", "RCG": "2750117", "PCG": "2750118",
	"ACE": "2750119", "CGA": "2750120", "TCG": "2750121", "ARK": "2750122",
}

const otherGrader = "2750123"

// grades are the values of descriptor 27502.
var grades = map[string]string{
	"10": "275020", "9.5": "275021", "9": "275022", "8.5": "275023", "8": "275024", "7.5": "275025", "7": "275026",
	"6.5": "275027", "6": "275028", "5.5": "275029", "5": "2750210", "4.5": "2750211", "4": "2750212",
	"3.5": "2750213", "3": "2750214", "2.5": "2750215", "2": "2750216", "1.5": "2750217", "1": "2750218",
	"AUTHENTIC": "2750219",
}

// Category returns the leaf category of the offer.
func Category(o marketplaces.Offer) string { return category(o.Game) }

// condition returns the condition and its descriptors.
func (s *Seller) condition(o marketplaces.Offer) (string, []wire.ConditionDescriptor, error) {
	if o.Grade == nil && o.Condition == "" {
		o.Condition = s.cfg.AssumedCondition
	}
	return Condition(o)
}

// Condition returns the condition of the offer and its descriptors, or a Refusal that names the attribute of the
// card that eBay does not support.
func Condition(o marketplaces.Offer) (string, []wire.ConditionDescriptor, error) {
	if o.Grade != nil {
		return graded(*o.Grade)
	}
	values := cardConditions
	if category(o.Game) != wire.CategoryCCG {
		values = otherConditions
	}
	value, ok := values[o.Condition]
	if !ok {
		return "", nil, &marketplaces.Refusal{
			Code:    marketplaces.CodeCondition,
			Message: "the card needs a condition (NM, LP, MP, HP or DMG) or a grade before it can be listed",
		}
	}
	descriptor := wire.ConditionDescriptor{Name: wire.DescriptorCardCondition, Values: []string{value}}
	return wire.Ungraded, []wire.ConditionDescriptor{descriptor}, nil
}

func graded(g marketplaces.Grade) (string, []wire.ConditionDescriptor, error) {
	grader, ok := graders[strings.ToUpper(g.Company)]
	if !ok {
		grader = otherGrader
	}
	grade, ok := grades[strings.ToUpper(strings.TrimSuffix(g.Value, ".0"))]
	if !ok {
		return "", nil, &marketplaces.Refusal{
			Code: marketplaces.CodeGrade, Message: "the grade must be 1 to 10 in halves, or Authentic",
		}
	}
	descriptors := []wire.ConditionDescriptor{
		{Name: wire.DescriptorGrader, Values: []string{grader}},
		{Name: wire.DescriptorGrade, Values: []string{grade}},
	}
	if g.CertNumber != "" {
		certificate := wire.ConditionDescriptor{Name: wire.DescriptorCertificate, AdditionalInfo: g.CertNumber}
		descriptors = append(descriptors, certificate)
	}
	return wire.Graded, descriptors, nil
}

package developers

import (
	"slices"
	"strings"

	"github.com/cardvault/cardvault/internal/events"
)

// kindMeanings are what the events tell, in the order of the form: by what they are about.
var kindMeanings = []struct {
	kind    events.Kind
	meaning string
}{
	{events.KindCardIdentified, "a card was identified for the first time"},
	{events.KindIdentifyFailed, "a card could not be identified"},
	{events.KindCardPriced, "a card got an asking price for the first time"},
	{events.KindCardWorkflowStatusChanged, "the status of a card changed"},
	{events.KindCardUpdated, "any field of a card changed"},
	{events.KindCardDeleted, "a card was deleted"},
	{events.KindCardRestored, "a deleted card came back"},
	{events.KindListingPublished, "a listing went live"},
	{events.KindListingUpdated, "a live listing was revised"},
	{events.KindListingSold, "a listing closed with a sale"},
	{events.KindListingEnded, "a listing ended without a sale"},
	{events.KindSaleCreated, "a sale was recorded"},
	{events.KindSaleRefunded, "a sale was refunded"},
	{events.KindSaleVoided, "a sale that was recorded by mistake was voided"},
	{events.KindBatchCompleted, "a batch was marked complete"},
}

// groupLabels are the headings of the kinds, by the part of their names before the dot.
var groupLabels = map[string]string{
	"card": "Cards", "identify": "Cards", "listing": "Listings", "sale": "Sales", "batch": "Batches",
}

// kindGroups returns all kinds as check boxes, the chosen ones checked.
func kindGroups(chosen []events.Kind) []kindGroup {
	var groups []kindGroup
	for _, k := range kindMeanings {
		prefix, _, _ := strings.Cut(string(k.kind), ".")
		if last := len(groups) - 1; last < 0 || groups[last].Label != groupLabels[prefix] {
			groups = append(groups, kindGroup{Label: groupLabels[prefix]})
		}
		group := &groups[len(groups)-1]
		group.Kinds = append(group.Kinds, chosenKind{k.kind, k.meaning, slices.Contains(chosen, k.kind)})
	}
	return groups
}

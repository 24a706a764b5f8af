package imports

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
)

func TestBatchCounts(t *testing.T) {
	t.Parallel()
	got := batchCounts("bat_1", map[cards.Status]int64{cards.Sold: 1, cards.Imported: 2, cards.Listed: 1})
	want := []batchCount{
		{cards.Imported, 2, "/cards?batch=bat_1&status=imported", 0, 50},
		{cards.Listed, 1, "/cards?batch=bat_1&status=listed", 50, 25},
		{cards.Sold, 1, "/cards?batch=bat_1&status=sold", 75, 25},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	if got := batchCounts("bat_1", nil); got != nil {
		t.Errorf("counts of an empty batch: got %v, want none", got)
	}
}

func TestShownBatch_Identified(t *testing.T) {
	t.Parallel()
	b := ShownBatch{Counts: batchCounts("bat_1", map[cards.Status]int64{
		cards.Imported: 1, cards.NeedsReview: 2, cards.Identified: 4, cards.Sold: 8,
	})}
	if got := b.Identified(); got != 12 {
		t.Errorf("got %d identified cards, want 12: all but the imported ones and those to review", got)
	}
}

package cardtext

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/identify/ppocr"
)

// slabOf returns the lines of a card in a slab of PSA.
func slabOf(card []ppocr.Line) []ppocr.Line {
	return append([]ppocr.Line{
		at(-900, 0.99, "2023 POKEMON PAL EN"), at(-899, 0.99, "#160"), at(-870, 0.99, "SLAKOTH-HOLO"),
		at(-869, 0.99, "GEM MT"), at(-840, 0.99, "PALDEA EVOLVED"), at(-839, 0.99, "10"), at(-810, 0.99, "PSA"),
		at(-809, 0.99, "00123456"),
	}, card...)
}

func TestFromLines_Slab(t *testing.T) {
	t.Parallel()
	got, plain := FromLines(slabOf(slakoth("160/193", 0.9))), FromLines(slakoth("160/193", 0.9))
	if got.Slab == nil || got.Slab.Grade.Company != "PSA" || *got.Slab.Grade.CertNumber != "00123456" {
		t.Fatalf("label: got %+v, want that of PSA", got.Slab)
	}
	// The label is not the head of the card.
	if diff := cmp.Diff([][]string{plain.Head, plain.Foot, plain.Printed},
		[][]string{got.Head, got.Foot, got.Printed}); diff != "" {
		t.Errorf("lines of the card (-without the label +with it):\n%s", diff)
	}
	if !slices.Contains(got.Label, "SLAKOTH") {
		t.Errorf("label: got %q, want the name without -HOLO", got.Label)
	}
	if plain.Slab != nil {
		t.Errorf("label of a card without a slab: %+v", plain.Slab)
	}
	alone := FromLines(slabOf(nil)[:8])
	if alone.Slab != nil && len(alone.Head) > 0 {
		t.Errorf("head of a label without a card: %q, want none", alone.Head)
	}
}

package lookup

import (
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/fault"
)

func TestRefusal(t *testing.T) {
	t.Parallel()
	for want, f := range map[string]*fault.Error{
		"changed in the meantime": fault.New(fault.VersionMismatch, "The card is at version 3 by now."),
		"not in the catalogue":    fault.Invalid("identification.catalog_id", "is unknown"),
		"This card was sold.":     fault.New(fault.CardSold, "This card was sold."),
	} {
		if got := Refusal(f); !strings.Contains(got, want) {
			t.Errorf("refusal(%v) = %q, want it to contain %q", f, got, want)
		}
	}
}

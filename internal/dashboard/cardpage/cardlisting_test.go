package cardpage

import (
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/listings"
)

func TestRemedies(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"no_photo": "Add a photo", listings.Unreachable: "Publish the card again",
		"ebay_25002": "Correct what the marketplace names",
	} {
		if got := remedy(code); !strings.Contains(got, want) {
			t.Errorf("remedy(%s) = %q, want it to contain %q", code, got, want)
		}
	}
}

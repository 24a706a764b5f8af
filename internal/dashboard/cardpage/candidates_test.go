package cardpage

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/catalog"
)

func TestCatalogueFilter(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]catalog.Filter{
		"umbreon":               {Name: "umbreon"},
		"Umbreon VMAX 95/203":   {Name: "Umbreon VMAX", Number: "95/203"},
		"TG12 umbreon":          {Name: "umbreon", Number: "TG12"},
		"#025":                  {Number: "025"},
		"Porygon2":              {Name: "Porygon2"},
		"Dr. Mabuse, 4th":       {Name: "Dr. Mabuse, 4th"},
		"swsh179 TG12/TG30 fox": {Name: "fox", Number: "TG12/TG30"},
		"95\t203":               {Number: "203"},
	} {
		if diff := cmp.Diff(want, catalogueFilter(text)); diff != "" {
			t.Errorf("catalogueFilter(%q) (-want +got):\n%s", text, diff)
		}
	}
}

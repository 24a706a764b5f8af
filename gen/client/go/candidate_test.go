package cardvault

import (
	"encoding/json"
	"testing"
)

func TestIdentificationResult_Patch(t *testing.T) {
	inCatalog := IdentificationResult{Title: "Ember Fox", CatalogID: Ptr("cat_1"), Year: Ptr[int32](2026)}
	other := IdentificationResult{Title: "Ember Fox", Game: Ptr(GameOther), Number: Ptr("3/18")}
	for name, c := range map[string]struct {
		patch IdentificationPatch
		want  string
	}{
		"in the catalogue": {inCatalog.Patch(), `{"catalog_id":"cat_1"}`},
		"catalogue card":   {CatalogCard{ID: "cat_1", Title: "Ember Fox"}.Patch(), `{"catalog_id":"cat_1"}`},
		"other": {other.Patch(), `{"catalog_id":null,"game":"other","language":null,"number":"3/18","set":null,` +
			`"title":"Ember Fox","variant":null,"year":null}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := json.Marshal(c.patch)
			if err != nil || string(got) != c.want {
				t.Errorf("got %s, %v, want %s", got, err, c.want)
			}
		})
	}
}

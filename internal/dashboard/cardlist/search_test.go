package cardlist

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/id"
)

func TestPathOfIdentifier(t *testing.T) {
	t.Parallel()
	const unique = "01arz3ndektsv4rrffq69g5fav"
	for text, want := range map[string]string{
		"card_" + unique:                       "/cards/card_" + unique,
		"CARD_01ARZ3NDEKTSV4RRFFQ69G5FAV":      "/cards/card_" + unique,
		"bat_" + unique:                        "/batches/bat_" + unique,
		"lst_" + unique:                        "/listings/lst_" + unique,
		"sale_" + unique:                       "/sales/sale_" + unique,
		"job_" + unique:                        "/jobs/job_" + unique,
		"evt_" + unique:                        "/developers/events/evt_" + unique,
		"whe_" + unique:                        "/developers/webhooks/whe_" + unique,
		"dlv_" + unique:                        "/developers/deliveries/dlv_" + unique,
		"card_" + unique + "/delete":           "",
		"card_" + unique + " " + unique:        "",
		"card_12":                              "",
		"acc_" + unique:                        "",
		unique:                                 "",
		"Ember Fox":                            "",
		"//evil.example/card_" + unique:        "",
		"card_\u200b" + unique[:len(unique)-1]: "",
	} {
		if got := pathOfIdentifier(text); got != want {
			t.Errorf("pathOfIdentifier(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestNamedLike(t *testing.T) {
	t.Parallel()
	list := []batches.Batch{{Name: "Spring fair 2026"}, {Name: "Étage 3"}, {Name: "Fair of autumn"}}
	for range 2 * batchesFound {
		list = append(list, batches.Batch{Name: "Box", ID: id.New(id.Batch, time.Now())})
	}
	names := func(found []batches.Batch) (all []string) {
		for _, batch := range found {
			all = append(all, batch.Name)
		}
		return all
	}
	for text, want := range map[string][]string{
		"fair":        {"Spring fair 2026", "Fair of autumn"},
		"FAIR spring": {"Spring fair 2026"},
		"étage":       {"Étage 3"},
		"fair 2027":   nil,
		"box":         {"Box", "Box", "Box", "Box", "Box"},
	} {
		t.Run(fmt.Sprint(text), func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(want, names(namedLike(list, text))); diff != "" {
				t.Errorf("namedLike(%q) (-want +got):\n%s", text, diff)
			}
		})
	}
}

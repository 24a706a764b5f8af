package csvfile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
)

// limit sets the quotas of the vault's account.
func (v vault) limit(t testing.TB, quotas string) {
	t.Helper()
	_, err := v.db.Exec(t.Context(), `UPDATE account_clock SET quotas = $2 WHERE account_id = $1`, v.account, quotas)
	if err != nil {
		t.Fatal(err)
	}
}

// The rows for which the account has no room are refused with the numbers. The import ends, and the rows before them
// and the updates are applied.
func TestImport_Quota(t *testing.T) {
	t.Parallel()
	v := setup(t)
	known := v.create(t, cards.Draft{Patch: cards.Patch{SKU: cards.Set("S-1")}})[0]
	v.limit(t, "cards=3")
	file := "title,sku,quantity\nEmber Fox,,2\nTide Crab,,2\nNew name,S-1,1\nAsh Owl,,1\n"
	report, err := v.load(t.Context(), file, ImportOptions{Options: Options{MatchSKU: true}})
	if err != nil {
		t.Fatal(err)
	}
	const message = "The quota of your account is 3 cards; it has 1, and this would add 3. Delete cards, " +
		"or ask the operator for a larger quota."
	if diff := cmp.Diff([]Refusal{{3, message}, {5, message}}, report.Refused); diff != "" {
		t.Errorf("refused rows (-want +got):\n%s", diff)
	}
	if report.Cards != 2 || report.Updated != 1 {
		t.Errorf("the report counts %d new cards and %d updates, want 2 and 1", report.Cards, report.Updated)
	}
	if got := len(v.all(t)); got != 3 || *v.find(t, known.ID).Identification.Title != "New name" {
		t.Errorf("%d cards, the known one is %+v; want 2 new ones and the update", got, v.find(t, known.ID))
	}
	for _, table := range []string{"card_imports", "card_import_chunks"} {
		if n := v.count(t, table); n != 0 {
			t.Errorf("%s has %d rows after the import, want none", table, n)
		}
	}
	v.limit(t, "card_bytes=40")
	report, err = v.load(t.Context(), "title,notes\nA,x\nB,"+strings.Repeat("y", 50)+"\n", ImportOptions{})
	if err != nil || len(report.Refused) != 1 || report.Refused[0].Line != 3 ||
		!strings.Contains(report.Refused[0].Message, "is 40 bytes of texts and metadata of cards; it has 29") {
		t.Errorf("import of long notes: %+v, %v, want its second row refused", report, err)
	}
}

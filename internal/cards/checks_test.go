package cards

import (
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
)

func TestPatch_Check(t *testing.T) {
	t.Parallel()
	long := func(n int) Field[string] { return Set(strings.Repeat("ü", n)) }
	for _, tc := range []struct {
		name  string
		patch Patch
		field string // at fault, "" if none
	}{
		{"nothing", Patch{}, ""},
		{"cleared", Patch{Set: Clear[string](), Grade: Clear[Grade](), AskingPrice: Clear[money.Money]()}, ""},
		{"title", Patch{Title: long(MaxTitle)}, ""}, {"long title", Patch{Title: long(MaxTitle + 1)}, "identification.title"},
		{"title of spaces", Patch{Title: Set("  ")}, "identification.title"}, {"title with a tab", Patch{Title: Set("a\tb")}, "identification.title"},
		{"empty set", Patch{Set: Set("")}, "identification.set"}, {"long number", Patch{Number: long(MaxNumber + 1)}, "identification.number"},
		{"long catalogue id", Patch{CatalogID: long(MaxCatalogID + 1)}, "identification.catalog_id"},
		{"game", Patch{Game: Set("chess")}, "identification.game"}, {"condition", Patch{Condition: Set("nm")}, "identification.condition"},
		{"first year", Patch{Year: Set[int32](MinYear)}, ""}, {"year", Patch{Year: Set[int32](MaxYear + 1)}, "identification.year"},
		{"variant", Patch{Variant: Set("a\x7f")}, "identification.variant"}, {"broken UTF-8", Patch{SKU: Set("\xff")}, "sku"},
		{"language", Patch{Language: Set("pt-BR")}, ""}, {"no tag", Patch{Language: Set("english")}, "identification.language"},
		{"grade", Patch{Grade: Set(Grade{Company: "PSA", Value: "10"})}, ""},
		{"grade without value", Patch{Grade: Set(Grade{Company: "PSA"})}, "identification.grade.value"},
		{"cert", Patch{Grade: Set(Grade{Company: "PSA", Value: "10", CertNumber: long(MaxCertNumber + 1).value})}, "identification.grade.cert_number"},
		{"price", Patch{AskingPrice: Set(money.Money{Amount: -1, Currency: "USD"})}, "pricing.asking_price.amount"},
		{"currency", Patch{Cost: Set(money.Money{Amount: 1, Currency: "usd"})}, "pricing.cost.currency"},
		{"location", Patch{Location: Set("Room A/Shelf 2/Box 4/Row 1/118")}, ""}, {"200 characters", Patch{Location: long(MaxLocation)}, ""},
		{"long location", Patch{Location: long(MaxLocation + 1)}, "location"}, {"six segments", Patch{Location: Set("1/2/3/4/5/6")}, "location"},
		{"empty segment", Patch{Location: Set("1/")}, "location"}, {"location with a line break", Patch{Location: Set("a\nb")}, "location"},
		{"notes", Patch{Notes: Set("two\nlines\t")}, ""}, {"empty notes", Patch{Notes: Set("")}, ""},
		{"long notes", Patch{Notes: long(MaxNotes + 1)}, "notes"}, {"notes with NUL", Patch{Notes: Set("\x00")}, "notes"},
	} {
		err := tc.patch.Check()
		f, ok := fault.As(err)
		switch {
		case tc.field == "" && err != nil:
			t.Errorf("%s: %v", tc.name, err)
		case tc.field != "" && (!ok || f.Code != fault.InvalidRequest || len(f.Details) != 1 || f.Details[0].Field != tc.field):
			t.Errorf("%s: got %v, want %s at fault", tc.name, err, tc.field)
		}
	}
}

func TestPatch_CheckNamesEveryField(t *testing.T) {
	t.Parallel()
	err := Patch{Title: Set(""), Location: Set(""), Year: Set[int32](1)}.Check()
	f, ok := fault.As(err)
	if !ok || len(f.Details) != 3 || !strings.HasPrefix(f.Message, "identification.title: ") {
		t.Errorf("got %v", err)
	}
}

func TestNewPhoto_Check(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		photo NewPhoto
		ok    bool
	}{
		{NewPhoto{"https://images.example/a.jpg", RoleFront}, true}, {NewPhoto{"http://localhost/a", RoleBack}, true},
		{NewPhoto{"ftp://images.example/a.jpg", RoleFront}, false}, {NewPhoto{"https://a b", RoleFront}, false},
		{NewPhoto{"https://a/" + strings.Repeat("x", MaxPhotoURL), RoleFront}, false}, {NewPhoto{"https://a/b", "side"}, false},
	} {
		if err := tc.photo.Check("photos"); (err == nil) != tc.ok {
			t.Errorf("%.40s: %v", tc.photo.URL, err)
		}
	}
}

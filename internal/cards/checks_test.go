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
	for name, tc := range map[string]struct {
		patch Patch
		field string // that the error names, "" if there is none
	}{
		"nothing":          {Patch{}, ""},
		"cleared":          {Patch{Set: Clear[string](), Grade: Clear[Grade](), AskingPrice: Clear[money.Money]()}, ""},
		"title":            {Patch{Title: long(MaxTitle)}, ""},
		"long title":       {Patch{Title: long(MaxTitle + 1)}, "identification.title"},
		"title of spaces":  {Patch{Title: Set("  ")}, "identification.title"},
		"title with a tab": {Patch{Title: Set("a\tb")}, "identification.title"},
		"empty set":        {Patch{Set: Set("")}, "identification.set"},
		"long number":      {Patch{Number: long(MaxNumber + 1)}, "identification.number"},
		"long catalog id":  {Patch{CatalogID: long(MaxCatalogID + 1)}, "identification.catalog_id"},
		"game":             {Patch{Game: Set("chess")}, "identification.game"},
		"condition":        {Patch{Condition: Set("nm")}, "identification.condition"},
		"first year":       {Patch{Year: Set[int32](MinYear)}, ""},
		"late year":        {Patch{Year: Set[int32](MaxYear + 1)}, "identification.year"},
		"variant":          {Patch{Variant: Set("a\x7f")}, "identification.variant"},
		"invalid UTF-8":    {Patch{SKU: Set("\xff")}, "sku"},
		"language":         {Patch{Language: Set("pt-BR")}, ""},
		"language name":    {Patch{Language: Set("english")}, "identification.language"},
		"grade":            {Patch{Grade: Set(Grade{Company: "PSA", Value: "10"})}, ""},
		"grade, no value":  {Patch{Grade: Set(Grade{Company: "PSA"})}, "identification.grade.value"},
		"long certificate": {Patch{
			Grade: Set(Grade{Company: "PSA", Value: "10", CertNumber: long(MaxCertNumber + 1).value}),
		}, "identification.grade.cert_number"},
		"negative price": {Patch{
			AskingPrice: Set(money.Money{Amount: -1, Currency: "USD"}),
		}, "pricing.asking_price.amount"},
		"currency":              {Patch{Cost: Set(money.Money{Amount: 1, Currency: "usd"})}, "pricing.cost.currency"},
		"location":              {Patch{Location: Set("Room A/Shelf 2/Box 4/Row 1/118")}, ""},
		"longest location":      {Patch{Location: long(MaxLocation)}, ""},
		"long location":         {Patch{Location: long(MaxLocation + 1)}, "location"},
		"six segments":          {Patch{Location: Set("1/2/3/4/5/6")}, "location"},
		"empty segment":         {Patch{Location: Set("1/")}, "location"},
		"location with newline": {Patch{Location: Set("a\nb")}, "location"},
		"notes":                 {Patch{Notes: Set("two\nlines\t")}, ""},
		"empty notes":           {Patch{Notes: Set("")}, ""},
		"long notes":            {Patch{Notes: long(MaxNotes + 1)}, "notes"},
		"notes with NUL":        {Patch{Notes: Set("\x00")}, "notes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := tc.patch.Check()
			if tc.field == "" {
				if err != nil {
					t.Errorf("got %v, want no error", err)
				}
				return
			}
			f, ok := fault.As(err)
			if !ok || f.Code != fault.InvalidRequest || len(f.Details) != 1 || f.Details[0].Field != tc.field {
				t.Errorf("got %v, want invalid_request for %s", err, tc.field)
			}
		})
	}
}

func TestPatch_CheckNamesEveryField(t *testing.T) {
	t.Parallel()
	err := Patch{Title: Set(""), Location: Set(""), Year: Set[int32](1)}.Check()
	f, ok := fault.As(err)
	if !ok || len(f.Details) != 3 || !strings.HasPrefix(f.Message, "identification.title: ") {
		t.Errorf("got %v, want three details and the message of the first", err)
	}
}

func TestNewPhoto_Check(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		photo NewPhoto
		valid bool
	}{
		"https":    {NewPhoto{"https://images.example/a.jpg", RoleFront}, true},
		"http":     {NewPhoto{"http://localhost/a", RoleBack}, true},
		"ftp":      {NewPhoto{"ftp://images.example/a.jpg", RoleFront}, false},
		"space":    {NewPhoto{"https://a b", RoleFront}, false},
		"long URL": {NewPhoto{"https://a/" + strings.Repeat("x", MaxPhotoURL), RoleFront}, false},
		"role":     {NewPhoto{"https://a/b", "side"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := tc.photo.Check("photos"); (err == nil) != tc.valid {
				t.Errorf("got %v, want a valid photo: %v", err, tc.valid)
			}
		})
	}
}

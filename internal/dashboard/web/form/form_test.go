package form

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/calendar"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
)

// priced returns a form with a price in a currency that is typed, and a tax in dollars.
func priced() *Form {
	return New(
		Field{Name: "price", Path: "pricing.price", Kind: Amount, CurrencyField: "currency", Required: true},
		Field{Name: "currency", Path: "pricing.price.currency", Value: "EUR"},
		Field{Name: "tax", Kind: Amount, Currency: "USD"},
	)
}

func TestForm_Amount(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		sent   string
		field  string
		want   *money.Money
		errors map[string]string // by field
	}{
		"typed currency": {
			"price=+1.5+&currency=jod", "price", &money.Money{Amount: 1500, Currency: "JOD"}, nil,
		},
		"proposed currency": {"price=12.50", "price", &money.Money{Amount: 1250, Currency: "EUR"}, nil},
		"unknown currency": {
			"price=12.50&currency=XYZ", "price", nil, map[string]string{"currency": NoCurrency},
		},
		"words":          {"price=much", "price", nil, map[string]string{"price": NoAmount}},
		"required":       {"price=+", "price", nil, map[string]string{"price": NoAmount}},
		"fixed currency": {"tax=1", "tax", &money.Money{Amount: 100, Currency: "USD"}, nil},
		"too precise":    {"tax=1.005", "tax", nil, map[string]string{"tax": NoAmount}},
		"empty":          {"tax=", "tax", nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sent, err := url.ParseQuery(tc.sent)
			if err != nil {
				t.Fatal(err)
			}
			f := priced().Read(sent)
			got := f.Amount(tc.field)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("amount (-want +got):\n%s", diff)
			}
			errors := map[string]string{}
			for _, field := range f.Fields {
				if field.Error != "" {
					errors[field.Name] = field.Error
				}
			}
			if diff := cmp.Diff(tc.errors, errors); diff != "" && len(tc.errors)+len(errors) > 0 {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
			if refused := fault.Is(f.Err(), fault.InvalidRequest); refused != (tc.errors != nil) {
				t.Errorf("Err: %v", f.Err())
			}
		})
	}
}

func TestForm_Refuse(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"price":                  "price",
		"pricing.price":          "price",
		"pricing.price.amount":   "price",
		"pricing.price.currency": "currency",
		"tax.amount":             "tax",
		"pricing":                "",
		"notes":                  "",
	} {
		f := priced()
		f.Refuse(fault.Invalid(path, "no"))
		marked := ""
		for _, field := range f.Fields {
			if field.Error != "" {
				marked += field.Name
			}
		}
		failed := Marked
		if want == "" {
			failed = path + ": no"
		}
		if marked != want || f.Failed != failed {
			t.Errorf("%s: beside %q, above %q, want beside %q, above %q", path, marked, f.Failed, want, failed)
		}
	}
	f := priced()
	if f.Refuse(fault.New(fault.CardSold, "It is sold.")); f.Failed != "It is sold." || f.Err() != nil {
		t.Errorf("a fault without fields: %q, %v", f.Failed, f.Err())
	}
}

func TestForm_KeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	f := New(
		Field{Name: "name", Value: "old"}, Field{Name: "notes", Kind: Lines, Value: "as before"},
		Field{Name: "games", Kind: Tags, Tags: []string{"magic"}},
	).Read(url.Values{"name": {" <b> "}})
	if got := f.Value("name"); got != " <b> " || f.Text("name") != "<b>" {
		t.Errorf("name %q, want it as typed", got)
	}
	if f.Value("notes") != "as before" || f.Sent("notes") != "" || f.Has("notes") {
		t.Errorf("a field that was not sent: %q", f.Value("notes"))
	}
	if f.Of("games").Tagged("magic") {
		t.Error("a box that is not checked stays checked")
	}
	if f.Read(url.Values{"notes": {" a\r\nb "}, "name": {""}}); f.Text("notes") != "a\nb" || f.Optional("name") != nil {
		t.Errorf("notes %q, name %v", f.Text("notes"), f.Optional("name"))
	}
}

func TestForm_Time(t *testing.T) {
	t.Parallel()
	kathmandu := calendar.Zone("Asia/Kathmandu")
	f := New(Field{Name: "at", Kind: Moment}).Read(url.Values{"at": {"2026-05-12T09:00"}})
	if at := f.Time("at", kathmandu); at == nil || at.Format(time.RFC3339) != "2026-05-12T03:15:00Z" {
		t.Errorf("got %v", at)
	}
	if f.Read(url.Values{"at": {"tomorrow"}}); f.Time("at", kathmandu) != nil || f.Error("at") != NoTime {
		t.Errorf("an error %q, want %q", f.Error("at"), NoTime)
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	match, err := Version(url.Values{"version": {"7"}})
	if err != nil || !match(7) || match(8) {
		t.Errorf("got %v, want a match of 7", err)
	}
	if _, err := Version(url.Values{}); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("a form without a version: %v", err)
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	for code, want := range map[fault.Code]int{
		fault.InvalidRequest: http.StatusUnprocessableEntity, fault.CardNotFound: http.StatusNotFound,
	} {
		if got := Status(fault.New(code, "no")); got != want {
			t.Errorf("%s: %d, want %d", code, got, want)
		}
	}
}

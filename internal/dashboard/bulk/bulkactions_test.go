package bulk

import (
	"encoding/json"
	"net/url"
	"testing"

	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/jobs"
)

// jsonText returns a value as JSON.
func jsonText(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestBulkActions_Describe(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		action, form string
		want         string // the patch, or the field and the message
	}{
		"price": {
			"price", "new_price=1,240.5&new_currency=eur", `{"asking_price":{"amount":124050,"currency":"EUR"}}`,
		},
		"price without currency": {
			"price", "new_price=1", "new_currency must be an upper-case ISO 4217 code such as USD",
		},
		"price with cents of yen": {
			"price", "new_price=1.5&new_currency=JPY", "new_price must be an amount such as 12.50",
		},
		"no price":            {"price", "new_currency=USD", "new_price must be an amount such as 12.50"},
		"percent":             {"percent", "new_percent=-5,5+%25&new_rounding=99", `{"hundredths":-550,"to_99":true}`},
		"percent to the cent": {"percent", "new_percent=10.005", `{"hundredths":1001}`},
		"no percent":          {"percent", "new_percent=a", "new_percent must be a number such as 10 or -12.5"},
		"not a number":        {"percent", "new_percent=NaN", "new_percent must be a number such as 10 or -12.5"},
		"floor price": {
			"floor", "new_floor_price=1.5&new_currency=usd", `{"floor_price":{"amount":150,"currency":"USD"}}`,
		},
		"no floor price": {"floor", "new_floor_price=&new_currency=USD", `{"floor_price":null}`},
		"floor in words": {
			"floor", "new_floor_price=x&new_currency=USD", "new_floor_price must be an amount such as 12.50",
		},
		"location":        {"location", "new_location=+Box 4/1+", `{"location":"Box 4/1"}`},
		"no location":     {"location", "new_location=", `{"location":null}`},
		"batch":           {"batch", "new_batch=bat_1", `{"batch_id":"bat_1"}`},
		"no batch":        {"batch", "", `{"batch_id":null}`},
		"condition":       {"condition", "new_condition=NM", `{"condition":"NM"}`},
		"no condition":    {"condition", "", "new_condition choose a condition"},
		"other condition": {"condition", "new_condition=A", `{"condition":"A"}`}, // the service refuses it
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sent, err := url.ParseQuery(tc.form)
			if err != nil {
				t.Fatal(err)
			}
			action, err := bulkActionOf(tc.action)
			if err != nil {
				t.Fatal(err)
			}
			var request jobs.Request
			got := ""
			f := form.New(action.fields...).Read(sent)
			action.describe(&request, f)
			if err := f.Err(); err != nil {
				f, _ := fault.As(err)
				got = f.Details[0].Field + " " + f.Details[0].Message
			} else if request.PriceChange != nil {
				got = jsonText(t, request.PriceChange)
			} else {
				got = jsonText(t, request.Patch)
			}
			if got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
	if _, err := bulkActionOf("sell"); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("unknown action: %v, want invalid_request", err)
	}
}

func TestBulkAction_Title(t *testing.T) {
	t.Parallel()
	for want, tc := range map[string]struct {
		action string
		count  int64
	}{
		"Archive 37 cards":                      {"archive", 37},
		"Delete 1 card":                         {"delete", 1},
		"End the listings of 1,240 cards":       {"end", 1240},
		"Identify 2 cards again":                {"identify", 2},
		"Set the asking price of 100,000 cards": {"price", 100_000},
	} {
		action, err := bulkActionOf(tc.action)
		if err != nil {
			t.Fatal(err)
		}
		if got := action.Title(tc.count); got != want {
			t.Errorf("Title: got %q, want %q", got, want)
		}
	}
}

// A refusal of the service stands beside the field of the form that has the value.
func TestBulkActions_ShowRefusals(t *testing.T) {
	t.Parallel()
	for path, want := range map[string][2]string{ // the action and the field
		"new_price":                           {"price", "new_price"},
		"patch.pricing.asking_price.amount":   {"price", "new_price"},
		"patch.pricing.asking_price.currency": {"price", "new_currency"},
		"patch.pricing.floor_price.amount":    {"floor", "new_floor_price"},
		"patch.pricing.floor_price.currency":  {"floor", "new_currency"},
		"patch.location":                      {"location", "new_location"},
		"patch.batch_id":                      {"batch", "new_batch"},
		"patch.identification.condition":      {"condition", "new_condition"},
		"price_change.percent":                {"percent", "new_percent"},
	} {
		action, err := bulkActionOf(want[0])
		if err != nil {
			t.Fatal(err)
		}
		f := form.New(action.fields...)
		if f.Refuse(fault.Invalid(path, "no")); f.Error(want[1]) != "no" || f.Failed != form.Marked {
			t.Errorf("%s: %q beside %s, %q above the form", path, f.Error(want[1]), want[1], f.Failed)
		}
	}
}

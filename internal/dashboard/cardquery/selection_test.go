package cardquery

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
)

func TestParseSelection(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range 201 {
		many = append(many, fmt.Sprintf("ids=card_%d", i))
	}
	for query, want := range map[string]string{ // the filter and the address, or the message
		"ids=card_1&ids=card_2":                `{"IDs":["card_1","card_2"]} /x?ids=card_1&ids=card_2 back /cards`,
		"ids=card_1&status=sold":               `{"IDs":["card_1"]} /x?ids=card_1 back /cards?status=sold`,
		"all=true":                             `{} /x?all=true back /cards`,
		"all=true&ids=card_1&q=fox&sort=price": `{"Query":"fox"} /x?all=true&q=fox back /cards?q=fox`,
		"all=true&status=priced,sold&action=x&set=": `{"Statuses":["priced","sold"]} ` +
			`/x?all=true&status=priced%2Csold back /cards?status=priced%2Csold`,
		"":                        "Choose 1 to 200 cards by their boxes, or all that match.",
		"all=false&q=fox":         "Choose 1 to 200 cards by their boxes, or all that match.",
		strings.Join(many, "&"):   "Choose 1 to 200 cards by their boxes, or all that match.",
		"ids=card_1&ids=CARD_1":   "ids: must differ; choose the cards again",
		"all=true&set=+":          "set: must not be blank; leave it empty to show all",
		"all=true&status=unknown": "status: must be one of " + strings.Join(names(cards.Statuses), ", "),
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		selected, err := ParseSelection(values, "USD")
		got := ""
		if f, failed := fault.As(err); failed {
			got = f.Message
		} else {
			got = fmt.Sprintf("%s %s back %s", jsonText(t, selected.Filter), selected.Address("/x"), selected.Back)
		}
		if got != want {
			t.Errorf("ParseSelection(%.40q):\n got %s\nwant %s", query, got, want)
		}
	}
}

// The hidden fields of a form describe the same selection.
func TestSelection_Hidden(t *testing.T) {
	t.Parallel()
	for _, query := range []string{"ids=card_1&ids=card_2", "all=true", "all=true&q=fox&status=priced%2Csold"} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		want, err := ParseSelection(values, "USD")
		if err != nil {
			t.Fatal(err)
		}
		sent := url.Values{}
		for _, field := range want.Hidden() {
			sent.Add(field.Name, field.Value)
		}
		got, err := ParseSelection(sent, "USD")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(jsonText(t, want.Filter), jsonText(t, got.Filter)); diff != "" {
			t.Errorf("%s: filter of the form (-want +got):\n%s", query, diff)
		}
	}
}

// jsonText returns a value as JSON.
func jsonText(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

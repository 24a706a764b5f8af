package marketplaces_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/money"
)

func offer(change func(*marketplaces.Offer)) marketplaces.Offer {
	o := marketplaces.Offer{
		ListingID: "lst_1", Title: "Charizard 4/102", Price: money.Money{Amount: 1250, Currency: "USD"},
		ImageURLs: []string{"https://photos.example/1.jpg"},
	}
	change(&o)
	return o
}

func TestOffer_Check(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(*marketplaces.Offer)
		code   string // of the refusal; "" means none
	}{
		"valid":                    {func(o *marketplaces.Offer) {}, ""},
		"title of 80 characters":   {withTitle(strings.Repeat("é", 80)), ""},
		"title of 81 characters":   {withTitle(strings.Repeat("é", 81)), marketplaces.CodeTitle},
		"blank title":              {withTitle(" \t"), marketplaces.CodeTitle},
		"price of zero":            {func(o *marketplaces.Offer) { o.Price.Amount = 0 }, marketplaces.CodePrice},
		"negative price":           {func(o *marketplaces.Offer) { o.Price.Amount = -1 }, marketplaces.CodePrice},
		"price without currency":   {func(o *marketplaces.Offer) { o.Price.Currency = "" }, marketplaces.CodePrice},
		"no photo":                 {func(o *marketplaces.Offer) { o.ImageURLs = nil }, marketplaces.CodePhoto},
		"grade":                    {withGrade("PSA", "9", 0), ""},
		"grade without company":    {withGrade("", "9", 0), marketplaces.CodeGrade},
		"grade without value":      {withGrade("PSA", "", 0), marketplaces.CodeGrade},
		"certificate of 31 digits": {withGrade("PSA", "9", 31), marketplaces.CodeGrade},
		"certificate of 30 digits": {withGrade("PSA", "9", 30), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := offer(tc.change).Check()
			refusal, refused := marketplaces.AsRefusal(fmt.Errorf("wrapped: %w", err))
			switch {
			case tc.code == "" && err != nil:
				t.Errorf("got %v, want no refusal", err)
			case tc.code != "" && (!refused || refusal.Code != tc.code || refusal.Message == ""):
				t.Errorf("got %v, want a refusal with code %s", err, tc.code)
			}
		})
	}
}

// withTitle returns a function that sets the title.
func withTitle(title string) func(*marketplaces.Offer) {
	return func(o *marketplaces.Offer) { o.Title = title }
}

// withGrade returns a function that adds a grade with a certification number of the given length.
func withGrade(company, value string, digits int) func(*marketplaces.Offer) {
	return func(o *marketplaces.Offer) {
		o.Grade = &marketplaces.Grade{Company: company, Value: value, CertNumber: strings.Repeat("1", digits)}
	}
}

func TestAsRefusal_OtherErrors(t *testing.T) {
	t.Parallel()
	if refusal, ok := marketplaces.AsRefusal(errors.New("connection reset")); ok {
		t.Errorf("AsRefusal of a lost connection: got %v, true, want false", refusal)
	}
}

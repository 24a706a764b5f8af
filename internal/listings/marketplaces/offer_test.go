package marketplaces_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/listings/marketplaces"
	"github.com/cardvault/cardvault/internal/money"
)

func offer(change func(*marketplaces.Offer)) marketplaces.Offer {
	o := marketplaces.Offer{ListingID: "lst_1", Title: "Charizard 4/102", Price: money.Money{Amount: 1250, Currency: "USD"},
		ImageURLs: []string{"https://photos.example/1.jpg"}}
	change(&o)
	return o
}

func TestOfferCheck(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(*marketplaces.Offer)
		code   string
	}{
		"good":                     {func(o *marketplaces.Offer) {}, ""},
		"title of 80 characters":   {func(o *marketplaces.Offer) { o.Title = strings.Repeat("é", 80) }, ""},
		"title of 81 characters":   {func(o *marketplaces.Offer) { o.Title = strings.Repeat("é", 81) }, marketplaces.CodeTitle},
		"blank title":              {func(o *marketplaces.Offer) { o.Title = " \t" }, marketplaces.CodeTitle},
		"price of zero":            {func(o *marketplaces.Offer) { o.Price.Amount = 0 }, marketplaces.CodePrice},
		"negative price":           {func(o *marketplaces.Offer) { o.Price.Amount = -1 }, marketplaces.CodePrice},
		"price in no currency":     {func(o *marketplaces.Offer) { o.Price.Currency = "" }, marketplaces.CodePrice},
		"no photo":                 {func(o *marketplaces.Offer) { o.ImageURLs = nil }, marketplaces.CodePhoto},
		"grade":                    {func(o *marketplaces.Offer) { o.Grade = &marketplaces.Grade{Company: "PSA", Value: "9"} }, ""},
		"grade without a company":  {func(o *marketplaces.Offer) { o.Grade = &marketplaces.Grade{Value: "9"} }, marketplaces.CodeGrade},
		"grade without a value":    {func(o *marketplaces.Offer) { o.Grade = &marketplaces.Grade{Company: "PSA"} }, marketplaces.CodeGrade},
		"certificate of 31 digits": {func(o *marketplaces.Offer) { o.Grade = certified(31) }, marketplaces.CodeGrade},
		"certificate of 30 digits": {func(o *marketplaces.Offer) { o.Grade = certified(30) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := offer(tc.change).Check()
			refusal, refused := marketplaces.AsRefusal(fmt.Errorf("wrapped: %w", err))
			switch {
			case tc.code == "" && err != nil:
				t.Errorf("refused: %v", err)
			case tc.code != "" && (!refused || refusal.Code != tc.code || refusal.Message == ""):
				t.Errorf("got %v, want a refusal with code %s", err, tc.code)
			}
		})
	}
}

func certified(digits int) *marketplaces.Grade {
	return &marketplaces.Grade{Company: "PSA", Value: "9", CertNumber: strings.Repeat("1", digits)}
}

func TestAsRefusal_OtherErrors(t *testing.T) {
	t.Parallel()
	if refusal, ok := marketplaces.AsRefusal(errors.New("connection reset")); ok {
		t.Errorf("a lost connection is taken for the refusal %v", refusal)
	}
}

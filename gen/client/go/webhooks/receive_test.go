package webhooks

import (
	"encoding/json"
	"errors"
	"net/http/httptest"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

var someData = []cardvault.EventData{
	cardvault.CardIdentifiedData{CardID: "card_1", Title: `Fox & "Ember"`, Set: "<Cinders>"},
	cardvault.CardPricedData{AskingPrice: cardvault.Money{Amount: 450, Currency: cardvault.CurrencyUSD}},
	cardvault.CardWorkflowStatusChangedData{Status: cardvault.WorkflowStatusSold},
	cardvault.ListingPublishedData{URL: "https://market.example/1?a=1&b=2"},
	cardvault.ListingSoldData{SoldAt: time.Date(2026, 5, 11, 15, 32, 1, 0, time.UTC)},
	cardvault.ListingEndedData{EndReason: "ended_by_seller"},
	cardvault.BatchCompletedData{Name: `a trap: "created_at":"2026-05-11T15:32:01Z"`},
	cardvault.IdentifyFailedData{Attempts: []cardvault.IdentifyFailedAttempt{{Provider: "ocr"}}},
	cardvault.UnknownData{Event: "card.lent", JSON: json.RawMessage(`{"to":"Ada"}`)},
}

func TestReceive(t *testing.T) {
	for _, data := range someData {
		t.Run(string(data.Kind()), func(t *testing.T) {
			payload, err := SignTestPayload(secret, cardvault.Event{Data: data})
			if err != nil {
				t.Fatal(err)
			}
			request, err := payload.Request("/hook")
			if err != nil {
				t.Fatal(err)
			}
			event, err := Receive(request, secret)
			if err != nil {
				t.Fatal(err)
			}
			if event.Kind != data.Kind() || !reflect.DeepEqual(event.Data, data) {
				t.Errorf("%s is received as %#v, want the data %#v", payload.Body, event, data)
			}
			header := payload.Header
			if header.Get("X-Vault-Event") != string(event.Kind) || header.Get("X-Vault-Event-Id") != event.ID ||
				header.Get("X-Vault-Delivery-Attempt") != "1" || header.Get("Content-Type") != "application/json" {
				t.Errorf("the headers are %v", header)
			}
		})
	}
}

// The body has the same bytes as that of the service.
func TestSignTestPayload_Body(t *testing.T) {
	payload, err := SignTestPayload(secret, cardvault.Event{
		ID: "evt_01k5w0q2m7t9c3r5v8x0z1b4d6", AccountID: "acc_01k5w0q2m7t9c3r5v8x0z1b4d6",
		CreatedAt: time.Date(2026, 5, 11, 15, 32, 1, 120_000_000, time.UTC),
		Data: cardvault.ListingSoldData{
			CardID: "card_01k5w0q2m7t9c3r5v8x0z1b4d6", Title: "Fox & Owl",
			ListingID: "lst_01k5w0q2m7t9c3r5v8x0z1b4d6", Marketplace: cardvault.MarketplaceSandbox,
			SoldPrice: cardvault.Money{Amount: 450, Currency: cardvault.CurrencyUSD},
			SoldAt:    time.Date(2026, 5, 11, 17, 32, 0, 0, time.FixedZone("", 2*60*60)),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":"evt_01k5w0q2m7t9c3r5v8x0z1b4d6","event":"listing.sold",` +
		`"created_at":"2026-05-11T15:32:01.120000Z","account_id":"acc_01k5w0q2m7t9c3r5v8x0z1b4d6",` +
		`"data":{"card_id":"card_01k5w0q2m7t9c3r5v8x0z1b4d6","title":"Fox & Owl","set":"","number":"",` +
		`"listing_id":"lst_01k5w0q2m7t9c3r5v8x0z1b4d6","marketplace":"sandbox","external_id":"",` +
		`"sold_price":{"amount":450,"currency":"USD"},"sold_at":"2026-05-11T15:32:00.000000Z"}}`
	if string(payload.Body) != want {
		t.Errorf("got  %s\nwant %s", payload.Body, want)
	}
}

func TestSignTestPayload_Defaults(t *testing.T) {
	event := regexp.MustCompile(`^\{"id":"evt_[0-7][0-9a-hjkmnp-tv-z]{25}","event":"batch.completed",` +
		`"created_at":"[0-9T:-]{19}\.\d{6}Z","account_id":"acc_0{26}",`)
	identifiers := map[string]bool{}
	for range 50 {
		payload, err := SignTestPayload(secret, cardvault.Event{Data: cardvault.BatchCompletedData{}})
		if err != nil {
			t.Fatal(err)
		}
		if !event.Match(payload.Body) {
			t.Errorf("got %s, want a match of %s", payload.Body, event)
		}
		identifiers[payload.Header.Get("X-Vault-Event-Id")] = true
	}
	if len(identifiers) != 50 {
		t.Errorf("50 events have %d identifiers", len(identifiers))
	}
}

func TestSignTestPayload_Errors(t *testing.T) {
	_, err := SignTestPayload("", cardvault.Event{Data: cardvault.BatchCompletedData{}})
	if !errors.Is(err, ErrNoSecret) {
		t.Errorf("without a secret: got %v, want ErrNoSecret", err)
	}
	if _, err := SignTestPayload(secret, cardvault.Event{}); err == nil {
		t.Error("without data: got no error")
	}
}

func TestReceive_Errors(t *testing.T) {
	request := httptest.NewRequest("POST", "/hook", strings.NewReader(body))
	request.Header.Set(SignatureHeader, header)
	if _, err := Receive(request, secret); !errors.Is(err, ErrTooOld) {
		t.Errorf("an old delivery: got %v, want ErrTooOld", err)
	}
	request = httptest.NewRequest("POST", "/hook", strings.NewReader(strings.Repeat(" ", longestBody+1)))
	if _, err := Receive(request, secret); err == nil || errors.Is(err, ErrMalformed) {
		t.Errorf("a body that is too long: got %v, want an error of reading it", err)
	}
	for _, signed := range []string{"[]", `{"event":"card.priced","data":[]}`, `{"event":"card.priced"}`, ""} {
		if event, err := Parse(secret, sign(secret, time.Now(), []byte(signed)), []byte(signed)); err == nil {
			t.Errorf("Parse(%q) = %#v, want an error", signed, event)
		}
	}
}

package api_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	server "github.com/cardvault/cardvault/gen/server/v1"
)

// listing returns a service whose handler stores the request in got.
func listing(t testing.TB, got *server.ListCardsRequestObject) service {
	return setup(t, &handlers{listCards: func(
		_ context.Context, r server.ListCardsRequestObject,
	) (server.ListCardsResponseObject, error) {
		*got = r
		return server.ListCards200JSONResponse{Data: []server.Card{card()}}, nil
	}})
}

func TestValidate_Query(t *testing.T) {
	t.Parallel()
	s := listing(t, new(server.ListCardsRequestObject))
	for query, field := range map[string]string{
		"":                                   "",
		"limit=1":                            "",
		"limit=200&q=ember%20fox":            "",
		"set=%F0%9F%A6%8A":                   "",
		"updated_since=2026-05-11T15:32:01Z": "",
		"updated_since=2026-05-11T15:32:01%2B02:00": "",
		"status=identified&status=priced":           "",
		"q=" + strings.Repeat("%F0%9F%A6%8A", 100):  "", // code points count, not UTF-16 units
		"q=" + strings.Repeat("%F0%9F%A6%8A", 101):  "q",
		"limit=0":                              "limit",
		"limit=201":                            "limit",
		"limit=":                               "limit",
		"limit=x":                              "limit",
		"limit=1.0":                            "limit",
		"limit=%2B5":                           "limit",
		"limit=007":                            "limit",
		"limit=99999999999999999999":           "limit",
		"min_price=-1":                         "min_price",
		"min_price=100000000000":               "min_price",
		"limit=1&limit=1":                      "limit",
		"unknown=1":                            "unknown",
		"Limit=1":                              "Limit",
		"status=nothing":                       "status",
		"status=identified,,priced":            "status",
		"status=":                              "status",
		"set=":                                 "set",
		"set=a%00b":                            "set",
		"q=%ff":                                "q",
		"q=%zz":                                "query",
		"q=a;b=c":                              "query",
		"updated_since=2026-05-11":             "updated_since",
		"updated_since=2026-05-11T15:32:01":    "updated_since",
		"updated_since=2026-02-30T15:32:01Z":   "updated_since",
		"updated_since=2026-05-11T15:32:01,5Z": "updated_since",
		"updated_since=2026-05-11T15:32:01%2B24:00": "updated_since",
		"updated_since=2026-05-11T15:32:01%2B01:60": "updated_since",
		"updated_since=0001-01-01T00:00:00%2B14:00": "updated_since",
		"updated_since=9999-12-31T23:59:59-14:00":   "updated_since",
		"batch=" + cardID:                           "batch",
		"cursor=%24":                                "cursor",
		"location=a//b":                             "location",
	} {
		t.Run(query, func(t *testing.T) {
			resp, body := s.do(t, request("GET", "/api/cards?"+query, ""))
			if field == "" {
				if resp.StatusCode != http.StatusOK {
					t.Errorf("%s", body)
				}
				return
			}
			if resp.StatusCode != http.StatusBadRequest {
				t.Errorf("got %d, want 400: %s", resp.StatusCode, body)
			}
			if diff := cmp.Diff([]string{field}, invalidFields(t, body)); diff != "" {
				t.Errorf("invalid fields (-want +got):\n%s", diff)
			}
		})
	}
}

func invalidFields(t testing.TB, body string) []string {
	t.Helper()
	var e envelope
	if err := json.Unmarshal([]byte(body), &e); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	var fields []string
	for _, d := range e.Error.Details {
		fields = append(fields, d.Field)
	}
	slices.Sort(fields)
	return fields
}

// Messages contain no patterns, and describe the format of identifiers.
func TestValidationMessage(t *testing.T) {
	t.Parallel()
	s := setup(t, &handlers{updateCard: reading().updateCard})
	for _, c := range []struct{ body, want string }{
		{`{"location":"a//b"}`,
			"location: must be 1 to 5 non-empty segments separated by /, without control characters"},
		{`{"location":"` + strings.Repeat("x", 201) + `"}`, "location: must have at most 200 characters"},
		{`{"batch_id":"bat_x"}`, "batch_id: must be a batch identifier (bat_…)"},
		{`{"batch_id":"` + cardID + `"}`, "batch_id: must be a batch identifier (bat_…)"},
		{`{"batch_id":"bat_uuuuuuuuuuuuuuuuuuuuuuuuuu"}`, "batch_id: must be a batch identifier (bat_…)"},
		{`{"sku":"a\nb"}`, "sku: must not be blank or contain control characters such as line breaks"},
		{`{"sku":""}`, "sku: must not be empty"},
		{`{"sku":1}`, "sku: must be a string"},
		{`{"identification":{"title":"  "}}`,
			"identification.title: must not be blank or contain control characters such as line breaks"},
		{`{"identification":{"language":"Klingon!"}}`,
			"identification.language: must be a BCP 47 language tag such as en or pt-BR"},
		{`{"identification":{"condition":"mint"}}`,
			"identification.condition: must be one of NM, LP, MP, HP, DMG, null"},
		{`{"pricing":{"cost":{"amount":1,"currency":"usd"}}}`,
			"pricing.cost.currency: must be an upper-case ISO 4217 code such as USD"},
	} {
		t.Run(c.body, func(t *testing.T) {
			_, answer := s.do(t, request("PATCH", "/api/cards/"+cardID, c.body, "Content-Type", "application/json"))
			var e envelope
			if err := json.Unmarshal([]byte(answer), &e); err != nil || e.Error.Message != c.want {
				t.Errorf("got %s, want the message %s", answer, c.want)
			}
		})
	}
}

// A message that asks for exactly one field, where several may be given, sends people into the next error.
func TestValidationMessage_Numbers(t *testing.T) {
	t.Parallel()
	s := setup(t, &handlers{})
	for _, c := range []struct{ method, path, body, want string }{
		{"POST", "/jobs", `{"kind":"delete","filter":{}}`, "filter: must have at least one of batch, catalog_id, " +
			"condition, currency, external_id, game, grade, has_photo, identification, ids, language, location, " +
			"max_price, min_price, number, q, set, sku, status"},
		{"POST", "/sales/" + saleID + "/refund", `{"restock":false,"parts":{}}`,
			"parts: must have at least one of fees, item, shipping, tax"},
		{"POST", "/price-lookup", `{}`, "body: must have exactly one of card, card_id, card_ids"},
		{"POST", "/price-lookup", `{"card_id":"` + cardID + `","card_ids":["` + cardID + `"]}`,
			"body: must have exactly one of card, card_id, card_ids"},
		{"POST", "/cards", `{"cards":[]}`, "cards: must have at least one item"},
		{"PATCH", "/sales/" + saleID, `{"sold_at":null}`, "sold_at: must not be null"},
	} {
		t.Run(c.path+c.body, func(t *testing.T) {
			_, answer := s.do(t, request(c.method, "/api"+c.path, c.body, "Content-Type", "application/json"))
			var e envelope
			if err := json.Unmarshal([]byte(answer), &e); err != nil || e.Error.Message != c.want {
				t.Errorf("got %s, want the message %s", answer, c.want)
			}
		})
	}
}

const saleID = "sale_01k5w0q2m7t9c3r5v8x0z1b4d6"

func TestValidate_CommaSeparatedLists(t *testing.T) {
	t.Parallel()
	var got server.ListCardsRequestObject
	s := listing(t, &got)
	if resp, body := s.do(t, request("GET", "/api/cards?status=identified,priced&status=sold&limit=5",
		"")); resp.StatusCode != 200 {
		t.Fatal(body)
	}
	want := []server.WorkflowStatus{"identified", "priced", "sold"}
	if diff := cmp.Diff(&want, got.Params.Status); diff != "" {
		t.Errorf("statuses that the handler got (-want +got):\n%s", diff)
	}
	if limit := got.Params.Limit; limit == nil || *limit != 5 {
		t.Errorf("the handler got parameters %+v, want the limit 5", got.Params)
	}
}

func TestValidate_PatchDistinguishesAbsentAndNull(t *testing.T) {
	t.Parallel()
	var got server.UpdateCardRequestObject
	s := setup(t, &handlers{updateCard: func(
		ctx context.Context, r server.UpdateCardRequestObject,
	) (server.UpdateCardResponseObject, error) {
		got = r
		return updateCard200(), nil
	}})
	for _, media := range []string{"application/json", "application/merge-patch+json; charset=UTF-8",
		"Application/JSON"} {
		t.Run(media, func(t *testing.T) {
			got = server.UpdateCardRequestObject{}
			r := request("PATCH", "/api/cards/"+cardID, `{
				"identification": {"title": "Ember Fox 🦊", "year": 2026},
				"location": null,
				"pricing": {"asking_price": {"amount": 9999999999.90e1, "currency": "USD"}, "cost": null}
			}`, "Content-Type", media, "If-Match", `"3"`)
			if resp, body := s.do(t, r); resp.StatusCode != 200 {
				t.Fatalf("%s", body)
			}
			b := got.Body
			if b.Identification.Title.MustGet() != "Ember Fox 🦊" || b.Identification.Year.MustGet() != 2026 ||
				!b.Location.IsNull() || b.Notes.IsSpecified() ||
				b.Pricing.AskingPrice.MustGet().Amount != 99999999999 || !b.Pricing.Cost.IsNull() ||
				*got.Params.IfMatch != `"3"` || got.ID != cardID {
				t.Errorf("%+v", b)
			}
		})
	}
}

func TestValidate_Body(t *testing.T) {
	t.Parallel()
	s := setup(t, &handlers{
		updateCard: reading().updateCard,
		createCards: func(context.Context, server.CreateCardsRequestObject) (server.CreateCardsResponseObject, error) {
			return server.CreateCards201JSONResponse{
				Data: []server.Card{card()}, Outcomes: []server.ImportOutcome{server.ImportOutcomeCreated},
			}, nil
		},
	})
	for _, c := range []struct {
		method, body, code string
		fields             []string
	}{
		{"PATCH", `{}`, "", nil},
		{"PATCH", ` {"notes":"x"}` + "\n", "", nil},
		{"PATCH", ``, "invalid_request", []string{"body"}},
		{"PATCH", `null`, "invalid_request", []string{"body"}},
		{"PATCH", `[]`, "invalid_request", []string{"body"}},
		{"PATCH", `"x"`, "invalid_request", []string{"body"}},
		{"PATCH", `{"unknown":1,"notes":2}`, "invalid_request", []string{"notes", "unknown"}},
		{"PATCH", `{"Notes":"x"}`, "invalid_request", []string{"Notes"}},
		{"PATCH", `{"identification":{"title":"","year":1}}`, "invalid_request",
			[]string{"identification.title", "identification.year"}},
		{"PATCH", `{"identification":{"title":" "}}`, "invalid_request", []string{"identification.title"}},
		{"PATCH", `{"pricing":{"asking_price":{"amount":1.5,"currency":"USD"}}}`, "invalid_request",
			[]string{"pricing.asking_price.amount"}},
		{"PATCH", `{"pricing":{"asking_price":{"amount":100000000000,"currency":"US"}}}`, "invalid_request",
			[]string{"pricing.asking_price.amount", "pricing.asking_price.currency"}},
		{"PATCH", `{"pricing":{"asking_price":{"amount":1}}}`, "invalid_request",
			[]string{"pricing.asking_price.currency"}},
		{"PATCH", `{"pricing":{"asking_price":{"amount":1e400,"currency":"USD"}}}`, "invalid_request",
			[]string{"pricing.asking_price.amount"}},
		{"PATCH", `{"pricing":{"asking_price":{"amount":1e2,"currency":"USD"}}}`, "", nil},
		{"PATCH", `{"pricing":{"asking_price":{"amount":1.0,"currency":"USD"}}}`, "", nil},
		{"PATCH", `{"archived":"yes"}`, "invalid_request", []string{"archived"}},
		{"PATCH", `{"pricing":null}`, "invalid_request", []string{"pricing"}},
		{"PATCH", `{"notes":"` + strings.Repeat("🦊", 4000) + `"}`, "", nil},
		{"PATCH", `{"notes":"` + strings.Repeat("🦊", 4001) + `"}`, "invalid_request", []string{"notes"}},
		{"PATCH", `{"` + strings.Repeat("x", 400) + `":1}`, "invalid_request",
			[]string{strings.Repeat("x", 299) + "…"}},
		{"PATCH", `{"notes":"x"} {}`, "invalid_json", nil},
		{"PATCH", `{"notes":"x"}x`, "invalid_json", nil},
		{"PATCH", `{"notes":"x","notes":"y"}`, "invalid_json", nil},
		{"PATCH", `{"notes":"x","\u006eotes":"y"}`, "invalid_json", nil},
		{"PATCH", `{"notes":"a\u0000b"}`, "invalid_json", nil},
		{"PATCH", "{\"notes\":\"a\x00b\"}", "invalid_json", nil},
		{"PATCH", `{"a\u0000b":1}`, "invalid_json", nil},
		{"PATCH", "{\"notes\":\"\xff\"}", "invalid_json", nil},
		{"PATCH", `{"notes":"\ud800"}`, "invalid_json", nil},
		{"PATCH", `{"notes":`, "invalid_json", nil},
		{"PATCH", `{"notes":01}`, "invalid_json", nil},
		{"PATCH", `{notes:1}`, "invalid_json", nil},
		{"PATCH", ` `, "invalid_json", nil},
		{"PATCH", strings.Repeat("[", 100000), "invalid_json", nil},
		{"PATCH", strings.Repeat(`{"a":`, 17) + "1" + strings.Repeat("}", 17), "invalid_json", nil},
		{"POST", `{"cards":[]}`, "invalid_request", []string{"cards"}},
		{"POST", `{"cards":[{},{"location":"a//b"}]}`, "invalid_request", []string{"cards.1.location"}},
		{"POST", `{"cards":[{"photos":[{"url":"https://[","role":"front"}]}]}`, "invalid_request",
			[]string{"cards.0.photos.0.url"}},
		{"POST", `{"cards":[{"photos":[{"url":"https://a/b","role":"front"}],"identify":true}]}`, "", nil},
	} {
		t.Run(c.method+" "+c.body[:min(len(c.body), 80)], func(t *testing.T) {
			target := "/api/cards"
			if c.method == "PATCH" {
				target += "/" + cardID
			}
			resp, body := s.do(t, request(c.method, target, c.body, "Content-Type", "application/json"))
			shown := c.body[:min(len(c.body), 80)]
			if c.code == "" {
				if resp.StatusCode > 299 {
					t.Errorf("%s: %s", shown, body)
				}
				return
			}
			if resp.StatusCode != 400 || !strings.Contains(body, `"`+c.code+`"`) {
				t.Errorf("%s: %d %s", shown, resp.StatusCode, body)
			}
			if c.fields != nil {
				if diff := cmp.Diff(c.fields, invalidFields(t, body)); diff != "" {
					t.Errorf("invalid fields of %s (-want +got):\n%s", shown, diff)
				}
			}
		})
	}
}

func TestFieldErrors_LimitsDetails(t *testing.T) {
	t.Parallel()
	s := setup(t, &handlers{})
	cards := strings.TrimSuffix(strings.Repeat(`{"location":1,"sku":2},`, 500), ",")
	_, body := s.do(t, request("POST", "/api/cards", `{"cards":[`+cards+`]}`))
	if got := invalidFields(t, body); len(got) != 20 || !strings.Contains(body, "(and 999 more)") ||
		!utf8.ValidString(body) {
		t.Errorf("%d fields: %s", len(got), body[:300])
	}
}

func TestValidate_BodyOfOperationWithoutBody(t *testing.T) {
	t.Parallel()
	calls := 0
	s := setup(t, &handlers{
		completeBatch: func(
			context.Context, server.CompleteBatchRequestObject,
		) (server.CompleteBatchResponseObject, error) {
			calls++
			return server.CompleteBatch200JSONResponse(batch()), nil
		},
		publish: func(_ context.Context, r server.PublishCardRequestObject) (server.PublishCardResponseObject, error) {
			if r.Body != nil {
				t.Errorf("the handler got a body: %+v", r.Body)
			}
			return server.PublishCard202JSONResponse(publishing()), nil
		},
	})
	complete := "/api/batches/" + batchID + "/complete"
	for body, want := range map[string]int{"": 200, "{}": 200, " {} ": 200, `{"a":1}`: 400, "x": 400,
		strings.Repeat(" ", 2000): 400} {
		t.Run(body, func(t *testing.T) {
			if resp, answer := s.do(t, request("POST", complete, body)); resp.StatusCode != want {
				t.Errorf("%q: %d %s", body, resp.StatusCode, answer)
			}
		})
	}
	if calls != 3 {
		t.Errorf("%d calls", calls)
	}
	publish := "/api/listings/" + cardID + "/publish"
	for _, r := range []*http.Request{request("POST", publish, ""),
		request("POST", publish, "", "Content-Type", "application/json")} {
		if resp, body := s.do(t, r); resp.StatusCode != http.StatusAccepted {
			t.Errorf("%d %s", resp.StatusCode, body)
		}
	}
}

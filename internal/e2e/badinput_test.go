package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// statusOf is the status of each error code. It repeats by hand what the contract says.
var statusOf = map[string]int{
	"invalid_request": 400, "invalid_json": 400, "invalid_cursor": 400,
	"missing_token": 401, "invalid_token": 401, "revoked_token": 401,
	"insufficient_scope": 403,
	"card_not_found":     404, "batch_not_found": 404, "listing_not_found": 404, "photo_not_found": 404,
	"event_not_found": 404, "job_not_found": 404, "webhook_not_found": 404, "delivery_not_found": 404,
	"route_not_found":    404,
	"method_not_allowed": 405, "not_acceptable": 406, "payload_too_large": 413, "unsupported_media_type": 415,
	"card_not_identified": 409, "card_has_no_photo": 409, "batch_complete": 409, "version_mismatch": 412,
	"photo_invalid": 422, "photo_forbidden": 422, "idempotency_key_reused": 422, "no_price_found": 422,
	"rate_limited": 429, "not_implemented": 501,
}

// bad is a request that the service refuses. In path and body {card}, {batch}, {listing} and {photo} stand for
// identifiers of the caller's own.
type bad struct {
	method, path string
	body         any
	code         string
	field        string // among error.details; "" if the error is not about a field
	headers      []string
}

// invalid returns a request that the service refuses with invalid_request because of a field.
func invalid(method, path string, body any, field string) bad {
	return bad{method, path, body, "invalid_request", field, nil}
}

// String describes the request in one short line.
func (b bad) String() string {
	line := fmt.Sprintf("%s %.60s", b.method, b.path)
	if text, isText := b.body.(string); isText {
		line += fmt.Sprintf(" %.60s", text)
	}
	if len(b.headers) > 0 {
		line += fmt.Sprintf(" %.60q", b.headers)
	}
	return line
}

// refusals sends the requests of a table to one service. It checks the response of each, and then that the service
// stored nothing.
func refusals(t *testing.T, table func(c *client, p possessions) []bad) {
	t.Helper()
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	mine := c.own()
	requests := table(c, mine)
	before := s.snapshot(t)
	for _, b := range requests {
		t.Run(b.String(), func(t *testing.T) { c.in(t).refuse(mine, b) })
	}
	s.unchanged(t, before)
}

// refuse sends a request and checks that the service refuses it as b says.
func (c *client) refuse(mine possessions, b bad) {
	c.t.Helper()
	fill := strings.NewReplacer(
		"{card}", mine.card,
		"{photo}", mine.photo,
		"{batch}", mine.batch,
		"{listing}", mine.listing,
	)
	body := b.body
	if text, isText := body.(string); isText {
		body = fill.Replace(text)
	}
	got := c.do(b.method, fill.Replace(b.path), body, b.headers...)
	if b.method == "HEAD" {
		if got.status != statusOf[b.code] || len(got.body) > 0 {
			c.t.Errorf("%s: got %d %s, want %d without a body", b, got.status, got.body, statusOf[b.code])
		}
		return
	}
	fields, code := errorDetails(c.t, got)
	rightFields := b.field == "" && len(fields) == 0 || b.field != "" && slices.Contains(fields, b.field)
	if code != b.code || got.status != statusOf[b.code] || !rightFields {
		c.t.Errorf("%s: got %d %s, want %d %s about the field %q",
			b, got.status, got.body, statusOf[b.code], b.code, b.field)
	}
}

// errorDetails returns the code of an error and the fields that it names.
func errorDetails(t testing.TB, r response) (fields []string, code string) {
	t.Helper()
	var e struct {
		Error struct {
			Code    string
			Status  int
			Details []struct{ Field string }
		}
	}
	if err := json.Unmarshal(r.body, &e); err != nil || e.Error.Status != r.status {
		t.Errorf("%d %.300s is not an error as the contract describes it: %v", r.status, r.body, err)
	}
	for _, d := range e.Error.Details {
		fields = append(fields, d.Field)
	}
	return fields, e.Error.Code
}

// TestBodies_InvalidJSON sends what is not exactly one JSON value in UTF-8 without NUL and duplicate keys.
func TestBodies_InvalidJSON(t *testing.T) {
	refusals(t, func(*client, possessions) (table []bad) {
		for _, body := range []string{
			`{`, `{"notes"`, `{"notes":`, `{"notes":"x"`, `{"notes":"x",}`, `{"notes":"x"}}`, `}`, ` `, "\n\t", `{,}`,
			`[1,]`, `[`,
			`{"notes":"x"} {}`, `{"notes":"x"}x`, `{"notes":"x"}` + "\x00", `{"notes":"x"}null`,
			`{'notes':'x'}`, `{notes:"x"}`, `{"notes":undefined}`, `{"notes":NaN}`, `{"notes":-Infinity}`,
			`{"notes":True}`, "//c\n{}", `{/*c*/}`,
			`{"notes":"x","notes":"x"}`, `{"notes":"x","notes":null}`, `{"notes":"x","\u006eotes":"y"}`,
			`{"pricing":{"cost":null,"cost":null}}`,
			`{"notes":"a\u0000b"}`, "{\"notes\":\"a\x00b\"}", `{"a\u0000b":1}`, `{"notes":"\u0000"}`,
			"{\"notes\":\"\xff\"}", "{\"notes\":\"\xc0\x80\"}", "{\"notes\":\"\xed\xa0\x80\"}",
			"{\"notes\":\"\xf4\x90\x80\x80\"}", "{\"no\xfftes\":1}",
			`{"notes":"\ud800"}`, `{"notes":"\ud800x"}`, `{"notes":"\udc00\ud800"}`, `{"\ud800":1}`,
			"\xef\xbb\xbf{}", "\xff\xfe{\x00}\x00", `{"notes":"\x"}`, `{"notes":"\u12"}`,
			"{\"notes\":\"a\nb\"}", "{\"notes\":\"a\x1fb\"}",
			`{"notes":01}`, `{"notes":+1}`, `{"notes":.5}`, `{"notes":1.}`, `{"notes":0x10}`,
			`{"notes":1e}`, `{"notes":-}`,
			strings.Repeat("[", 16_000),
			strings.Repeat(`{"a":`, 3_000),
			strings.Repeat("[", 100) + strings.Repeat("]", 100),
			`{"notes":` + strings.Repeat("[", 20) + strings.Repeat("]", 20) + `}`,
			"notes=x", "<card/>",
		} {
			table = append(table,
				bad{"PATCH", "/cards/{card}", body, "invalid_json", "", nil},
				bad{"POST", "/cards", body, "invalid_json", "", nil},
				bad{"POST", "/listings/{card}/publish", body, "invalid_json", "", nil})
		}
		for _, path := range []string{"/batches", "/cards", "/identify", "/price-lookup"} {
			table = append(table,
				bad{"POST", path, `{"a":1,"a":1}`, "invalid_json", "", nil},
				invalid("POST", path, nil, "body"))
		}
		return append(table, invalid("PATCH", "/cards/{card}", nil, "body"))
	})
}

// TestBodies_WrongTypes gives every field of every body a value of each JSON type that the field does not take.
func TestBodies_WrongTypes(t *testing.T) {
	refusals(t, func(*client, possessions) (table []bad) {
		values := map[string][]string{
			"object":  {`{}`, `{"a":1}`},
			"array":   {`[]`, `[null]`, `[{}]`},
			"string":  {`""`, `"x"`, `"1"`, `"null"`},
			"number":  {`0`, `-1`, `1.5`, `1e400`, `99999999999999999999`},
			"boolean": {`true`, `false`},
			"null":    {`null`},
		}
		for _, place := range []struct{ method, path, before, after, field, takes string }{
			{"PATCH", "/cards/{card}", ``, ``, "body", "object"},
			{"PATCH", "/cards/{card}", `{"identification":`, `}`, "identification", "object"},
			{"PATCH", "/cards/{card}", `{"identification":{"title":`, `}}`, "identification.title", "string"},
			{"PATCH", "/cards/{card}", `{"identification":{"year":`, `}}`, "identification.year", "null"},
			{"PATCH", "/cards/{card}", `{"identification":{"game":`, `}}`, "identification.game", "null"},
			{"PATCH", "/cards/{card}", `{"identification":{"grade":`, `}}`, "identification.grade", "object null"},
			{"PATCH", "/cards/{card}", `{"pricing":`, `}`, "pricing", "object"},
			{"PATCH", "/cards/{card}", `{"pricing":{"cost":`, `}}`, "pricing.cost", "object null"},
			{"PATCH", "/cards/{card}", `{"pricing":{"asking_price":{"currency":"USD","amount":`, `}}}`,
				"pricing.asking_price.amount", ""},
			{"PATCH", "/cards/{card}", `{"location":`, `}`, "location", "string null"},
			{"PATCH", "/cards/{card}", `{"batch_id":`, `}`, "batch_id", "null"},
			{"PATCH", "/cards/{card}", `{"archived":`, `}`, "archived", "boolean"},
			{"POST", "/cards", ``, ``, "body", "object"},
			{"POST", "/cards", `{"cards":`, `}`, "cards", "array"},
			{"POST", "/cards", `{"cards":[{},`, `]}`, "cards.1", "object"},
			{"POST", "/cards", `{"cards":[{"photos":`, `}]}`, "cards.0.photos", "array"},
			{"POST", "/cards", `{"cards":[{"photos":[`, `]}]}`, "cards.0.photos.0", "object"},
			{"POST", "/cards", `{"cards":[{"identify":`, `}]}`, "cards.0.identify", "boolean"},
			{"POST", "/cards", `{"cards":[{"identification":{"title":`, `}}]}`,
				"cards.0.identification.title", "string"},
			{"POST", "/batches", ``, ``, "body", "object"},
			{"POST", "/batches", `{"name":`, `}`, "name", "string"},
			{"POST", "/identify", `{"card_id":`, `}`, "card_id", ""},
			{"POST", "/price-lookup", `{"card":`, `}`, "card", "object"},
			{"POST", "/listings/{card}/publish", `{"price":`, `}`, "price", "object"},
			{"POST", "/listings/{card}/publish", `{"marketplace":`, `}`, "marketplace", ""},
		} {
			for _, kind := range slices.Sorted(maps.Keys(values)) {
				for _, value := range values[kind] {
					taken := strings.Contains(place.takes, kind) ||
						strings.HasSuffix(place.field, "amount") && value == "0"
					if !taken {
						body := place.before + value + place.after
						table = append(table, invalid(place.method, place.path, body, place.field))
					}
				}
			}
		}
		return table
	})
}

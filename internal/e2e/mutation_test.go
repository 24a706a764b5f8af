package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// valid are bodies with all fields that the contract allows, for every path that takes one.
var valid = []struct{ method, path, body string }{
	{"POST", "/cards", `{"cards": [
		{
			"identification": {
				"title": "Ember Fox", "set": "Dawn of Cinders", "number": "54/167", "catalog_id": "ember-54",
				"game": "other", "year": 2026, "variant": "reverse holo", "language": "en", "condition": "NM",
				"grade": {"company": "PSA", "value": "9.5", "cert_number": "1"}
			},
			"pricing": {
				"asking_price": {"amount": 1250, "currency": "USD"},
				"cost": {"amount": 1, "currency": "JPY"}
			},
			"location": "A/B", "sku": "x", "notes": "y", "batch_id": "{batch}",
			"photos": [{"url": "{photos}/a", "role": "front"}, {"url": "{photos}/b", "role": "back"}],
			"identify": false, "hints": {"game": "magic", "set": "x", "language": "ja"}
		},
		{}
	], "hints": {"language": "en"}}`},
	{"PATCH", "/cards/{card}", `{
		"identification": {
			"title": "Ember Fox", "set": null, "number": "54/167", "catalog_id": null,
			"game": "magic", "year": 1999, "variant": null, "language": "pt-BR", "condition": "DMG",
			"grade": {"company": "PSA", "value": "9.5", "cert_number": null}
		},
		"pricing": {"asking_price": {"amount": 1250, "currency": "USD"}, "cost": null},
		"location": "A/B/C", "sku": null, "notes": "y", "batch_id": "{batch}", "archived": false
	}`},
	{"POST", "/batches", `{"name": "Spring fair", "description": "x"}`},
	{"POST", "/identify", `{"card_id": "{card}"}`},
	{"POST", "/identify", `{"photo_url": "{photos}/a", "hints": {"game": "magic", "set": "x", "language": "pt-BR"}}`},
	{"POST", "/price-lookup", `{"card_id": "{card}"}`},
	{"POST", "/price-lookup", `{"card_ids": ["{card}", "card_01k5w0q2m7t9c3r5v8x0z1b4d6"]}`},
	{"POST", "/price-lookup", `{"card": {
		"title": "Ember Fox", "set": "x", "number": "1", "game": "other", "condition": "NM",
		"grade": {"company": "PSA", "value": "9", "cert_number": "1"}
	}}`},
	{"POST", "/listings/{card}/publish", `{
		"marketplace": "sandbox", "price": {"amount": 1, "currency": "USD"}, "title": "Ember Fox"
	}`},
}

// scraps are JSON values that replace others. Programs often handle them wrongly.
var scraps = []string{
	`null`, `true`, `false`,
	`""`, `" "`, `"x"`, `"\u0000"`, `"\u007f"`, `"\u202e"`, `"` + fox + `"`,
	`"` + strings.Repeat("x", 300) + `"`,
	`"` + strings.Repeat(fox, 5000) + `"`,
	`"null"`, `"1"`, `"-1"`, `"2026-05-11T15:32:01Z"`, `"{card}"`, `"{batch}"`, `"en"`, `"USD"`, `"front"`, `"sold"`,
	`"A/B"`,
	`0`, `-0`, `-1`, `1.5`, `1e2`, `1.0`, `1e400`, `-1e400`, `1e-400`, `2147483648`, `9007199254740993`,
	`9223372036854775807`, `9223372036854775808`, `99999999999`, `100000000000`,
	`[]`, `[null]`, `[[]]`, `{}`, `{"a":null}`, `{"":""}`, `{"amount":1,"currency":"USD"}`,
	`{"amount":99999999999,"currency":"KWD"}`,
}

// mutate changes a value in one place that t draws, and returns it.
func mutate(t *rapid.T, value any) any {
	switch v := value.(type) {
	case map[string]any:
		names := slices.Sorted(maps.Keys(v))
		if len(names) == 0 || rapid.IntRange(0, 9).Draw(t, "here") == 0 {
			break
		}
		name := rapid.SampledFrom(names).Draw(t, "field")
		switch rapid.IntRange(0, 9).Draw(t, "how") {
		case 0:
			delete(v, name)
		case 1:
			likely := rapid.SampledFrom([]string{"", "id", strings.ToUpper(name), name + " ", "__proto__"})
			unknown := rapid.OneOf(likely, rapid.String()).Draw(t, "unknown")
			v[unknown] = copied(t, v[name])
		default:
			v[name] = mutate(t, v[name])
		}
		return v
	case []any:
		if len(v) == 0 || rapid.IntRange(0, 9).Draw(t, "here") == 0 {
			break
		}
		at := rapid.IntRange(0, len(v)-1).Draw(t, "item")
		if rapid.IntRange(0, 4).Draw(t, "again") == 0 {
			return append(v, copied(t, v[at]))
		}
		v[at] = mutate(t, v[at])
		return v
	}
	if rapid.IntRange(0, 3).Draw(t, "any text") == 0 {
		return rapid.String().Draw(t, "text")
	}
	return json.RawMessage(rapid.SampledFrom(scraps).Draw(t, "scrap"))
}

// copied returns a deep copy of a value.
func copied(t *rapid.T, value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// damage changes bytes of a text. The result is rarely valid JSON.
func damage(t *rapid.T, text string) string {
	at := rapid.IntRange(0, len(text)).Draw(t, "at")
	switch rapid.IntRange(0, 3).Draw(t, "damage") {
	case 0:
		return text[:at]
	case 1:
		return text[:at] + rapid.StringN(1, 4, -1).Draw(t, "inserted") + text[at:]
	case 2:
		return text[:at] + string(rapid.SliceOfN(rapid.Byte(), 1, 3).Draw(t, "bytes")) + text[min(at+1, len(text)):]
	default:
		return text[:at] + text
	}
}

// shrinking makes failed checks of responses fail the property, so that rapid searches for the smallest body.
type shrinking struct {
	testing.TB
	property *rapid.T
}

func (s shrinking) Errorf(format string, args ...any) { s.property.Errorf(format, args...) }
func (s shrinking) Fatalf(format string, args ...any) { s.property.Fatalf(format, args...) }
func (s shrinking) Fatal(args ...any)                 { s.property.Fatal(args...) }

// TestBodies_Mutated sends mutated bodies. The responses must conform to the contract and not be a failure of the
// service, and what the service stored must be readable.
func TestBodies_Mutated(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	mine := c.own()
	pictures := s.market.URL + "/nothing" // the server exists, the picture does not
	rapid.Check(t, func(property *rapid.T) {
		tried := *c
		tried.t = shrinking{t, property}
		of := rapid.SampledFrom(valid).Draw(property, "of")
		made := c.create(`{"identify":false,"identification":{"title":"x"}}`)
		for _, body := range mutants(property, of.body) {
			fill := strings.NewReplacer("{card}", made.ID, "{batch}", mine.batch, "{photos}", pictures)
			got := tried.do(of.method, fill.Replace(of.path), fill.Replace(body))
			if got.status >= 500 {
				property.Fatalf("%s %s %.500q: %d %s", of.method, of.path, body, got.status, got.body)
			}
			if got.status >= 400 {
				continue
			}
			tried.do("GET", "/cards?limit=5", nil).want(tried.t, 200, nil)
			tried.do("GET", "/events?limit=5", nil).want(tried.t, 200, nil)
		}
	})
}

// mutants returns bodies that differ from a valid one by one to three changes each, the valid one, and a damaged one.
func mutants(t *rapid.T, body string) (texts []string) {
	for n := range 8 {
		decoder := json.NewDecoder(strings.NewReader(body))
		decoder.UseNumber()
		var value any
		if err := decoder.Decode(&value); err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 3).Draw(t, fmt.Sprint("changes ", n)) {
			value = mutate(t, value)
		}
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return append(texts, body, damage(t, texts[0]))
}

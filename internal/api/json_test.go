package api

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// Whatever encoding/json writes is read as encoding/json reads it.
func TestParseJSONAgreesWithEncodingJSON(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		body, err := json.Marshal(value(t, 4))
		if err != nil {
			t.Fatal(err)
		}
		var want any
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.UseNumber()
		if err := decoder.Decode(&want); err != nil {
			t.Fatal(err)
		}
		if got, err := parseJSON(body); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: %v, %v", body, got, err)
		}
	})
}

// value draws a JSON value of at most this depth.
func value(t *rapid.T, depth int) any {
	text := rapid.StringMatching(`[^\x00]*`)
	switch kind := rapid.IntRange(0, 5).Draw(t, "kind"); {
	case kind == 0:
		return nil
	case kind == 1:
		return rapid.Bool().Draw(t, "bool")
	case kind == 2:
		return rapid.Float64Range(-1e20, 1e20).Draw(t, "number")
	case kind == 3 || depth == 0:
		return text.Draw(t, "text")
	case kind == 4:
		array := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			array = append(array, value(t, depth-1))
		}
		return array
	default:
		object := map[string]any{}
		for range rapid.IntRange(0, 3).Draw(t, "size") {
			object[text.Draw(t, "name")] = value(t, depth-1)
		}
		return object
	}
}

// Whatever is sent, what parses is what encoding/json takes for JSON too.
func FuzzParseJSON(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e3,"x",null,true]}`, `{"a":1,"a":2}`, "\"\\u0000\"", `[[[[]]]] `, `{}{}`, "\xff", `1e2`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := parseJSON(body)
		if err != nil {
			return
		}
		var want any
		if !json.Valid(body) || json.Unmarshal(body, &want) != nil {
			t.Fatalf("%q is taken for %v", body, got)
		}
	})
}

package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParseJSON_AgreesWithEncodingJSON(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		drawn, schema := value(t, 4)
		body, err := json.Marshal(drawn)
		if err != nil {
			t.Fatal(err)
		}
		var want any
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.UseNumber()
		if err := decoder.Decode(&want); err != nil {
			t.Fatal(err)
		}
		got, dropped, err := parseJSON(body, schema)
		if err != nil || dropped != 0 {
			t.Fatalf("%s: %d dropped, %v", body, dropped, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", body, diff)
		}
		if _, _, err := parseJSON(body, openapi3.NewStringSchema()); err != nil {
			t.Fatalf("%s: %v with a schema of another type", body, err)
		}
	})
}

// value draws a JSON value of at most this depth, and a schema that defines all of it.
func value(t *rapid.T, depth int) (any, *openapi3.Schema) {
	text := rapid.StringMatching(`[^\x00]*`)
	switch kind := rapid.IntRange(0, 5).Draw(t, "kind"); {
	case kind == 0:
		return nil, openapi3.NewStringSchema()
	case kind == 1:
		return rapid.Bool().Draw(t, "bool"), openapi3.NewBoolSchema()
	case kind == 2:
		return rapid.Float64Range(-1e20, 1e20).Draw(t, "number"), openapi3.NewFloat64Schema()
	case kind == 3 || depth == 0:
		return text.Draw(t, "text"), openapi3.NewStringSchema()
	case kind == 4:
		item, schema := value(t, depth-1)
		array := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			array = append(array, item)
		}
		return array, openapi3.NewArraySchema().WithItems(schema).WithMaxItems(int64(max(2, len(array)) - 1))
	default:
		object, schema := map[string]any{}, openapi3.NewObjectSchema()
		for range rapid.IntRange(0, 3).Draw(t, "size") {
			name := text.Draw(t, "name")
			member, known := value(t, depth-1)
			object[name] = member
			schema.WithProperty(name, known)
		}
		return object, schema
	}
}

func TestParseJSON_BoundsMemory(t *testing.T) {
	t.Parallel()
	item := openapi3.NewObjectSchema().WithProperty("a", openapi3.NewStringSchema())
	items := openapi3.NewArraySchema().WithItems(item).WithMaxItems(3)
	schema := openapi3.NewObjectSchema().WithProperty("items", items).WithProperty("text", openapi3.NewStringSchema())
	many := func(text string) string { return text + strings.Repeat(","+text, 99_999) }
	wide := &strings.Builder{}
	for i := range 100_000 {
		fmt.Fprintf(wide, `%q:%d,`, strconv.Itoa(i), i)
	}
	for name, test := range map[string]struct {
		body    string
		kept    int // values and names
		dropped int
	}{
		"items":                   {`{"items":[` + many(`{"a":"b"}`) + `]}`, 10, 0},
		"unknown names in items":  {`{"items":[` + many(`{"x":1}`) + `]}`, 10, 0},
		"unknown names":           {`{` + wide.String() + `"text":"b"}`, 1002, 99_000},
		"values of unknown names": {`{"x":[` + many(`{"y":[1]}`) + `]}`, 2, 0},
		"array for a text":        {`{"text":[` + many(`[]`) + `]}`, 2, 0},
		"object for a text":       {`{"text":{` + wide.String() + `"a":1}}`, 1002, 0},
		"array for an object":     {`[` + many(`"a"`) + `]`, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			value, dropped, err := parseJSON([]byte(test.body), schema)
			if err != nil || dropped != test.dropped || count(value) != test.kept {
				t.Errorf("%d kept, %d dropped, %v; want %d and %d", count(value), dropped, err, test.kept, test.dropped)
			}
		})
	}
}

// count returns the number of values in a value, including itself.
func count(value any) int {
	n := 1
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			n += count(item)
		}
	case map[string]any:
		for _, member := range v {
			n += count(member)
		}
	}
	return n
}

// FuzzParseJSON checks that encoding/json accepts every body that parseJSON accepts.
func FuzzParseJSON(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e3,"x",null,true]}`, `{"a":1,"a":2}`, "\"\\u0000\"", `[[[[]]]] `, `{}{}`,
		"\xff", `1e2`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		got, _, err := parseJSON(body, nil)
		if err != nil {
			return
		}
		var want any
		if !json.Valid(body) || json.Unmarshal(body, &want) != nil {
			t.Fatalf("parseJSON accepts %q as %v, but encoding/json does not", body, got)
		}
	})
}

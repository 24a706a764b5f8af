package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/openapi"
)

// bodySchemas returns the schemas of the contract's JSON bodies, by operation.
func bodySchemas(t *testing.T) map[string]*openapi3.Schema {
	t.Helper()
	doc, err := openapi.ParseV1()
	if err != nil {
		t.Fatal(err)
	}
	schemas := map[string]*openapi3.Schema{}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			if operation.RequestBody == nil {
				continue
			}
			if media := operation.RequestBody.Value.Content.Get(jsonType); media != nil {
				schemas[method+" "+path] = media.Schema.Value
			}
		}
	}
	return schemas
}

func TestBodyLimit_Operations(t *testing.T) {
	t.Parallel()
	want := map[string]int64{
		"PATCH /account":                     16 << 10,
		"PATCH /batches/{id}":                32 << 10,
		"PATCH /cards":                       8 << 20,
		"PATCH /cards/{id}":                  2 << 20,
		"PATCH /sales/{id}":                  64 << 10,
		"PATCH /listings/{id}":               16 << 10,
		"PATCH /webhooks/{id}":               128 << 10,
		"POST /batches":                      32 << 10,
		"POST /cards":                        8 << 20,
		"POST /cards/{id}/sell":              32 << 10,
		"POST /identify":                     64 << 10,
		"POST /jobs":                         8 << 20,
		"POST /listings/end":                 512 << 10,
		"POST /listings/publish":             1 << 20,
		"POST /listings/{cardId}/publish":    16 << 10,
		"POST /price-lookup":                 64 << 10,
		"POST /sales/{id}/refund":            16 << 10,
		"POST /webhooks":                     128 << 10,
		"POST /webhooks/{id}/resend-dropped": 16 << 10,
		"POST /webhooks/{id}/rotate-secret":  16 << 10,
		"POST /webhooks/{id}/test":           16 << 10,
	}
	got := map[string]int64{}
	for operation, schema := range bodySchemas(t) {
		if err := checkBounded(schema, ""); err != nil {
			t.Errorf("%s: %v", operation, err)
		}
		got[operation] = bodyLimit(schema)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("limits in bytes (-want +got):\n%s", diff)
	}
}

func TestBodyLimit_AllowsLongestBody(t *testing.T) {
	t.Parallel()
	for operation, schema := range bodySchemas(t) {
		t.Run(operation, func(t *testing.T) {
			body, err := json.MarshalIndent(longestValue(schema), "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			if limit := bodyLimit(schema); limit < maxJSONBody && int64(len(body)) > limit {
				t.Errorf("a valid body has %d bytes, the limit is %d", len(body), limit)
			}
		})
	}
}

// longestValue returns a value with all fields at their maximum length, written as escapes. Arrays have one item.
func longestValue(s *openapi3.Schema) any {
	switch {
	case s.Type.Is(openapi3.TypeObject):
		object := map[string]any{}
		for name, property := range s.Properties {
			object[name] = longestValue(property.Value)
		}
		return object
	case s.Type.Is(openapi3.TypeArray):
		return []any{longestValue(s.Items.Value)}
	case s.MaxLength != nil:
		return json.RawMessage(`"` + strings.Repeat(`\ud83d\ude00`, int(*s.MaxLength)) + `"`)
	case s.Enum != nil:
		return s.Enum[0]
	}
	return -1234567890123456789
}

func TestCheckBounded(t *testing.T) {
	t.Parallel()
	object := func(property *openapi3.Schema) *openapi3.Schema {
		return openapi3.NewObjectSchema().WithoutAdditionalProperties().WithProperty("a", property)
	}
	integer := openapi3.NewInt32Schema()
	for want, schema := range map[string]*openapi3.Schema{
		"":                         object(openapi3.NewStringSchema().WithMaxLength(1)),
		"body: additionalProper":   openapi3.NewObjectSchema(),
		"body.a: additionalProper": object(openapi3.NewObjectSchema().WithAdditionalProperties(integer)),
		"body.a: an array":         object(openapi3.NewArraySchema().WithItems(openapi3.NewInt32Schema())),
		"body.a[]: a string": object(
			openapi3.NewArraySchema().WithMaxItems(1).WithItems(openapi3.NewStringSchema())),
		"body.a: schemas that": object(openapi3.NewOneOfSchema(integer, openapi3.NewStringSchema())),
	} {
		t.Run(want, func(t *testing.T) {
			if err := checkBounded(schema, ""); (err == nil) != (want == "") ||
				!strings.HasPrefix(fmt.Sprint(err), want) && err != nil {
				t.Errorf("got %v, want %q", err, want)
			}
		})
	}
}

func TestFieldErrors_AddBodyAgreesWithKinOpenAPI(t *testing.T) {
	t.Parallel()
	schemas := bodySchemas(t)
	rapid.Check(t, func(t *rapid.T) {
		operation := rapid.SampledFrom(slices.Sorted(maps.Keys(schemas))).Draw(t, "operation")
		schema := schemas[operation]
		value := anyValue(t, schema)
		all := schema.VisitJSON(value, allErrors...)
		var want, got fieldErrors
		want.addError("", all)
		if err := schema.VisitJSON(value, firstError...); err != nil {
			got.addBody(schema, value, err)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%s %v:\ngot  %v\nwant %v", operation, value, got, want)
		}
	})
}

// anyValue draws a value that may or may not be valid. Its names are defined in the schema.
func anyValue(t *rapid.T, s *openapi3.Schema) any {
	switch kind := rapid.IntRange(0, 9).Draw(t, "kind"); {
	case kind == 0:
		return rapid.SampledFrom([]any{nil, true, json.Number("1"), json.Number("1.5"), json.Number("1e999"), "",
			[]any{}, map[string]any{}}).Draw(t, "odd")
	case s.Type.Is(openapi3.TypeObject):
		object := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			if rapid.Bool().Draw(t, name) {
				object[name] = anyValue(t, s.Properties[name].Value)
			}
		}
		return object
	case s.Type.Is(openapi3.TypeArray):
		array := []any{}
		for range rapid.IntRange(0, int(min(4, *s.MaxItems+1))).Draw(t, "length") {
			array = append(array, anyValue(t, s.Items.Value))
		}
		return array
	case s.Enum != nil && kind < 8:
		return rapid.SampledFrom(s.Enum).Draw(t, "choice")
	case s.Type.Is(openapi3.TypeInteger):
		return json.Number(fmt.Sprint(rapid.Int64().Draw(t, "integer")))
	}
	texts := []string{"x", "PSA", "https://a/b", "a//b", strings.Repeat("x", 5000), "\n"}
	return rapid.SampledFrom(texts).Draw(t, "text")
}

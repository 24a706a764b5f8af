package additive_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/openapi"
	"github.com/cardvault/cardvault/openapi/additive"
)

func contract(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := additive.Contract(openapi.V1)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context(), openapi3.DisableExamplesValidation()); err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestContract_AddsToEveryPart(t *testing.T) {
	t.Parallel()
	doc := contract(t)
	for name, grows := range map[string]bool{
		"Card": true, "Identification": true, "Error": true, "CardInput": true, "CardPage": true,
		"Money": false, "Grade": false,
	} {
		s := doc.Components.Schemas[name].Value
		closed := s.AdditionalProperties.Has != nil
		if has := s.Properties[additive.Field] != nil; has != grows {
			t.Errorf("%s has the new field: %t, want %t", name, has, grows)
		}
		if required := slices.Contains(s.Required, additive.Field); required != (grows && !closed) {
			t.Errorf("%s requires the new field: %t, want %t", name, required, !required)
		}
	}
	for _, name := range []string{"WorkflowStatus", "ErrorCode", "EventKind", "Currency"} {
		if !slices.Contains(doc.Components.Schemas[name].Value.Enum, any(additive.Value)) {
			t.Errorf("%s has no new value", name)
		}
	}
	list := doc.Paths.Value("/cards").Get
	if len(list.Parameters) < 2 || list.Responses.Status(423) == nil ||
		list.Responses.Status(304).Value.Headers[additive.Header] == nil {
		t.Error("GET /cards has no new parameter, status or header")
	}
	if doc.Components.Schemas["Event"].Value.Discriminator.Mapping[additive.Kind].Ref == "" ||
		doc.Paths.Value("/later") == nil {
		t.Error("the new kind of event or the new operation is missing")
	}
}

func TestAnswer_AddsFieldsAndValues(t *testing.T) {
	t.Parallel()
	doc := contract(t)
	prices := doc.Paths.Value("/price-lookup").Post.Responses.Status(200).Value.Content["application/json"].Schema
	doc.Components.Schemas["prices"] = prices
	for _, tc := range []struct{ name, schema, before, after string }{
		{
			"error", "Error",
			`{"error":{"code":"card_not_found","message":"No.","status":404}}`,
			`{"error":{"code":"later_value","later_field":{"since":"a later release"},"message":"No.","status":404},
			  "later_field":{"since":"a later release"}}`,
		},
		{"enumeration", "PhotoRole", `"front"`, `"later_value"`},
		{
			"closed object", "MoneyOrNull",
			`{"amount":5,"currency":"USD"}`,
			`{"amount":5,"currency":"later_value"}`,
		},
		{"null", "MoneyOrNull", `null`, `null`},
		{
			"union", "EventPage",
			`{"data":[{"event":"batch.completed","data":{"name":"x"}}],"has_more":false}`,
			`{"data":[{"event":"batch.completed","later_field":{"since":"a later release"},
			           "data":{"name":"x","later_field":{"since":"a later release"}}}],
			  "has_more":false,"later_field":{"since":"a later release"}}`,
		},
		{
			"union without discriminator", "prices",
			`{"data":[]}`,
			`{"data":[],"later_field":{"since":"a later release"}}`,
		},
		{
			"other member of it", "prices",
			`{"price":{},"low":{},"high":{},"basis":"catalog","sample_size":1,"newest_age_days":4,
			  "comparables":[],"excluded":[],"as_of":""}`,
			`{"price":{},"low":{},"high":{},"basis":"later_value","sample_size":1,"newest_age_days":4,
			  "comparables":[],"excluded":[],"as_of":"",
			  "later_field":{"since":"a later release"}}`,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := additive.Answer(doc.Components.Schemas[tc.schema], decode(t, tc.before))
			if diff := cmp.Diff(decode(t, tc.after), got); diff != "" {
				t.Errorf("Answer (-want +got):\n%s", diff)
			}
		})
	}
}

func decode(t *testing.T, text string) (value any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return value
}

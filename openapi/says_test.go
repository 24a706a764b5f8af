package openapi_test

import (
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// mostChoices is up to how many values of an enumeration a message lists.
const mostChoices = 12

// What clients send is refused in words: each pattern and long enumeration of a request has them beside it (x-says).
func TestRequestsAreRefusedInWords(t *testing.T) {
	t.Parallel()
	eachOperation(t, func(t *testing.T, op *openapi3.Operation) {
		for _, parameter := range op.Parameters {
			saysInWords(t, parameter.Value.Name, parameter.Value.Schema)
		}
		if op.RequestBody == nil {
			return
		}
		for _, media := range op.RequestBody.Value.Content {
			saysInWords(t, "body", media.Schema)
		}
	})
}

// saysInWords checks a schema and those of its parts.
func saysInWords(t *testing.T, path string, ref *openapi3.SchemaRef) {
	t.Helper()
	if ref == nil {
		return
	}
	s := ref.Value
	words, _ := s.Extensions["x-says"].(string)
	if (s.Pattern != "" || len(s.Enum) > mostChoices) && !strings.HasPrefix(words, "must ") || strings.ContainsAny(words, "^$[]{}") {
		t.Errorf("%s: x-says is %q: it must complete a sentence about what was sent, without a pattern", path, words)
	}
	for name, property := range s.Properties {
		saysInWords(t, path+"."+name, property)
	}
	saysInWords(t, path+".*", s.AdditionalProperties.Schema)
	saysInWords(t, path+".0", s.Items)
	for _, list := range []openapi3.SchemaRefs{s.AllOf, s.AnyOf, s.OneOf} {
		for _, part := range list {
			saysInWords(t, path, part)
		}
	}
}

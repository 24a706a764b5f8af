package openapi_test

import (
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// maxListedValues is the largest number of enumeration values that a generated message lists.
const maxListedValues = 12

// Clients must not have to read regular expressions or long lists in an error message. Each pattern and each long
// enumeration of a request therefore has a message of its own (x-validation-message).
func TestRequestSchemas_HaveValidationMessages(t *testing.T) {
	t.Parallel()
	eachOperation(t, func(t *testing.T, op *openapi3.Operation) {
		for _, parameter := range op.Parameters {
			checkValidationMessages(t, parameter.Value.Name, parameter.Value.Schema)
		}
		if op.RequestBody == nil {
			return
		}
		for _, media := range op.RequestBody.Value.Content {
			checkValidationMessages(t, "body", media.Schema)
		}
	})
}

// checkValidationMessages checks a schema and the schemas it contains.
func checkValidationMessages(t *testing.T, path string, ref *openapi3.SchemaRef) {
	t.Helper()
	if ref == nil {
		return
	}
	s := ref.Value
	message, _ := s.Extensions["x-validation-message"].(string)
	required := s.Pattern != "" || len(s.Enum) > maxListedValues
	if required && !strings.HasPrefix(message, "must ") || strings.ContainsAny(message, "^$[]{}") {
		t.Errorf("%s: x-validation-message is %q, want a phrase that begins with \"must\", without a pattern",
			path, message)
	}
	for name, property := range s.Properties {
		checkValidationMessages(t, path+"."+name, property)
	}
	checkValidationMessages(t, path+".*", s.AdditionalProperties.Schema)
	checkValidationMessages(t, path+".0", s.Items)
	for _, list := range []openapi3.SchemaRefs{s.AllOf, s.AnyOf, s.OneOf} {
		for _, part := range list {
			checkValidationMessages(t, path, part)
		}
	}
}

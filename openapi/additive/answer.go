package additive

import (
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
)

// Answer returns the JSON value of a response as a server with the extended contract could send it: all objects that
// may have the new field have it, and all enumerations have the new value. schema belongs to the extended contract.
func Answer(schema *openapi3.SchemaRef, value any) any {
	s := alternative(schema.Value, value)
	switch v := value.(type) {
	case map[string]any:
		return object(s, v)
	case []any:
		for i := range v {
			v[i] = Answer(s.Items, v[i])
		}
		return v
	case string:
		if slices.Contains(s.Enum, any(Value)) || slices.Contains(knownValues(s), any(Value)) {
			return Value
		}
	}
	return value
}

func object(s *openapi3.Schema, fields map[string]any) map[string]any {
	for name, value := range fields {
		if property := s.Properties[name]; property != nil {
			fields[name] = Answer(property, value)
		}
	}
	if s.Properties[Field] != nil {
		fields[Field] = map[string]any{"since": "a later release"}
	}
	return fields
}

// alternative returns the schema of a union for an object: the one that the discriminator selects or, without a
// discriminator, the one whose required fields the object has.
func alternative(s *openapi3.Schema, value any) *openapi3.Schema {
	fields, isObject := value.(map[string]any)
	if len(s.OneOf) == 0 || !isObject {
		return s
	}
	if s.Discriminator == nil {
		return fitting(s, fields)
	}
	kind, _ := fields[s.Discriminator.PropertyName].(string)
	target := s.Discriminator.Mapping[kind].Ref
	for _, ref := range s.OneOf {
		if ref.Ref == target {
			return ref.Value
		}
	}
	return s
}

// fitting returns the alternative whose required fields are there. fields come from the contract before the extension.
func fitting(s *openapi3.Schema, fields map[string]any) *openapi3.Schema {
	for _, ref := range s.OneOf {
		lacks := func(name string) bool {
			_, given := fields[name]
			return !given && name != Field
		}
		if !slices.ContainsFunc(ref.Value.Required, lacks) {
			return ref.Value
		}
	}
	return s
}

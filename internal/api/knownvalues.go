package api

import (
	"fmt"
	"maps"

	"github.com/getkin/kin-openapi/openapi3"
)

// knownValues closes schemas that the contract leaves open (x-known-values) for requests: to the values that this
// installation knows. An unknown value in a request is then refused like one that an enumeration does not have, while
// clients must expect any value in a response. The document is shared, so what changes is copied.
type knownValues struct {
	values map[*openapi3.Schema][]string
	closed map[*openapi3.Schema]*openapi3.Schema // the schemas that were visited
}

// newKnownValues returns the values of schemas of a document, by the names of the schemas.
func newKnownValues(doc *openapi3.T, byName map[string][]string) (*knownValues, error) {
	k := &knownValues{map[*openapi3.Schema][]string{}, map[*openapi3.Schema]*openapi3.Schema{}}
	for name, values := range byName {
		ref := doc.Components.Schemas[name]
		if ref == nil || ref.Value.Extensions["x-known-values"] == nil {
			return nil, fmt.Errorf("the contract has no schema %s with x-known-values", name)
		}
		k.values[ref.Value] = values
	}
	return k, nil
}

// operation returns an operation whose parameters and body are closed.
func (k *knownValues) operation(op *openapi3.Operation) *openapi3.Operation {
	result := *op
	result.Parameters = make(openapi3.Parameters, len(op.Parameters))
	for i, ref := range op.Parameters {
		parameter := *ref.Value
		parameter.Schema = k.ref(parameter.Schema)
		result.Parameters[i] = &openapi3.ParameterRef{Ref: ref.Ref, Value: &parameter}
	}
	if op.RequestBody == nil {
		return &result
	}
	body := *op.RequestBody.Value
	body.Content = openapi3.Content{}
	for mediaType, media := range op.RequestBody.Value.Content {
		content := *media
		content.Schema = k.ref(content.Schema)
		body.Content[mediaType] = &content
	}
	result.RequestBody = &openapi3.RequestBodyRef{Ref: op.RequestBody.Ref, Value: &body}
	return &result
}

// ref returns the reference to the closed schema.
func (k *knownValues) ref(ref *openapi3.SchemaRef) *openapi3.SchemaRef {
	if ref == nil {
		return nil
	}
	if result := k.schema(ref.Value); result != ref.Value {
		return &openapi3.SchemaRef{Ref: ref.Ref, Value: result}
	}
	return ref
}

// schema returns the schema with the schemas in it closed, or the schema itself if it has none to close.
func (k *knownValues) schema(s *openapi3.Schema) *openapi3.Schema {
	if result, ok := k.closed[s]; ok {
		return result
	}
	k.closed[s] = s // for schemas that contain themselves
	result := *s
	if values, ok := k.values[s]; ok {
		result.Pattern, result.MinLength, result.MaxLength = "", 0, nil
		result.Extensions = maps.Clone(s.Extensions)
		delete(result.Extensions, "x-validation-message") // the message of an enumeration names its values
		for _, value := range values {
			result.Enum = append(result.Enum, value)
		}
		k.closed[s] = &result
		return &result
	}
	changed := k.replace(&result.Items)
	changed = k.replace(&result.AdditionalProperties.Schema) || changed
	result.Properties = maps.Clone(s.Properties)
	for name, property := range result.Properties {
		if k.replace(&property) {
			result.Properties[name], changed = property, true
		}
	}
	if changed {
		k.closed[s] = &result
	}
	return k.closed[s]
}

// replace replaces a reference by the one to the closed schema and reports whether that is another.
func (k *knownValues) replace(ref **openapi3.SchemaRef) bool {
	result := k.ref(*ref)
	changed := result != *ref
	*ref = result
	return changed
}

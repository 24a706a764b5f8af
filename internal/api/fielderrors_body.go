package api

import (
	"maps"
	"slices"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"
)

// addBody adds the invalid fields of a body in which kin-openapi found the error first. It walks objects and arrays
// itself, in the same order as kin-openapi, and only validates single values with kin-openapi: kin-openapi would keep
// all errors of a body in memory, while fieldErrors keeps at most maxFieldErrors.
func (e *fieldErrors) addBody(schema *openapi3.Schema, value any, first error) {
	if e.addValue("", schema, value); len(e.details) == 0 {
		e.addError("", first)
	}
}

func (e *fieldErrors) addValue(path string, schema *openapi3.Schema, value any) {
	switch v := value.(type) {
	case map[string]any:
		if schema.Type.Is(openapi3.TypeObject) {
			e.addObject(path, schema, v)
			return
		}
	case []any:
		if schema.Type.Is(openapi3.TypeArray) {
			e.addArray(path, schema, v)
			return
		}
	}
	e.addError(path, schema.VisitJSON(value, allErrors...))
}

func (e *fieldErrors) addObject(path string, schema *openapi3.Schema, object map[string]any) {
	count := uint64(len(object))
	e.addIf(count < schema.MinProps, path, schema, "minProperties")
	e.addIf(schema.MaxProps != nil && count > *schema.MaxProps, path, schema, "maxProperties")
	unknown := false
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if property := propertyOf(schema, name); property != nil {
			e.addValue(join(path, name), property, object[name])
		} else if !unknown {
			unknown = true
			e.addUnknown(path, schema, object)
		}
	}
	for _, name := range schema.Required {
		if _, given := object[name]; !given {
			e.addIf(true, join(path, name), schema, "required")
		}
	}
}

// propertyOf returns the schema of a field, or nil if the object does not take it.
func propertyOf(object *openapi3.Schema, name string) *openapi3.Schema {
	switch property, extra := object.Properties[name], object.AdditionalProperties.Schema; {
	case property != nil:
		return property.Value
	case extra != nil:
		return extra.Value
	}
	return nil
}

func (e *fieldErrors) addArray(path string, schema *openapi3.Schema, array []any) {
	count := uint64(len(array))
	e.addIf(count < schema.MinItems, path, schema, "minItems")
	e.addIf(count > *schema.MaxItems, path, schema, "maxItems")
	for i, item := range array {
		e.addValue(join(path, strconv.Itoa(i)), schema.Items.Value, item)
	}
}

// addIf adds the field at path if the rule of its schema is broken.
func (e *fieldErrors) addIf(broken bool, path string, schema *openapi3.Schema, rule string) {
	if broken {
		e.add(fieldName(path), validationMessage(&openapi3.SchemaError{Schema: schema, SchemaField: rule}))
	}
}

// addUnknown adds the fields of an object that its schema does not define.
func (e *fieldErrors) addUnknown(path string, schema *openapi3.Schema, object map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if _, known := schema.Properties[name]; known {
			continue
		}
		if name == "" {
			name = `""`
		}
		e.add(join(path, name), "is not a field that this address takes")
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

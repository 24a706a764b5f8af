package api

import (
	"maps"
	"slices"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"
)

// explainBody adds the faults of a body in which kin-openapi found first. It walks objects and arrays by
// itself, in the order in which kin-openapi does, and leaves single values to it: kin-openapi would
// hold all faults of a body in memory, where problems keeps those that an answer lists.
func (p *problems) explainBody(schema *openapi3.Schema, value any, first error) {
	if p.explainValue("", schema, value); len(p.details) == 0 {
		p.explain("", first)
	}
}

func (p *problems) explainValue(path string, schema *openapi3.Schema, value any) {
	switch v := value.(type) {
	case map[string]any:
		if schema.Type.Is(openapi3.TypeObject) {
			p.explainObject(path, schema, v)
			return
		}
	case []any:
		if schema.Type.Is(openapi3.TypeArray) {
			p.explainArray(path, schema, v)
			return
		}
	}
	p.explain(path, schema.VisitJSON(value, allFaults...))
}

func (p *problems) explainObject(path string, schema *openapi3.Schema, object map[string]any) {
	count := uint64(len(object))
	p.addIf(count < schema.MinProps, path, schema, "minProperties")
	p.addIf(schema.MaxProps != nil && count > *schema.MaxProps, path, schema, "maxProperties")
	unknown := false
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if property := schema.Properties[name]; property != nil {
			p.explainValue(join(path, name), property.Value, object[name])
		} else if !unknown {
			unknown = true
			p.addUnknown(path, schema, object)
		}
	}
	for _, name := range schema.Required {
		if _, given := object[name]; !given {
			p.addIf(true, join(path, name), schema, "required")
		}
	}
}

func (p *problems) explainArray(path string, schema *openapi3.Schema, array []any) {
	count := uint64(len(array))
	p.addIf(count < schema.MinItems, path, schema, "minItems")
	p.addIf(count > *schema.MaxItems, path, schema, "maxItems")
	for i, item := range array {
		p.explainValue(join(path, strconv.Itoa(i)), schema.Items.Value, item)
	}
}

// addIf adds that a value breaks a rule of its schema.
func (p *problems) addIf(broken bool, path string, schema *openapi3.Schema, rule string) {
	if broken {
		p.add(orBody(path), says(&openapi3.SchemaError{Schema: schema, SchemaField: rule}))
	}
}

// addUnknown adds the fields of an object that the contract does not know.
func (p *problems) addUnknown(path string, schema *openapi3.Schema, object map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if _, known := schema.Properties[name]; known {
			continue
		}
		if name == "" {
			name = `""`
		}
		p.add(join(path, name), "is not a field that this address takes")
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

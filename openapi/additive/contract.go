// Package additive extends a contract by every kind of additive change that openapi/released/README.md allows, and
// changes responses accordingly. It is used by tests: the check for breaking changes must accept the extended contract,
// and old clients must work with a server that has it.
package additive

import (
	"fmt"
	"maps"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
)

// The names of the additions. No release has them.
const (
	Field     = "later_field"     // to every object of responses and requests
	Value     = "later_value"     // to every enumeration: statuses, error codes, event kinds …
	Kind      = "card.later"      // a kind of event
	Header    = "X-Later"         // to every response
	parameter = "later_parameter" // to the query of every operation
	condition = "If-Later"        // to the header of every operation
	status    = "423"             // to the errors of every operation
	address   = "/later"          // a new path with an operation
	schemas   = "#/components/schemas/"
)

// Contract returns the document after every kind of additive change.
func Contract(document []byte) (*openapi3.T, error) {
	doc, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		return nil, fmt.Errorf("extend contract: %w", err)
	}
	w := widening{answered: answered(doc)}
	for _, name := range slices.Sorted(maps.Keys(doc.Components.Schemas)) {
		w.widen(doc.Components.Schemas[name])
	}
	addKind(doc)
	for _, path := range doc.Paths.InMatchingOrder() {
		for _, op := range doc.Paths.Value(path).Operations() {
			extend(doc, op)
		}
	}
	doc.AddOperation(address, "GET", newOperation())
	return reload(doc)
}

// reload resolves the references that were added.
func reload(doc *openapi3.T) (*openapi3.T, error) {
	text, err := doc.MarshalJSON()
	if err == nil {
		doc, err = openapi3.NewLoader().LoadFromData(text)
	}
	if err != nil {
		return nil, fmt.Errorf("extend contract: %w", err)
	}
	return doc, nil
}

// widening adds to schemas.
type widening struct {
	answered map[*openapi3.Schema]bool // the schemas of responses
}

// widen adds to a schema and to the inline schemas in it.
func (w widening) widen(ref *openapi3.SchemaRef) {
	s := ref.Value
	if values := knownValues(s); len(values) > 0 {
		s.Extensions = maps.Clone(s.Extensions)
		s.Extensions["x-known-values"] = append(slices.Clone(values), Value)
	}
	if len(s.Enum) > 1 { // an enumeration of one value identifies an alternative of a union
		s.Enum = append(s.Enum, Value)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if property := s.Properties[name]; property.Ref == "" {
			w.widen(property)
		}
	}
	if s.Items != nil && s.Items.Ref == "" {
		w.widen(s.Items)
	}
	closed := s.AdditionalProperties.Has != nil && !*s.AdditionalProperties.Has
	if len(s.Properties) == 0 || closed && w.answered[s] { // money and grades are closed in responses, too
		return
	}
	s.Properties[Field] = openapi3.NewSchemaRef("",
		openapi3.NewObjectSchema().WithProperty("since", openapi3.NewStringSchema()))
	if !closed { // responses have all fields
		s.Required = append(s.Required, Field)
	}
}

// knownValues returns the values that a release knows of a schema that may have others.
func knownValues(s *openapi3.Schema) []any {
	values, _ := s.Extensions["x-known-values"].([]any)
	return values
}

// answered returns the schemas of responses, at any depth.
func answered(doc *openapi3.T) map[*openapi3.Schema]bool {
	found := map[*openapi3.Schema]bool{}
	var visit func(refs ...*openapi3.SchemaRef)
	visit = func(refs ...*openapi3.SchemaRef) {
		for _, ref := range refs {
			if ref == nil || found[ref.Value] {
				continue
			}
			found[ref.Value] = true
			visit(ref.Value.Items)
			visit(ref.Value.OneOf...)
			visit(slices.Collect(maps.Values(ref.Value.Properties))...)
		}
	}
	for _, item := range doc.Paths.Map() {
		for _, op := range item.Operations() {
			for _, response := range op.Responses.Map() {
				for _, media := range response.Value.Content {
					visit(media.Schema)
				}
			}
		}
	}
	return found
}

// addKind adds a kind of event to the alternatives.
func addKind(doc *openapi3.T) {
	const name = "CardLaterEvent"
	first := doc.Components.Schemas["CardIdentifiedEvent"].Value
	later := openapi3.NewObjectSchema()
	later.Required, later.Properties = first.Required, maps.Clone(first.Properties)
	later.Properties["event"] = openapi3.NewSchemaRef("", openapi3.NewStringSchema().WithEnum(Kind))
	doc.Components.Schemas[name] = openapi3.NewSchemaRef("", later)
	event := doc.Components.Schemas["Event"].Value
	event.OneOf = append(event.OneOf, openapi3.NewSchemaRef(schemas+name, later))
	event.Discriminator.Mapping[Kind] = openapi3.MappingRef{Ref: schemas + name}
	kinds := doc.Components.Schemas["EventKind"].Value
	kinds.Enum = append(kinds.Enum, Kind)
}

// extend adds to the parameters and responses of an operation.
func extend(doc *openapi3.T, op *openapi3.Operation) {
	text := openapi3.NewStringSchema()
	op.AddParameter(openapi3.NewQueryParameter(parameter).WithSchema(text))
	op.AddParameter(openapi3.NewHeaderParameter(condition).WithSchema(text))
	for _, response := range op.Responses.Map() {
		if response.Value.Headers == nil {
			response.Value.Headers = openapi3.Headers{}
		}
		response.Value.Headers[Header] = laterHeader()
	}
	op.Responses.Set(status, newRefusal())
}

func laterHeader() *openapi3.HeaderRef {
	return &openapi3.HeaderRef{Value: &openapi3.Header{Parameter: openapi3.Parameter{Schema: openapi3.NewSchemaRef("",
		openapi3.NewStringSchema())}}}
}

func newRefusal() *openapi3.ResponseRef {
	response := openapi3.NewResponse().WithDescription("A new kind of error.").
		WithJSONSchemaRef(openapi3.NewSchemaRef(schemas+"Error", nil))
	return &openapi3.ResponseRef{Value: response}
}

func newOperation() *openapi3.Operation {
	response := openapi3.NewResponse().WithDescription("Something new.").
		WithJSONSchemaRef(openapi3.NewSchemaRef(schemas+"CardPage", nil))
	op := openapi3.NewOperation()
	op.OperationID = "getLater"
	op.Responses = openapi3.NewResponses(openapi3.WithStatus(200, &openapi3.ResponseRef{Value: response}))
	return op
}

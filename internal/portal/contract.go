package portal

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/cardvault/cardvault/openapi"
)

// contract is the OpenAPI document, for the generated parts of the guides, the search and the reference in Markdown.
type contract struct {
	doc        *openapi3.T
	operations []operation // by tag, path and method
	codes      []string    // of errors, in the document's order
	kinds      []string    // of events, in the document's order
	pictures   map[string]picture
}

// operation is one method of one path.
type operation struct {
	ID, Method, Path, Summary, Description, Tag, Class string
	Parameters                                         []string // names, of the query and of headers
	definition                                         *openapi3.Operation
}

func readContract() (*contract, error) {
	doc, err := openapi.ParseV1()
	if err != nil {
		return nil, err
	}
	c := &contract{doc: doc, operations: operationsOf(doc)}
	if c.codes, err = enum(doc, "ErrorCode"); err != nil {
		return nil, err
	}
	if c.kinds, err = enum(doc, "EventKind"); err != nil {
		return nil, err
	}
	c.pictures, err = readPictures()
	return c, err
}

func operationsOf(doc *openapi3.T) []operation {
	var out []operation
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			class, _ := op.Extensions["x-rate-class"].(string)
			out = append(out, operation{
				ID: op.OperationID, Method: method, Path: path, Summary: op.Summary, Description: op.Description,
				Tag: op.Tags[0], Class: class, Parameters: optional(op), definition: op,
			})
		}
	}
	methods := []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}
	tag := func(o operation) int {
		return slices.IndexFunc(doc.Tags, func(t *openapi3.Tag) bool { return t.Name == o.Tag })
	}
	slices.SortFunc(out, func(a, b operation) int {
		return cmp.Or(cmp.Compare(tag(a), tag(b)), cmp.Compare(a.Path, b.Path),
			cmp.Compare(slices.Index(methods, a.Method), slices.Index(methods, b.Method)))
	})
	return out
}

// optional returns the names of the parameters that are not in the path.
func optional(op *openapi3.Operation) []string {
	var names []string
	for _, parameter := range op.Parameters {
		if parameter.Value.In != openapi3.ParameterInPath {
			names = append(names, parameter.Value.Name)
		}
	}
	return names
}

// enum returns the values of an enumeration.
func enum(doc *openapi3.T, name string) ([]string, error) {
	schema := doc.Components.Schemas[name]
	if schema == nil || len(schema.Value.Enum) == 0 {
		return nil, fmt.Errorf("the contract has no enumeration %s", name)
	}
	var values []string
	for _, value := range schema.Value.Enum {
		values = append(values, fmt.Sprint(value))
	}
	return values, nil
}

// address returns the operation's link in the reference. assets/reference.js configures the component to use these
// names.
func (o operation) address() string { return referencePath + "#v1/tag/" + o.Tag + "/" + o.ID }

// call returns the operation's method and path.
func (o operation) call() string { return o.Method + " " + o.Path }

// operation returns the operation that a text such as "GET /cards?limit=2" or "POST /listings/{cardId}/publish" calls.
func (c *contract) operation(id string) (operation, bool) {
	method, path, _ := strings.Cut(id, " ")
	path, _, _ = strings.Cut(path, "?")
	for _, o := range c.operations {
		if o.Method == method && o.Path == path {
			return o, true
		}
	}
	return operation{}, false
}

// event returns the schema of a kind's envelope.
func (c *contract) event(kind string) (*openapi3.Schema, error) {
	schema := c.doc.Components.Schemas[c.eventSchema(kind)]
	if schema == nil {
		return nil, fmt.Errorf("the contract has no schema for %s", kind)
	}
	return schema.Value, nil
}

// eventSchema returns the name of the schema of a kind's envelope, or "" if there is none.
func (c *contract) eventSchema(kind string) string {
	event := c.doc.Components.Schemas["Event"]
	if event == nil || event.Value.Discriminator == nil {
		return ""
	}
	return schemaName(event.Value.Discriminator.Mapping[kind].Ref)
}

// schemaName returns the name of the schema that a reference such as "#/components/schemas/Card" names.
func schemaName(ref string) string { return strings.TrimPrefix(ref, "#/components/schemas/") }

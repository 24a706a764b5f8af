package portal

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// field is a parameter of operations or a property of schemas.
type field struct {
	Name        string   // with the properties around it, such as "error.code"
	Owners      []string // operations such as "GET /cards", or schemas
	Address     string   // of the first owner in the reference
	Description string   // may be empty
}

// fields returns the parameters of the operations, except path parameters, and the properties of the schemas.
// Parameters and properties with the same name and description are one field.
func (c *contract) fields() []*field {
	list := fieldList{known: map[[2]string]*field{}}
	for _, o := range c.operations {
		for _, p := range o.definition.Parameters {
			if p.Value.In != openapi3.ParameterInPath {
				list.add(p.Value.Name, o.call(), o.address(), flow(p.Value.Description))
			}
		}
	}
	for _, name := range c.schemaNames() {
		if !strings.HasSuffix(name, "OrNull") { // has the properties of the schema without this ending
			list.addProperties(name, "", c.doc.Components.Schemas[name].Value)
		}
	}
	return list.fields
}

// schemaNames returns the names of the schemas, the shortest first. So Pricing precedes PricingInput and
// CardPricedData, and is the first owner of their fields.
func (c *contract) schemaNames() []string {
	return slices.SortedFunc(maps.Keys(c.doc.Components.Schemas), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
}

// fieldList collects fields.
type fieldList struct {
	fields []*field
	known  map[[2]string]*field // by name and description
}

func (l *fieldList) add(name, owner, address, description string) {
	key := [2]string{name, description}
	if l.known[key] == nil {
		l.known[key] = &field{Name: name, Address: address, Description: description}
		l.fields = append(l.fields, l.known[key])
	}
	l.known[key].Owners = append(l.known[key].Owners, owner)
}

// addProperties adds the properties of a schema. It descends into properties whose schema has no name.
func (l *fieldList) addProperties(owner, prefix string, schema *openapi3.Schema) {
	for _, name := range properties(schema) {
		property := schema.Properties[name]
		l.add(prefix+name, owner, referencePath+"#v1/models/"+owner, flow(property.Value.Description))
		if property.Ref == "" {
			l.addProperties(owner, prefix+name+".", property.Value)
		}
	}
}

// properties returns the names of a schema's properties: the required ones in the order of the contract, then the
// others.
func properties(schema *openapi3.Schema) []string {
	names := slices.Clone(schema.Required)
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

var paragraphEnd = regexp.MustCompile(`\n\s*\n`)

// flow returns the text of a description of the contract without markup, with each paragraph in a line.
func flow(description string) string {
	paragraphs := paragraphEnd.Split(strings.ReplaceAll(description, "`", ""), -1)
	for i, p := range paragraphs {
		paragraphs[i] = strings.Join(strings.Fields(p), " ")
	}
	return strings.TrimSpace(strings.Join(paragraphs, "\n"))
}

// owner names the first owners of the field.
func (f *field) owner() string {
	const named = 2
	if more := len(f.Owners) - named; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(f.Owners[:named], ", "), more)
	}
	return strings.Join(f.Owners, ", ")
}

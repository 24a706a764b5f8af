package portal

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// The reference as Markdown has a page for each tag, and one for the schemas.
const schemasPath = referencePath + "/schemas.md"

func tagPath(tag string) string { return referencePath + "/" + tag + ".md" }

// markdownAddress returns the operation's section in the reference as Markdown.
func (o operation) markdownAddress() string { return tagPath(o.Tag) + "#" + slug(o.Summary) }

// schemaAddress returns the section of a schema.
func schemaAddress(name string) string { return schemasPath + "#" + slug(name) }

// reference returns the first page of the reference: the rules for all operations, and a list of operations.
func (c *contract) reference() []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "# API reference\n\n%s\n", c.doc.Info.Description)
	fmt.Fprintf(&out, "\nAll paths begin with `%s`. [Schemas](%s) describes the fields of bodies.\n",
		c.doc.Servers[0].URL, schemasPath)
	for _, tag := range c.doc.Tags {
		fmt.Fprintf(&out, "\n## %s\n\n%s\n\n", tag.Name, tag.Description)
		for _, o := range c.operationsOf(tag) {
			fmt.Fprintf(&out, "- [`%s`](%s): %s\n", o.call(), o.markdownAddress(), o.Summary)
		}
	}
	return out.Bytes()
}

// tag returns the page of the operations with this tag.
func (c *contract) tag(tag *openapi3.Tag) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "# API reference: %s\n\n%s [All operations](%s)\n",
		tag.Name, tag.Description, markdownPath(referencePath))
	for _, o := range c.operationsOf(tag) {
		o.write(&out)
	}
	return out.Bytes()
}

func (c *contract) operationsOf(tag *openapi3.Tag) []operation {
	var out []operation
	for _, o := range c.operations {
		if o.Tag == tag.Name {
			out = append(out, o)
		}
	}
	return out
}

// write writes the section of the operation.
func (o operation) write(out *bytes.Buffer) {
	fmt.Fprintf(out, "\n## %s\n\n`%s`, rate limit class `%s`\n\n%s\n", o.Summary, o.call(), o.Class,
		strings.TrimSpace(o.Description))
	if len(o.definition.Parameters) > 0 {
		out.WriteString("\n| Parameter | In | Type | Description |\n|---|---|---|---|\n")
		for _, ref := range o.definition.Parameters {
			p := ref.Value
			fmt.Fprintf(out, "| `%s` | %s | %s | %s |\n",
				p.Name, p.In, typeOfSchema(p.Schema), cell(required(p.Required)+p.Description))
		}
	}
	if body := o.definition.RequestBody; body != nil {
		text := strings.TrimSpace("Body" + content(body.Value.Content) + ". " + cell(body.Value.Description))
		fmt.Fprintf(out, "\n%s\n", text)
	}
	o.writeResponses(out)
}

// writeResponses writes the responses: the meaning of success, and the error codes by status.
func (o operation) writeResponses(out *bytes.Buffer) {
	out.WriteString("\nResponses:\n\n")
	for _, status := range slices.Sorted(maps.Keys(o.definition.Responses.Map())) {
		response := o.definition.Responses.Value(status).Value
		if codes := o.errorCodes(status, response); len(codes) > 0 {
			fmt.Fprintf(out, "- %s: %s\n", status, strings.Join(codes, ", "))
		} else {
			fmt.Fprintf(out, "- %s%s: %s\n", status, content(response.Content), cell(*response.Description))
		}
	}
}

// errorCodes returns links to the codes of a response: the codes that the operation lists, or else all codes of the
// response.
func (o operation) errorCodes(status string, response *openapi3.Response) []string {
	codes, _ := response.Extensions["x-error-codes"].([]any)
	if list, ok := o.definition.Extensions["x-error-codes"].(map[string]any); ok && list[status] != nil {
		codes, _ = list[status].([]any)
	}
	var links []string
	for _, code := range codes {
		links = append(links, fmt.Sprintf("[`%s`](%s#%s)", code, markdownPath(errorsPath), code))
	}
	return links
}

// content returns the media types of a body, with their schemas.
func content(body openapi3.Content) string {
	var types []string
	for _, media := range slices.Sorted(maps.Keys(body)) {
		types = append(types, fmt.Sprintf("`%s` %s", media, typeOfSchema(body[media].Schema)))
	}
	if len(types) == 0 {
		return ""
	}
	return " (" + strings.Join(types, ", ") + ")"
}

// schemas returns the page of the schemas.
func (c *contract) schemas() []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "# API reference: schemas\n\n%s [All operations](%s)\n",
		"The fields of requests, responses and events.", markdownPath(referencePath))
	for _, name := range slices.Sorted(maps.Keys(c.doc.Components.Schemas)) {
		schema := c.doc.Components.Schemas[name].Value
		fmt.Fprintf(&out, "\n## %s\n", name)
		if text := strings.TrimSpace(schema.Description); text != "" {
			fmt.Fprintf(&out, "\n%s\n", text)
		}
		if len(schema.Properties) == 0 {
			fmt.Fprintf(&out, "\nType: %s\n", typeOfSchema(&openapi3.SchemaRef{Value: schema}))
			continue
		}
		if len(schema.Required) == len(schema.Properties) {
			out.WriteString("\nAll fields are required.\n")
		}
		out.WriteString("\n| Field | Type | Description |\n|---|---|---|\n")
		writeProperties(&out, "", schema)
	}
	return out.Bytes()
}

// writeProperties writes the rows of a schema's properties, and descends into properties whose schema has no name. It
// marks required ones unless all are required.
func writeProperties(out *bytes.Buffer, prefix string, schema *openapi3.Schema) {
	for _, name := range properties(schema) {
		property := schema.Properties[name]
		marked := slices.Contains(schema.Required, name) && len(schema.Required) < len(schema.Properties)
		text := required(marked) + property.Value.Description
		fmt.Fprintf(out, "| `%s` | %s | %s |\n", prefix+name, typeOfSchema(property), cell(text))
		if property.Ref == "" {
			writeProperties(out, prefix+name+".", property.Value)
		}
	}
}

// typeOfSchema returns the type of a value: a link to its schema, or its values, or its JSON type.
func typeOfSchema(ref *openapi3.SchemaRef) string {
	schema := ref.Value
	switch {
	case ref.Ref != "":
		name := schemaName(ref.Ref)
		return fmt.Sprintf("[%s](%s)", name, schemaAddress(name))
	case len(schema.Enum) > 0:
		var values []string
		for _, value := range schema.Enum {
			if value != nil {
				values = append(values, fmt.Sprintf("`%v`", value))
			}
		}
		return strings.Join(values, ", ") + orNull(schema)
	case schema.Type.Is(openapi3.TypeArray):
		return "array of " + typeOfSchema(schema.Items)
	case len(schema.OneOf)+len(schema.AnyOf) > 0:
		var types []string
		for _, alternative := range slices.Concat(schema.OneOf, schema.AnyOf) {
			types = append(types, typeOfSchema(alternative))
		}
		return strings.Join(types, " or ")
	}
	name := strings.Join(schema.Type.Slice(), " or ")
	if schema.Format != "" {
		name += " (" + schema.Format + ")"
	}
	return name + orNull(schema)
}

func orNull(schema *openapi3.Schema) string {
	if schema.Nullable {
		return " or null"
	}
	return ""
}

func required(is bool) string {
	if is {
		return "Required. "
	}
	return ""
}

// cell returns a text for a cell of a table: one line without vertical bars.
func cell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}

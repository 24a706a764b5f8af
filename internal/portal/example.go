package portal

import (
	"bytes"
	"fmt"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// example returns a value of the schema as indented JSON. It consists of the examples in the contract. Fields are in
// the order of `required`, which lists all fields of responses.
func example(schema *openapi3.Schema) (string, error) {
	var out bytes.Buffer
	if err := writeExample(jsontext.NewEncoder(&out, jsontext.WithIndent("  ")), schema); err != nil {
		return "", err
	}
	return out.String(), nil
}

func writeExample(to *jsontext.Encoder, schema *openapi3.Schema) error {
	switch {
	case schema.Example != nil:
		return json.MarshalEncode(to, schema.Example)
	case schema.Type.Is(openapi3.TypeObject):
		return writeObject(to, schema)
	case schema.Type.Is(openapi3.TypeArray):
		return writeArray(to, schema)
	}
	return fmt.Errorf("a %v without an example: %s", schema.Type, schema.Description)
}

func writeObject(to *jsontext.Encoder, schema *openapi3.Schema) error {
	if err := to.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, name := range schema.Required {
		if err := to.WriteToken(jsontext.String(name)); err != nil {
			return err
		}
		if err := writeExample(to, schema.Properties[name].Value); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return to.WriteToken(jsontext.EndObject)
}

func writeArray(to *jsontext.Encoder, schema *openapi3.Schema) error {
	if err := to.WriteToken(jsontext.BeginArray); err != nil {
		return err
	}
	if err := writeExample(to, schema.Items.Value); err != nil {
		return err
	}
	return to.WriteToken(jsontext.EndArray)
}

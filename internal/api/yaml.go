package api

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/oasdiff/yaml3" // kin-openapi parses the contract with this package too
)

// yamlToJSON converts a YAML document to JSON. It keeps the order of keys, because tools show the paths and fields of a
// contract in that order. It resolves aliases.
func yamlToJSON(document []byte) ([]byte, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(document, &root); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := writeNode(jsontext.NewEncoder(&out), &root); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func writeNode(to *jsontext.Encoder, node *yaml.Node) error {
	switch node.Kind {
	case yaml.DocumentNode:
		return writeNode(to, node.Content[0])
	case yaml.AliasNode:
		return writeNode(to, node.Alias)
	case yaml.MappingNode:
		return writeBetween(to, jsontext.BeginObject, node.Content, jsontext.EndObject)
	case yaml.SequenceNode:
		return writeBetween(to, jsontext.BeginArray, node.Content, jsontext.EndArray)
	case yaml.ScalarNode:
		return writeScalar(to, node)
	}
	return fmt.Errorf("line %d: a node of kind %d", node.Line, node.Kind)
}

// writeBetween writes the nodes of a sequence, or the keys and values of a mapping in turn.
func writeBetween(to *jsontext.Encoder, begin jsontext.Token, nodes []*yaml.Node, end jsontext.Token) error {
	if err := to.WriteToken(begin); err != nil {
		return err
	}
	for _, node := range nodes {
		if err := writeNode(to, node); err != nil {
			return err
		}
	}
	return to.WriteToken(end)
}

func writeScalar(to *jsontext.Encoder, node *yaml.Node) error {
	if tag := node.ShortTag(); tag == "!!str" || tag == "!!timestamp" { // JSON has no times: they stay strings
		return to.WriteToken(jsontext.String(node.Value))
	}
	var value any
	if err := node.Decode(&value); err != nil {
		return fmt.Errorf("line %d: %w", node.Line, err)
	}
	if err := json.MarshalEncode(to, value); err != nil { // fails for values that JSON does not have, such as .inf
		return fmt.Errorf("line %d: %w", node.Line, err)
	}
	return nil
}

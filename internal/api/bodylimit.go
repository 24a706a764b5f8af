package api

import (
	"fmt"
	"math"

	"github.com/getkin/kin-openapi/openapi3"
)

// The smallest and the largest result of bodyLimit, in bytes. Only the import of 500 cards could exceed the largest:
// with all fields but the metadata at their maximum length it has less than 8 MiB in ASCII.
const minJSONBody, maxJSONBody = 16 << 10, 8 << 20

// longestKey is the length of the longest key that the service accepts in an object with keys of the client's choice,
// in characters; maxKeys is the maximum number of keys.
const longestKey, maxKeys = 40, 1000

// Maximum lengths in JSON, in bytes. A character outside the Basic Multilingual Plane can be written as two escapes,
// such as \ud83d\ude00; numbers and literals are shorter than scalarLength.
const escapedCharacter, scalarLength = 12, 32

// bodyLimit returns the maximum size of an operation's JSON body, in bytes: twice the longest encoding of a valid
// value, to leave room for white space, rounded up to a power of two.
func bodyLimit(schema *openapi3.Schema) int64 {
	limit := int64(minJSONBody)
	for longest := longestJSON(schema); limit < 2*longest && limit < maxJSONBody; {
		limit *= 2
	}
	return limit
}

// longestJSON returns the length of the longest valid value, without white space.
func longestJSON(s *openapi3.Schema) int64 {
	switch {
	case s.Type.Is(openapi3.TypeObject):
		length := int64(len("{}"))
		for name, property := range s.Properties {
			length += int64(len(name)) + int64(len(`"":,`)) + longestJSON(property.Value)
		}
		if extra := s.AdditionalProperties.Schema; extra != nil {
			length += int64(*s.MaxProps) * (longestKey*escapedCharacter + int64(len(`"":,`)) + longestJSON(extra.Value))
		}
		return length
	case s.Type.Is(openapi3.TypeArray):
		return int64(*s.MaxItems)*(1+longestJSON(s.Items.Value)) + int64(len("[]"))
	case s.Type.Is(openapi3.TypeString) && s.MaxLength != nil:
		return int64(*s.MaxLength)*escapedCharacter + int64(len(`""`))
	case s.Type.Is(openapi3.TypeString):
		length := int64(scalarLength)
		for _, value := range s.Enum {
			length = max(length, int64(len(fmt.Sprint(value)))*escapedCharacter)
		}
		return length
	}
	return scalarLength
}

// checkBounded returns an error if the schema of a body has no maximum size: the memory for reading such a body would
// not be bounded.
func checkBounded(s *openapi3.Schema, path string) error {
	extra := s.AdditionalProperties
	switch {
	case len(s.OneOf)+len(s.AnyOf)+len(s.AllOf) > 0 || s.Not != nil:
		return fmt.Errorf("body%s: schemas that are combined cannot be read in bounded memory", path)
	case s.Type.Is(openapi3.TypeObject):
		switch {
		case extra.Schema != nil && s.MaxProps != nil && *s.MaxProps <= maxKeys:
			if err := checkBounded(extra.Schema.Value, path+".*"); err != nil {
				return err
			}
		case extra.Has == nil || *extra.Has:
			return fmt.Errorf("body%s: additionalProperties must be false, or a schema with maxProperties", path)
		}
		for name, property := range s.Properties {
			if err := checkBounded(property.Value, path+"."+name); err != nil {
				return err
			}
		}
	case s.Type.Is(openapi3.TypeArray):
		if s.MaxItems == nil || s.Items == nil || *s.MaxItems > math.MaxInt32 {
			return fmt.Errorf("body%s: an array must have items and maxItems", path)
		}
		return checkBounded(s.Items.Value, path+"[]")
	case s.Type.Is(openapi3.TypeString) && s.Enum == nil && s.MaxLength == nil:
		return fmt.Errorf("body%s: a string must have maxLength or enum", path)
	}
	return nil
}

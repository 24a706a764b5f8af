package api

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// maxListedValues is the largest number of enumeration values that a message lists.
const maxListedValues = 12

// validationMessage describes the rule of a schema that a value broke, as a phrase that follows the field's name.
func validationMessage(e *openapi3.SchemaError) string {
	s := e.Schema
	if s.Format == "date-time" && e.SchemaField != "nullable" {
		return formatMessage(s) // more helpful than a message about its length or pattern
	}
	if message := contractMessage(e); message != "" {
		return message
	}
	switch e.SchemaField {
	case "required":
		return "is required"
	case "nullable":
		return "must not be null"
	case "type":
		return "must be " + typeName(s)
	case "enum":
		return enumMessage(s)
	case "pattern":
		return "has a form that is not allowed; the documentation says which are"
	case "format":
		return formatMessage(s)
	case "minimum":
		return "must be at least " + number(*s.Min)
	case "maximum":
		return "must be at most " + number(*s.Max)
	default:
		return sizeMessage(e)
	}
}

// contractMessage returns the message that the contract gives for a schema (x-validation-message), or "". Patterns and
// long enumerations are not readable, and for an identifier a message about its length is not helpful.
func contractMessage(e *openapi3.SchemaError) string {
	s := e.Schema
	fixedLength := s.MaxLength != nil && s.MinLength == *s.MaxLength
	switch e.SchemaField {
	case "minLength", "maxLength":
		if !fixedLength {
			return ""
		}
	case "pattern", "enum", "format":
	default:
		return ""
	}
	message, _ := s.Extensions["x-validation-message"].(string)
	return message
}

func sizeMessage(e *openapi3.SchemaError) string {
	s := e.Schema
	switch e.SchemaField {
	case "minLength":
		if s.MinLength == 1 {
			return "must not be empty"
		}
		return fmt.Sprintf("must have at least %d characters", s.MinLength)
	case "maxLength":
		return fmt.Sprintf("must have at most %d characters", *s.MaxLength)
	case "minItems":
		if s.MinItems == 1 {
			return "must have at least one item"
		}
		return fmt.Sprintf("must have at least %d items", s.MinItems)
	case "maxItems":
		return fmt.Sprintf("must have at most %d items", *s.MaxItems)
	case "maxProperties":
		if s.AdditionalProperties.Schema != nil {
			return fmt.Sprintf("must have at most %d keys", *s.MaxProps)
		}
		return oneOf(s)
	case "minProperties":
		return oneOf(s)
	}
	return e.Reason
}

// oneOf names the properties that an object can have. The object has too few or too many properties.
func oneOf(s *openapi3.Schema) string {
	number := "at least"
	if s.MaxProps != nil && *s.MaxProps == 1 {
		number = "exactly"
	}
	return "must have " + number + " one of " + strings.Join(slices.Sorted(maps.Keys(s.Properties)), ", ")
}

func enumMessage(s *openapi3.Schema) string {
	if len(s.Enum) > maxListedValues {
		return "must be one of the values that the documentation lists"
	}
	var values []string
	for _, value := range s.Enum {
		if value == nil {
			value = "null"
		}
		values = append(values, fmt.Sprint(value))
	}
	return "must be one of " + strings.Join(values, ", ")
}

func formatMessage(s *openapi3.Schema) string {
	switch s.Format {
	case "date-time":
		return "must be an RFC 3339 time with a zone, such as 2026-05-11T15:32:01Z; in an address, write + as %2B"
	case "uri":
		return "must be an absolute address"
	}
	return "must be " + typeName(s) + " of format " + s.Format
}

// typeName returns a schema's type with its article: "an integer".
func typeName(s *openapi3.Schema) string {
	name := strings.Join(s.Type.Slice(), " or ")
	if name != "" && strings.ContainsRune("aeiou", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

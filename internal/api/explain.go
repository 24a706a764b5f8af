package api

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"

	"github.com/cardvault/cardvault/internal/fault"
)

const (
	// maxDetails is how many fields at fault an answer names; a request of 500 cards can have thousands.
	maxDetails = 20
	// maxField is how much of a path is repeated: names of unknown fields come from the client (contract: ErrorDetail).
	maxField = 300
	// maxChoices is up to how many values of an enumeration are listed.
	maxChoices = 12
)

// problems are the fields of a request that are at fault.
type problems struct {
	details []fault.Detail
	more    int // beyond maxDetails
}

func (p *problems) add(field, message string) {
	if field = truncate(strings.ToValidUTF8(strings.ReplaceAll(field, "\x00", ""), "")); p.has(field) {
		return
	}
	if len(p.details) == maxDetails {
		p.more++
		return
	}
	p.details = append(p.details, fault.Detail{Field: field, Message: message})
}

// has reports whether the field is among them: the first fault of a field is enough.
func (p *problems) has(field string) bool {
	return slices.ContainsFunc(p.details, func(d fault.Detail) bool { return d.Field == field })
}

func truncate(field string) string {
	if runes := []rune(field); len(runes) > maxField {
		return string(runes[:maxField-1]) + "…"
	}
	return field
}

// fault returns invalid_request with the fields at fault, in order; nil if there are none.
func (p *problems) fault() error {
	if len(p.details) == 0 {
		return nil
	}
	first := p.details[0]
	message := first.Field + ": " + first.Message
	if others := len(p.details) - 1 + p.more; others > 0 {
		message += fmt.Sprintf(" (and %d more)", others)
	}
	return fault.New(fault.InvalidRequest, "%s", message).With(p.details...)
}

// explain adds what kin-openapi found. The field is a parameter's name, or "" for the body, whose
// fields are named by their paths: cards.3.location. Nothing that was sent is repeated but names.
func (p *problems) explain(parameter string, err error) {
	var request *openapi3filter.RequestError
	if errors.As(err, &request) {
		p.explainParameter(parameter, request)
		return
	}
	switch e := err.(type) {
	case nil:
	case openapi3.MultiError:
		for _, one := range e {
			p.explain(parameter, one)
		}
	case *openapi3.SchemaError:
		p.explainSchema(parameter, e)
	default:
		p.add(orBody(parameter), "is not valid")
	}
}

func (p *problems) explainParameter(name string, e *openapi3filter.RequestError) {
	var parse *openapi3filter.ParseError
	switch {
	case errors.Is(e.Err, openapi3filter.ErrInvalidRequired):
		p.add(name, "is required")
	case errors.Is(e.Err, openapi3filter.ErrInvalidEmptyValue):
		p.add(name, "must not be empty")
	case errors.As(e.Err, &parse):
		p.add(name, "must be "+article(e.Parameter.Schema.Value))
	default:
		p.explain(name, e.Err)
	}
}

func (p *problems) explainSchema(parameter string, e *openapi3.SchemaError) {
	field := parameter
	if field == "" {
		field = strings.Join(e.JSONPointer(), ".")
	}
	p.add(orBody(field), says(e))
}

func orBody(field string) string {
	if field == "" {
		return "body"
	}
	return field
}

// says puts a rule of the contract that was broken into words.
func says(e *openapi3.SchemaError) string {
	s := e.Schema
	if s.Format == "date-time" { // says more than its length or its pattern does
		return saysFormat(s)
	}
	if own := saysItself(e); own != "" {
		return own
	}
	switch e.SchemaField {
	case "required":
		return "is required"
	case "nullable":
		return "must not be null"
	case "type":
		return "must be " + article(s)
	case "enum":
		return saysEnum(s)
	case "pattern":
		return "has a form that is not allowed; the documentation says which are"
	case "format":
		return saysFormat(s)
	case "minimum":
		return "must be at least " + number(*s.Min)
	case "maximum":
		return "must be at most " + number(*s.Max)
	default:
		return saysSize(e)
	}
}

// saysItself returns the contract's own words for a schema (x-says): nobody reads patterns and long lists, and of an
// identifier the length says too little.
func saysItself(e *openapi3.SchemaError) string {
	s := e.Schema
	oneLength := s.MaxLength != nil && s.MinLength == *s.MaxLength
	switch e.SchemaField {
	case "minLength", "maxLength":
		if !oneLength {
			return ""
		}
	case "pattern", "enum", "format":
	default:
		return ""
	}
	own, _ := s.Extensions["x-says"].(string)
	return own
}

func saysSize(e *openapi3.SchemaError) string {
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
		return fmt.Sprintf("must have at least %d items", s.MinItems)
	case "maxItems":
		return fmt.Sprintf("must have at most %d items", *s.MaxItems)
	case "minProperties", "maxProperties":
		return "must have exactly one of " + strings.Join(slices.Sorted(maps.Keys(s.Properties)), ", ")
	}
	return e.Reason
}

func saysEnum(s *openapi3.Schema) string {
	if len(s.Enum) > maxChoices {
		return "must be one of the values that the documentation lists"
	}
	var choices []string
	for _, choice := range s.Enum {
		if choice == nil {
			choice = "null"
		}
		choices = append(choices, fmt.Sprint(choice))
	}
	return "must be one of " + strings.Join(choices, ", ")
}

func saysFormat(s *openapi3.Schema) string {
	switch s.Format {
	case "date-time":
		return "must be an RFC 3339 time with a zone, such as 2026-05-11T15:32:01Z; in an address, write + as %2B"
	case "uri":
		return "must be an absolute address"
	}
	return "must be " + article(s) + " of format " + s.Format
}

// article names a schema's type: "an integer".
func article(s *openapi3.Schema) string {
	name := strings.Join(s.Type.Slice(), " or ")
	if name != "" && strings.ContainsRune("aeiou", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

package api

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"

	"github.com/cardvault/cardvault/internal/fault"
)

const (
	// maxFieldErrors is the number of invalid fields that a response names. A request with 500 cards can have
	// thousands.
	maxFieldErrors = 20
	// maxFieldLength is the length, in characters, at which field paths are cut. The names of unknown fields come from
	// the client (contract: ErrorDetail).
	maxFieldLength = 300
)

// fieldErrors collects the invalid fields of a request.
type fieldErrors struct {
	details []fault.Detail
	more    int // number of invalid fields beyond maxFieldErrors
}

// add adds a message for a field. Only the first message of a field is kept.
func (e *fieldErrors) add(field, message string) {
	if field = truncate(strings.ToValidUTF8(strings.ReplaceAll(field, "\x00", ""), "")); e.has(field) {
		return
	}
	if len(e.details) == maxFieldErrors {
		e.more++
		return
	}
	e.details = append(e.details, fault.Detail{Field: field, Message: message})
}

func (e *fieldErrors) has(field string) bool {
	return slices.ContainsFunc(e.details, func(d fault.Detail) bool { return d.Field == field })
}

func truncate(field string) string {
	if runes := []rune(field); len(runes) > maxFieldLength {
		return string(runes[:maxFieldLength-1]) + "…"
	}
	return field
}

// err returns an invalid_request fault that lists the fields in the order in which they were added, or nil if there
// are none.
func (e *fieldErrors) err() error {
	if len(e.details) == 0 {
		return nil
	}
	first := e.details[0]
	message := first.Field + ": " + first.Message
	if others := len(e.details) - 1 + e.more; others > 0 {
		message += fmt.Sprintf(" (and %d more)", others)
	}
	return fault.New(fault.InvalidRequest, "%s", message).WithDetails(e.details...)
}

// addError adds the fields of a kin-openapi error. parameter is the name of a parameter, or "" for the body, whose
// fields are named by their paths: cards.3.location. Messages never repeat values that the client sent.
func (e *fieldErrors) addError(parameter string, err error) {
	var request *openapi3filter.RequestError
	if errors.As(err, &request) {
		e.addParameterError(parameter, request)
		return
	}
	switch err := err.(type) {
	case nil:
	case openapi3.MultiError:
		for _, one := range err {
			e.addError(parameter, one)
		}
	case *openapi3.SchemaError:
		e.addSchemaError(parameter, err)
	default:
		e.add(fieldName(parameter), "is not valid")
	}
}

func (e *fieldErrors) addParameterError(name string, err *openapi3filter.RequestError) {
	var parse *openapi3filter.ParseError
	switch {
	case errors.Is(err.Err, openapi3filter.ErrInvalidRequired):
		e.add(name, "is required")
	case errors.Is(err.Err, openapi3filter.ErrInvalidEmptyValue):
		e.add(name, "must not be empty")
	case errors.As(err.Err, &parse):
		e.add(name, "must be "+typeName(err.Parameter.Schema.Value))
	default:
		e.addError(name, err.Err)
	}
}

func (e *fieldErrors) addSchemaError(parameter string, err *openapi3.SchemaError) {
	field := parameter
	if field == "" {
		field = strings.Join(err.JSONPointer(), ".")
	}
	e.add(fieldName(field), validationMessage(err))
}

// fieldName returns the name under which a field is reported. The root of the body is "body".
func fieldName(field string) string {
	if field == "" {
		return "body"
	}
	return field
}

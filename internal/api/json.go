package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/netguard"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// maxDepth is the maximum nesting depth of a body. The deepest body in the contract has five levels.
const maxDepth = 16

// maxUnknown is the number of unknown field names that are kept: more than a response lists.
const maxUnknown = 1000

// parseJSON decodes a body that is exactly one JSON value, into the types that kin-openapi validates: nil, bool,
// json.Number, string, []any, map[string]any. It is stricter than encoding/json: it refuses data after the value,
// duplicate keys and invalid UTF-8, and also NUL characters, which PostgreSQL cannot store.
//
// The schema limits the decoded value, so that it does not use many times the memory of the body. It has at most one
// item more than an array may have, the known fields of objects and some of the unknown names, and nothing inside a
// value of the wrong type. That is enough to describe the errors of the body. extra is the number of unknown names
// that were dropped.
func parseJSON(body []byte, schema *openapi3.Schema) (value any, extra int, err error) {
	// jsonReader finds duplicate names itself, because it keeps them in a map anyway.
	decoder := jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true))
	r := jsonReader{decoder: decoder}
	value, err = r.value(schema)
	if err == nil {
		if _, err = decoder.ReadToken(); errors.Is(err, io.EOF) {
			return value, r.dropped, nil
		}
		if err == nil {
			err = errTrailing
		}
	}
	return nil, 0, invalidJSON(decoder, err)
}

var (
	errTrailing = errors.New("there is something after the value")
	errTwice    = errors.New("an object has the same key twice")
	errNUL      = errors.New("a string holds a NUL character")
	errDeep     = errors.New("it is nested too deep")
)

// jsonReader reads values according to their schemas. Values without a schema are read and dropped.
type jsonReader struct {
	decoder *jsontext.Decoder
	unknown int // number of unknown names that were kept
	dropped int // number of unknown names that were not kept, in objects that were kept
}

func (r *jsonReader) value(schema *openapi3.Schema) (any, error) {
	token, err := r.decoder.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case 'n':
		return nil, nil
	case 't', 'f':
		return token.Bool(), nil
	case '0':
		return readNumber(token.String()), nil
	case '"':
		return readText(token, schema)
	case '[':
		return r.array(schema)
	default:
		return r.object(schema)
	}
}

// maxExact is the largest number up to which a float64 represents every integer.
const maxExact = 1 << 53

// readNumber returns integers in digits only: for JSON Schema 1.0 and 1e2 are integers, but not for strconv, which the
// generated code uses.
func readNumber(text string) json.Number {
	if strings.ContainsAny(text, ".eE") {
		if f, err := strconv.ParseFloat(text, 64); err == nil && f == math.Trunc(f) && math.Abs(f) <= maxExact {
			text = strconv.FormatFloat(f, 'f', -1, 64)
		}
	}
	return json.Number(text)
}

// readText returns times as the generated code takes them, and addresses as URLs are written.
func readText(token jsontext.Token, schema *openapi3.Schema) (string, error) {
	text := token.String()
	switch {
	case strings.IndexByte(text, 0) >= 0:
		return "", errNUL
	case schema != nil && schema.Format == "date-time":
		return timestamp.Canonical(text), nil
	case schema != nil && schema.Format == "uri":
		return netguard.Canonical(text), nil
	}
	return text, nil
}

func (r *jsonReader) array(schema *openapi3.Schema) (any, error) {
	if r.decoder.StackDepth() > maxDepth {
		return nil, errDeep
	}
	array, keep := []any{}, uint64(0)
	var items *openapi3.Schema
	if schema != nil && schema.Type.Is(openapi3.TypeArray) {
		items, keep = schema.Items.Value, *schema.MaxItems+1
	}
	for r.decoder.PeekKind() != ']' {
		full := uint64(len(array)) >= keep
		if full {
			items = nil
		}
		value, err := r.value(items)
		if err != nil {
			return nil, err
		}
		if !full {
			array = append(array, value)
		}
	}
	_, err := r.decoder.ReadToken()
	return array, err
}

func (r *jsonReader) object(schema *openapi3.Schema) (any, error) {
	if r.decoder.StackDepth() > maxDepth {
		return nil, errDeep
	}
	if schema != nil && !schema.Type.Is(openapi3.TypeObject) {
		schema = nil
	}
	object := map[string]any{}
	for r.decoder.PeekKind() != '}' {
		if err := r.field(object, schema); err != nil {
			return nil, err
		}
	}
	_, err := r.decoder.ReadToken()
	return object, err
}

// field reads a name and its value. The values of unknown names are dropped.
func (r *jsonReader) field(object map[string]any, schema *openapi3.Schema) error {
	token, err := r.decoder.ReadToken()
	if err != nil {
		return err
	}
	name, err := readText(token, nil)
	if err != nil {
		return err
	}
	if _, twice := object[name]; twice {
		return errTwice
	}
	var property *openapi3.Schema
	if schema != nil && (schema.MaxProps == nil || uint64(len(object)) <= *schema.MaxProps) {
		property = propertyOf(schema, name)
	}
	switch {
	case property != nil:
	case r.unknown < maxUnknown: // counted before the names inside its value, so that at least one is kept
		r.unknown++
		object[name] = nil
	case schema != nil:
		r.dropped++
	}
	value, err := r.value(property)
	if err == nil && property != nil {
		object[name] = value
	}
	return err
}

// invalidJSON returns the fault for a body that cannot be decoded. Its message does not repeat any of the body.
func invalidJSON(d *jsontext.Decoder, err error) error {
	reason := "it does not follow JSON's grammar"
	offset := d.InputOffset()
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) {
		offset = syntactic.ByteOffset
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		reason = "it ends too early"
	case errors.Is(err, errTrailing), errors.Is(err, errTwice), errors.Is(err, errNUL), errors.Is(err, errDeep):
		reason = err.Error()
	}
	return fault.New(fault.InvalidJSON, "The body is not one well-formed JSON value: %s (byte %d).", reason, offset).
		WithCause(err)
}

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
)

// maxDepth is how deep a body may nest; the contract's deepest nests five.
const maxDepth = 16

// maxUnknown is how many names are kept that the schema does not know: more than an answer lists.
const maxUnknown = 1000

// parseJSON decodes a body that is exactly one JSON value, of the forms that kin-openapi validates:
// nil, bool, json.Number, string, []any, map[string]any. What encoding/json lets pass is refused:
// data after the value, duplicate keys, invalid UTF-8; so are NUL characters, which PostgreSQL
// cannot store.
//
// What is kept is bounded by the schema, so that a body cannot take many times its size: of an array
// one item more than is allowed, of objects the known fields and the names of some others, and nothing
// of what is inside a value of the wrong type. That is enough to say what is wrong with the body; dropped
// is how many unknown names are missing.
func parseJSON(body []byte, schema *openapi3.Schema) (value any, dropped int, err error) {
	// Keys are kept in a map here anyway: the decoder need not look for duplicates itself.
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

// jsonReader reads values by their schemas. A nil schema knows nothing: what it stands for is read, and dropped.
type jsonReader struct {
	decoder *jsontext.Decoder
	unknown int // names kept that no schema knows
	dropped int // names not kept, of objects that are
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
		return readText(token)
	case '[':
		return r.array(schema)
	default:
		return r.object(schema)
	}
}

// maxExact is up to where every integer is a float64 of its own.
const maxExact = 1 << 53

// readNumber writes integers in digits alone: 1.0 and 1e2 are integers to JSON Schema, but not to
// strconv, which binding uses.
func readNumber(text string) json.Number {
	if strings.ContainsAny(text, ".eE") {
		if f, err := strconv.ParseFloat(text, 64); err == nil && f == math.Trunc(f) && math.Abs(f) <= maxExact {
			text = strconv.FormatFloat(f, 'f', -1, 64)
		}
	}
	return json.Number(text)
}

func readText(token jsontext.Token) (string, error) {
	text := token.String()
	if strings.IndexByte(text, 0) >= 0 {
		return "", errNUL
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

// field reads one name and its value. The values of names that the schema does not know are dropped.
func (r *jsonReader) field(object map[string]any, schema *openapi3.Schema) error {
	token, err := r.decoder.ReadToken()
	if err != nil {
		return err
	}
	name, err := readText(token)
	if err != nil {
		return err
	}
	if _, twice := object[name]; twice {
		return errTwice
	}
	var property *openapi3.Schema
	switch {
	case schema != nil && schema.Properties[name] != nil:
		property = schema.Properties[name].Value
	case r.unknown < maxUnknown: // before the names inside its value, so that one is kept at least
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

// invalidJSON says what is wrong with a body and where, without repeating any of it.
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
	return fault.New(fault.InvalidJSON, "The body is not one well-formed JSON value: %s (byte %d).", reason, offset).WithCause(err)
}

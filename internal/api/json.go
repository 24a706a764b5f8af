package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/cardvault/cardvault/internal/fault"
)

// maxDepth is how deep a body may nest; the contract's deepest nests five.
const maxDepth = 16

// parseJSON decodes a body that is exactly one JSON value, of the forms that kin-openapi validates:
// nil, bool, json.Number, string, []any, map[string]any. What encoding/json lets pass is refused:
// data after the value, duplicate keys, invalid UTF-8; so are NUL characters, which PostgreSQL
// cannot store.
func parseJSON(body []byte) (any, error) {
	// Keys are kept in a map here anyway: the decoder need not look for duplicates itself.
	decoder := jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true))
	value, err := readValue(decoder)
	if err == nil {
		if _, err = decoder.ReadToken(); errors.Is(err, io.EOF) {
			return value, nil
		}
		if err == nil {
			err = errTrailing
		}
	}
	return nil, invalidJSON(decoder, err)
}

var (
	errTrailing = errors.New("there is something after the value")
	errTwice    = errors.New("an object has the same key twice")
	errNUL      = errors.New("a string holds a NUL character")
	errDeep     = errors.New("it is nested too deep")
)

func readValue(d *jsontext.Decoder) (any, error) {
	token, err := d.ReadToken()
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
		return readArray(d)
	default:
		return readObject(d)
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

func readArray(d *jsontext.Decoder) (any, error) {
	if d.StackDepth() > maxDepth {
		return nil, errDeep
	}
	array := []any{}
	for d.PeekKind() != ']' {
		value, err := readValue(d)
		if err != nil {
			return nil, err
		}
		array = append(array, value)
	}
	_, err := d.ReadToken()
	return array, err
}

func readObject(d *jsontext.Decoder) (any, error) {
	if d.StackDepth() > maxDepth {
		return nil, errDeep
	}
	object := map[string]any{}
	for d.PeekKind() != '}' {
		token, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		name, err := readText(token)
		if err != nil {
			return nil, err
		}
		if _, twice := object[name]; twice {
			return nil, errTwice
		}
		if object[name], err = readValue(d); err != nil {
			return nil, err
		}
	}
	_, err := d.ReadToken()
	return object, err
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
	return fault.New(fault.InvalidJSON, "The body is not one well-formed JSON value: %s (byte %d).", reason, offset).Because(err)
}

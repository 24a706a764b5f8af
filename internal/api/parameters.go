package api

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"

	"github.com/cardvault/cardvault/internal/timestamp"
)

// checkQuery parses and validates the query string.
func (c call) checkQuery(input *openapi3filter.RequestValidationInput, errs *fieldErrors) {
	address := input.Request.URL
	input.QueryParams = noQuery
	if address.RawQuery != "" {
		query, err := url.ParseQuery(address.RawQuery)
		if err != nil {
			errs.add("query", "is not well encoded: percent-encode what is not a letter, digit or one of -._~")
			return
		}
		input.QueryParams = query
		if c.checkParameters(input, errs) {
			address.RawQuery = query.Encode()
		}
	}
	for _, name := range c.operation.required {
		if !input.QueryParams.Has(name) {
			errs.add(name, "is required")
		}
	}
}

var noQuery = url.Values{}

// checkParameters validates the parameters that the query contains. It splits comma-separated lists, writes times in
// their usual form, and reports whether it changed any.
func (c call) checkParameters(input *openapi3filter.RequestValidationInput, errs *fieldErrors) (changed bool) {
	query := input.QueryParams
	for _, name := range slices.Sorted(maps.Keys(query)) {
		parameter, values := c.operation.query[name], query[name]
		if parameter == nil {
			errs.add(name, "is not a parameter of this address")
			continue
		}
		if parameter.Schema.Value.Type.Is(openapi3.TypeArray) {
			query[name] = strings.Split(strings.Join(values, ","), ",")
			changed = changed || len(query[name]) != len(values)
		} else if message := scalarMessage(parameter.Schema.Value, values); message != "" {
			errs.add(name, message)
			continue
		}
		if !storable(values) {
			errs.add(name, "must be UTF-8 without NUL characters")
			continue
		}
		if parameter.Schema.Value.Format == "date-time" { // as the generated code takes it
			text := timestamp.Canonical(values[0])
			changed = changed || text != values[0]
			query[name] = []string{text}
		}
		errs.addError(name, openapi3filter.ValidateParameter(input.Request.Context(), input, parameter))
	}
	return changed
}

// scalarMessage returns the message for errors in a parameter with a single value that kin-openapi does not find, or
// "".
func scalarMessage(schema *openapi3.Schema, values []string) string {
	switch {
	case len(values) > 1:
		return "must be given once"
	case schema.Type.Is(openapi3.TypeInteger) && !canonicalInteger(values[0]):
		return "must be an integer"
	}
	return ""
}

// checkHeaders validates the headers that the contract defines. Lists may be spread over several headers of the same
// name (RFC 9110, section 5.3); an Idempotency-Key is not a list.
func (c call) checkHeaders(input *openapi3filter.RequestValidationInput, errs *fieldErrors) {
	header := input.Request.Header
	for _, parameter := range c.operation.header {
		values := header[http.CanonicalHeaderKey(parameter.Name)]
		if len(values) == 0 {
			if parameter.Required {
				errs.add(parameter.Name, "is required")
			}
			continue
		}
		if len(values) > 1 {
			if parameter.Name == "Idempotency-Key" {
				errs.add(parameter.Name, "must be given once")
				continue
			}
			header.Set(parameter.Name, strings.Join(values, ", "))
		}
		errs.addError(parameter.Name, openapi3filter.ValidateParameter(input.Request.Context(), input, parameter))
	}
}

// storable reports whether PostgreSQL can store the values as text.
func storable(values []string) bool {
	for _, v := range values {
		if strings.IndexByte(v, 0) >= 0 || !utf8.ValidString(v) {
			return false
		}
	}
	return true
}

// canonicalInteger reports whether s is an integer in the notation of JSON; strconv also accepts "+5" and "007".
func canonicalInteger(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || digits[0] == '0' && len(digits) > 1 {
		return false
	}
	return strings.Trim(digits, "0123456789") == ""
}

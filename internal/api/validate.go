package api

import (
	"bytes"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"

	"github.com/cardvault/cardvault/internal/fault"
)

// check holds the request against the operation's contract and returns its JSON body as sent. The
// request's query and body are then as binding wants them.
func (c call) check(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if !acceptsJSON(r.Header["Accept"]) {
		return nil, notAcceptable()
	}
	body, err := c.readBody(w, r)
	if err != nil {
		return nil, err
	}
	var errs fieldErrors
	if err := c.checkBody(r, body, &errs); err != nil {
		return nil, err
	}
	input := &openapi3filter.RequestValidationInput{Request: r, PathParams: c.vars, Route: c.operation.route, Options: parameterOptions}
	c.checkQuery(input, &errs)
	c.checkHeaders(input, &errs)
	if err := errs.err(); err != nil {
		return nil, err
	}
	return body, c.checkPath(input)
}

// formats are how this package reads the formats of values.
var formats = openapi3.WithStringFormatValidators(map[string]openapi3.StringFormatValidator{
	"date-time": openapi3.NewCallbackValidator(checkTime),
	"uri":       openapi3.NewCallbackValidator(checkURI),
})

// How kin-openapi validates: a body up to its first fault, for a body can have a million of them;
// a single value, and parameters, with all faults at once.
var (
	firstError       = []openapi3.SchemaValidationOption{openapi3.VisitAsRequest(), formats}
	allErrors        = append(firstError[:len(firstError):len(firstError)], openapi3.MultiErrors())
	parameterOptions = &openapi3filter.Options{
		MultiError: true, SkipSettingDefaults: true,
		SchemaValidationOptions: []openapi3.SchemaValidationOption{openapi3.MultiErrors(), formats},
	}
)

// rfc3339 is what time.Parse is too lenient for: it takes a comma before the fraction, hours of one
// digit, and zones of 24 hours, which time.Time cannot print.
var rfc3339 = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// checkTime wants RFC 3339 with a zone, and a year of four digits in UTC too: what the database and
// time.Time can hold and print.
func checkTime(s string) error {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err == nil && (!rfc3339.MatchString(s) || t.UTC().Year() < 1 || t.UTC().Year() > 9999) {
		err = errors.New("not RFC 3339, or the year has not four digits in UTC")
	}
	return err
}

func checkURI(s string) error {
	u, err := url.Parse(s)
	if err == nil && (!u.IsAbs() || u.Hostname() == "") {
		err = errors.New("not an absolute address")
	}
	return err
}

// checkBody decodes and validates a JSON body and leaves both forms to binding.
func (c call) checkBody(r *http.Request, body []byte, errs *fieldErrors) error {
	op := c.operation
	switch {
	case op.body == nil:
		if !isEmptyBody(body) {
			errs.add("body", "must be left out: this address takes none")
		}
		return nil
	case op.binary && r.ContentLength != 0:
		return nil
	case len(body) == 0:
		r.Body = http.NoBody
		if op.body.Required {
			errs.add("body", "is required")
		}
		return nil
	}
	value, dropped, err := parseJSON(body, op.schema)
	if err != nil {
		return err
	}
	if err := op.schema.VisitJSON(value, firstError...); err != nil {
		errs.addBody(op.schema, value, err)
		errs.more += dropped
	}
	r.Body = parsedBody{Reader: bytes.NewReader(body), value: value}
	return nil
}

// checkPath answers a malformed identifier like one that does not exist.
func (c call) checkPath(input *openapi3filter.RequestValidationInput) error {
	for _, parameter := range c.operation.path {
		if openapi3filter.ValidateParameter(input.Request.Context(), input, parameter.Parameter) != nil {
			return fault.NotFound(parameter.notFound)
		}
	}
	return nil
}

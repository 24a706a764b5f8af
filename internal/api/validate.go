package api

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"

	"github.com/cardvault/cardvault/internal/concurrency"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/timestamp"
	"github.com/cardvault/cardvault/internal/upload"
)

// validator checks requests against the contract.
type validator struct {
	memory  *concurrency.Semaphore // of large bodies, by account
	storage *upload.Storage        // of large bodies and forms in temporary files
}

func newValidator() validator {
	return validator{
		memory:  concurrency.NewSemaphore(bodyMemory, accountBodyMemory),
		storage: upload.NewStorage(bodyStorage, accountBodyStorage),
	}
}

// validate refuses requests that do not match the contract: Accept header, media type and size of the body, then the
// values of body, query, headers and path. It comes after limit, because it reads the body and costs the most, and
// before everything that uses those values.
func (v validator) validate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		state := stateOf(r.Context())
		state.call.spool = v.spool(w, r, state.call.operation, state.caller.AccountID)
		state.call.form = v.newFormBody(w, state.call.operation, state.caller.AccountID)
		defer state.releaseBody(r) // after a panic
		state.call.operation.extendDeadlines(w)
		body, err := state.call.check(w, r)
		if err != nil {
			state.releaseBody(r)
			WriteError(w, r, err)
			return
		}
		state.body = body
		next.ServeHTTP(w, r)
	})
}

// check validates a request and returns its JSON body as it was sent, or the hash of its form. It rewrites the query
// and the body of the request for the generated code.
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
	input := &openapi3filter.RequestValidationInput{
		Request: r, PathParams: c.vars, Route: c.operation.route, Options: parameterOptions,
	}
	c.checkQuery(input, &errs)
	c.checkHeaders(input, &errs)
	if err := errs.err(); err != nil {
		return nil, err
	}
	return body, c.checkPath(input)
}

// formats validates the formats that the contract uses.
var formats = openapi3.WithStringFormatValidators(map[string]openapi3.StringFormatValidator{
	"date-time": openapi3.NewCallbackValidator(checkTime),
	"uri":       openapi3.NewCallbackValidator(checkURI),
})

// Options of kin-openapi. A body is validated up to its first error, because it can have a million errors; single
// values and parameters are validated completely.
var (
	firstError       = []openapi3.SchemaValidationOption{openapi3.VisitAsRequest(), formats}
	allErrors        = append(firstError[:len(firstError):len(firstError)], openapi3.MultiErrors())
	parameterOptions = &openapi3filter.Options{
		MultiError: true, SkipSettingDefaults: true,
		SchemaValidationOptions: []openapi3.SchemaValidationOption{openapi3.MultiErrors(), formats},
	}
)

// checkTime accepts RFC 3339 times with a zone whose year has four digits in UTC too, which the database and time.Time
// can store and format.
func checkTime(s string) error {
	t, err := timestamp.Parse(s)
	if err == nil && (t.UTC().Year() < 1 || t.UTC().Year() > 9999) {
		err = errors.New("the year does not have four digits in UTC")
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

// checkBody decodes and validates a JSON body or a form, and replaces the request's body by a parsedBody.
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
	case op.files != nil:
		r.Body = &parsedBody{Reader: http.NoBody, value: c.form.check(op.schema, errs)}
		return nil
	}
	value, extra, err := parseJSON(body, op.schema)
	if err != nil {
		return err
	}
	if err := op.schema.VisitJSON(value, firstError...); err != nil {
		errs.addBody(op.schema, value, err)
		errs.more += extra
	}
	r.Body = &parsedBody{Reader: bytes.NewReader(body), value: value}
	return nil
}

// checkPath returns the same error for a malformed identifier as for one that does not exist.
func (c call) checkPath(input *openapi3filter.RequestValidationInput) error {
	for _, parameter := range c.operation.path {
		if openapi3filter.ValidateParameter(input.Request.Context(), input, parameter.Parameter) != nil {
			return parameter.err()
		}
	}
	return nil
}

// err returns the error for a malformed value. If the parameter has few values, the error lists them.
func (p pathParameter) err() error {
	values := p.Schema.Value.Enum
	if len(values) == 0 {
		return fault.NotFound(p.notFound)
	}
	choices := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(values)), ", "), "[]")
	return fault.New(p.notFound, "There is no such address: its %s must be one of %s.", p.Name, choices)
}

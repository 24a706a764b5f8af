package api

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/api/form"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// operation is the part of the contract that the middlewares need for a route. It is built at start.
type operation struct {
	template string // path with the version's base: "/api/cards/{id}"
	class    ratelimit.Class
	scope    caller.Scope // that the token must have; "" if none is needed
	route    *routers.Route
	// shownOnce is a field of the response that stored responses do not have; "" if there is none.
	shownOnce string

	query    map[string]*openapi3.Parameter
	required []string // query parameters
	header   []*openapi3.Parameter
	path     []pathParameter

	body       *openapi3.RequestBody // nil if it takes none
	mediaTypes []string              // of the body, sorted
	schema     *openapi3.Schema      // of a JSON body or a form
	binary     bool                  // the body is a picture, which the handler reads
	files      map[string]int        // the maximum number of files by field of a form; nil if the body is no form
	maxBody    int64                 // bytes
}

// pathParameter is a path parameter and the error code for malformed values.
type pathParameter struct {
	*openapi3.Parameter
	notFound fault.Code
}

// newOperation returns the operation of a generated route.
func newOperation(doc *openapi3.T, base string, route *mux.Route, values *knownValues) (*operation, error) {
	template, err := route.GetPathTemplate()
	if err != nil {
		return nil, err
	}
	methods, err := route.GetMethods()
	if err != nil {
		return nil, err
	}
	path := strings.TrimPrefix(template, base)
	item := doc.Paths.Value(path)
	if item == nil || item.GetOperation(methods[0]) == nil {
		return nil, fmt.Errorf("%s %s is not in the contract", methods[0], path)
	}
	definition := values.operation(item.GetOperation(methods[0]))
	op := &operation{template: template, class: classOf(methods[0]), query: map[string]*openapi3.Parameter{}}
	op.route = &routers.Route{Spec: doc, Path: path, PathItem: item, Method: methods[0], Operation: definition}
	if class, ok := definition.Extensions["x-rate-class"].(string); ok {
		op.class = ratelimit.Class(class)
	}
	if ratelimit.Defaults.Of(op.class) == 0 {
		return nil, fmt.Errorf("%s %s: there is no rate class %q", methods[0], path, op.class)
	}
	if op.scope, err = scopeOf(definition, methods[0]); err != nil {
		return nil, fmt.Errorf("%s %s: %w", methods[0], path, err)
	}
	op.shownOnce, _ = definition.Extensions["x-shown-once"].(string)
	op.addParameters(slices.Concat(item.Parameters, definition.Parameters))
	if definition.RequestBody != nil {
		if err := op.addBody(definition.RequestBody.Value); err != nil {
			return nil, fmt.Errorf("%s %s: %w", methods[0], path, err)
		}
	}
	return op, nil
}

func (op *operation) addParameters(parameters openapi3.Parameters) {
	for _, ref := range parameters {
		switch p := ref.Value; p.In {
		case openapi3.ParameterInQuery:
			if op.query[p.Name] = p; p.Required {
				op.required = append(op.required, p.Name)
			}
		case openapi3.ParameterInHeader:
			op.header = append(op.header, p)
		case openapi3.ParameterInPath:
			code, _ := p.Extensions["x-not-found-code"].(string)
			if code == "" {
				code = string(fault.RouteNotFound)
			}
			op.path = append(op.path, pathParameter{p, fault.Code(code)})
		}
	}
}

func (op *operation) addBody(body *openapi3.RequestBody) error {
	op.body = body
	op.mediaTypes = slices.Sorted(maps.Keys(body.Content))
	for mediaType, media := range body.Content {
		op.schema = media.Schema.Value
		if op.schema.Format == "binary" {
			op.binary, op.maxBody = true, int64(*op.schema.MaxLength)
			continue
		}
		if err := checkBounded(op.schema, ""); err != nil {
			return err
		}
		if mediaType == form.MediaType {
			op.files, op.maxBody = formFiles(op.schema), formLimit(op.schema)
			continue
		}
		op.maxBody = bodyLimit(op.schema)
	}
	return nil
}

// classOf returns the rate class of operations for which the contract defines none.
func classOf(method string) ratelimit.Class {
	if method == http.MethodGet {
		return ratelimit.Read
	}
	return ratelimit.Write
}

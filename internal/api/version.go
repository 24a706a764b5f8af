package api

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gorilla/mux"
)

// Version is a version of the API: its contract and its handlers.
type Version struct {
	// Base is the prefix of its paths: "/api".
	Base string
	// Contract returns its OpenAPI 3.0 document.
	Contract func() (*openapi3.T, error)
	// Mount adds its generated routes, which write errors with WriteBindingError and WriteError.
	Mount func(router *mux.Router, base string)
	// Known are the values that this installation knows of the schemas that the contract leaves open, by the names of
	// the schemas. Requests can have no others.
	Known map[string][]string
	// Deprecation is sent with every response under Base.
	Deprecation Deprecation
	// NotFound is the error for unknown paths under Base; the default is route_not_found.
	NotFound error
}

// routes finds the operations of requests.
type routes struct{ versions []mounted }

// mounted is a version whose contract has been compiled.
type mounted struct {
	base        string
	operations  map[*mux.Route]*operation
	fixed       map[string][]*mux.Route // routes by path, of paths without parameters
	variable    map[int][]*mux.Route    // the routes with parameters, by the number of slashes
	deprecation http.Header
	notFound    error
}

// newRoutes compiles the contracts of the versions. It fails if a route has no operation in the contract, or an
// operation no route.
func newRoutes(versions []Version) (*routes, error) {
	rs := &routes{}
	for _, v := range versions {
		m, err := mount(v)
		if err != nil {
			return nil, fmt.Errorf("load routes of %s: %w", v.Base, err)
		}
		rs.versions = append(rs.versions, m)
	}
	slices.SortFunc(rs.versions, func(a, b mounted) int { return len(b.base) - len(a.base) }) // /api/v2 before /api
	return rs, nil
}

func mount(v Version) (mounted, error) {
	contract, err := v.Contract()
	if err != nil {
		return mounted{}, err
	}
	doc := *contract
	if !strings.HasPrefix(doc.OpenAPI, "3.0.") { // kin-openapi validates 3.1 thirty times slower
		return mounted{}, fmt.Errorf("the contract is OpenAPI %s, not 3.0", doc.OpenAPI)
	}
	// Paths and tokens are checked before requests are validated.
	doc.Servers, doc.Security = nil, nil
	m := mounted{
		base: v.Base, operations: map[*mux.Route]*operation{},
		fixed: map[string][]*mux.Route{}, variable: map[int][]*mux.Route{},
		deprecation: v.Deprecation.header(), notFound: cmp.Or(v.NotFound, routeNotFound()),
	}
	values, err := newKnownValues(&doc, v.Known)
	if err != nil {
		return mounted{}, err
	}
	router := mux.NewRouter()
	v.Mount(router, v.Base)
	count := 0
	for _, item := range doc.Paths.Map() {
		count += len(item.Operations())
	}
	err = router.Walk(func(route *mux.Route, _ *mux.Router, _ []*mux.Route) error {
		op, err := newOperation(&doc, v.Base, route, values)
		if err != nil {
			return err
		}
		m.operations[route] = op
		if strings.Contains(op.template, "{") {
			slashes := strings.Count(op.template, "/")
			m.variable[slashes] = append(m.variable[slashes], route)
		} else {
			m.fixed[op.template] = append(m.fixed[op.template], route)
		}
		return nil
	})
	if err == nil && count != len(m.operations) {
		err = fmt.Errorf("%d operations in the contract, %d routes", count, len(m.operations))
	}
	return m, err
}

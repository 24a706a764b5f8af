package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gorilla/mux"
)

// Version is one version of the API: its contract and the handlers that keep it.
type Version struct {
	// Base is what its paths begin with: "/api".
	Base string
	// Contract returns its OpenAPI 3.0 document.
	Contract func() (*openapi3.T, error)
	// Mount adds its generated routes, which tell errors by WriteBindingError and WriteError.
	Mount func(router *mux.Router, base string)
	// Deprecation is announced in every answer under Base.
	Deprecation Deprecation
	// Absent is what addresses under Base are answered that the contract does not have; nil means route_not_found.
	Absent error
}

// routes finds the operation of a request.
type routes struct{ versions []mounted }

// mounted is a version ready to serve.
type mounted struct {
	base        string
	router      *mux.Router
	operations  map[*mux.Route]*operation
	deprecation http.Header
	absent      error
}

// newRoutes mounts the versions and compiles their contracts. A route without an operation in the
// contract, or the other way round, is an error.
func newRoutes(versions []Version) (*routes, error) {
	rs := &routes{}
	for _, v := range versions {
		m, err := mount(v)
		if err != nil {
			return nil, fmt.Errorf("api.newRoutes: %s: %w", v.Base, err)
		}
		rs.versions = append(rs.versions, m)
	}
	slices.SortFunc(rs.versions, func(a, b mounted) int { return len(b.base) - len(a.base) }) // /api/v2 before /api
	return rs, nil
}

func mount(v Version) (mounted, error) {
	shared, err := v.Contract()
	if err != nil {
		return mounted{}, err
	}
	doc := *shared
	if !strings.HasPrefix(doc.OpenAPI, "3.0.") { // 3.1 is validated thirty times slower
		return mounted{}, fmt.Errorf("the contract is OpenAPI %s, not 3.0", doc.OpenAPI)
	}
	// Addresses and tokens are checked before the contract is asked.
	doc.Servers, doc.Security = nil, nil
	m := mounted{
		base: v.Base, router: mux.NewRouter(), operations: map[*mux.Route]*operation{},
		deprecation: v.Deprecation.header(), absent: cmp.Or(v.Absent, routeNotFound()),
	}
	v.Mount(m.router, v.Base)
	described := 0
	for _, item := range doc.Paths.Map() {
		described += len(item.Operations())
	}
	err = m.router.Walk(func(route *mux.Route, _ *mux.Router, _ []*mux.Route) error {
		op, err := newOperation(&doc, v.Base, route)
		m.operations[route] = op
		return err
	})
	if err == nil && described != len(m.operations) {
		err = fmt.Errorf("%d operations in the contract, %d routes", described, len(m.operations))
	}
	return m, err
}

// call is a request that has found its operation.
type call struct {
	operation *operation
	handler   http.Handler
	vars      map[string]string // path parameters, decoded
	large     *arrival          // the body, if the operation takes large ones
}

// unknown stands for the operation of addresses that have none: only how they are counted and logged.
func unknown(method string) call {
	return call{operation: &operation{template: "unknown", class: classOf(method)}}
}

// find returns the call, or the fault that there is no such address or method. It never redirects:
// a doubled, trailing or encoded slash is part of another address.
func (rs *routes) find(r *http.Request) (call, error) {
	v, ok := rs.version(r)
	if !ok {
		return unknown(r.Method), routeNotFound()
	}
	var match mux.RouteMatch
	switch {
	case v.router.Match(r, &match):
		return call{operation: v.operations[match.Route], handler: match.Handler, vars: match.Vars}, nil
	case errors.Is(match.MatchErr, mux.ErrMethodMismatch):
		return unknown(r.Method), methodNotAllowed(rs.allowed(r))
	}
	return unknown(r.Method), v.absent
}

func (rs *routes) version(r *http.Request) (mounted, bool) {
	if encoded := r.URL.RawPath; strings.Contains(encoded, "%2F") || strings.Contains(encoded, "%2f") {
		return mounted{}, false
	}
	return rs.owner(r.URL.Path)
}

// owner returns the version that a path is under, whether or not the contract has such an address.
func (rs *routes) owner(path string) (mounted, bool) {
	for _, v := range rs.versions {
		if rest, ok := strings.CutPrefix(path, v.base); ok && (rest == "" || rest[0] == '/') {
			return v, true
		}
	}
	return mounted{}, false
}

// allowed returns the methods that the request's address takes, as the Allow header has them; "" if
// there is no such address.
func (rs *routes) allowed(r *http.Request) string {
	v, ok := rs.version(r)
	if !ok {
		return ""
	}
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		probe := r.Clone(context.Background())
		probe.Method = method
		if !v.router.Match(probe, &mux.RouteMatch{}) {
			continue
		}
		if allowed = append(allowed, method); method == http.MethodGet {
			allowed = append(allowed, http.MethodHead)
		}
	}
	if allowed == nil {
		return ""
	}
	return strings.Join(append(allowed, http.MethodOptions), ", ")
}

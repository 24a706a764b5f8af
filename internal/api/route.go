package api

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/gorilla/mux"
)

// route finds the operation of a request and sets the deprecation headers of its version. It comes first among the
// middlewares that depend on the request, because all that follow depend on the operation. It does not respond to
// requests without an operation: limit does after it counted them.
func (rs *routes) route(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		state := stateOf(r.Context())
		rs.setDeprecationHeaders(w.Header(), r)
		state.call, state.routeErr = rs.find(r)
		state.route = state.call.operation.template
		next.ServeHTTP(w, r)
	})
}

// call is a request for an operation.
type call struct {
	operation *operation
	handler   http.Handler
	vars      map[string]string // path parameters, decoded
	spool     *spooledBody      // nil if the operation does not accept large bodies
	form      *formBody         // nil if the operation takes no form
}

// unknown returns the call of a path without an operation. It has only the fields for counting and logging the request.
func unknown(method string) call {
	return call{operation: &operation{template: "unknown", class: classOf(method)}}
}

// find returns the call, or an error if there is no such path or method. It never redirects: a path with a doubled,
// trailing or encoded slash is a different path.
func (rs *routes) find(r *http.Request) (call, error) {
	v, ok := rs.version(r)
	if !ok {
		return unknown(r.Method), routeNotFound()
	}
	switch match, err := v.match(r); {
	case err == nil:
		return call{operation: v.operations[match.Route], handler: match.Handler, vars: match.Vars}, nil
	case errors.Is(err, mux.ErrMethodMismatch):
		return unknown(r.Method), methodNotAllowed(rs.allowed(r))
	}
	return unknown(r.Method), v.notFound
}

// match returns the route of a request. A fixed path never matches a route with parameters: /listings/publish has no
// GET although /listings/{id} has. Among the routes with parameters, it tries the ones with as many slashes as the
// path, because a parameter contains no slash. A router tries all routes in order, which takes longer with each
// operation of the contract.
func (v mounted) match(r *http.Request) (match mux.RouteMatch, err error) {
	routes, found := v.fixed[r.URL.Path]
	if !found {
		routes = v.variable[strings.Count(r.URL.Path, "/")]
	}
	for _, route := range routes {
		if route.Match(r, &match) && match.MatchErr == nil {
			return match, nil
		}
	}
	if match.MatchErr == nil {
		match.MatchErr = mux.ErrNotFound
	}
	return match, match.MatchErr
}

func (rs *routes) version(r *http.Request) (mounted, bool) {
	if path := r.URL.RawPath; strings.Contains(path, "%2F") || strings.Contains(path, "%2f") {
		return mounted{}, false
	}
	return rs.owner(r.URL.Path)
}

// owner returns the version that a path belongs to, even if the contract does not have the path.
func (rs *routes) owner(path string) (mounted, bool) {
	for _, v := range rs.versions {
		if rest, ok := strings.CutPrefix(path, v.base); ok && (rest == "" || rest[0] == '/') {
			return v, true
		}
	}
	return mounted{}, false
}

// allowed returns the methods of the request's path in the format of the Allow header, or "" if there is no such path.
func (rs *routes) allowed(r *http.Request) string {
	v, ok := rs.version(r)
	if !ok {
		return ""
	}
	var methodList []string
	for _, method := range []string{
		http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
	} {
		probe := r.Clone(context.Background())
		probe.Method = method
		if _, err := v.match(probe); err != nil {
			continue
		}
		if methodList = append(methodList, method); method == http.MethodGet {
			methodList = append(methodList, http.MethodHead)
		}
	}
	if methodList == nil {
		return ""
	}
	return strings.Join(append(methodList, http.MethodOptions), ", ")
}

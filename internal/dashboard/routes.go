package dashboard

import "net/http"

// Access says who may use a route.
type Access string

// The kinds of access.
const (
	ForAnyone  Access = "anyone"  // also without a session
	ForMembers Access = "members" // users of the account
	ForOwners  Access = "owners"  // owners of the account
)

// Route is a route of the dashboard. HEAD is served like GET and not listed.
type Route struct {
	Method, Path string // variables of the path are in braces
	Access       Access
}

// Routes returns all routes except that of the files that pages load. Tests use it to check the access to each route.
func Routes() []Route {
	d := &Dashboard{}
	d.routes()
	return d.declared
}

// methods returns the methods of a route. HEAD is served like GET.
func methods(method string) []string {
	if method == http.MethodGet {
		return []string{http.MethodGet, http.MethodHead}
	}
	return []string{method}
}

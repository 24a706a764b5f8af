package api

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/fault"
)

// noScope is the value of x-scope of operations that every token may use.
const noScope = "none"

// scopeOf returns the scope that an operation needs: its x-scope, otherwise read for GET and write for other methods.
func scopeOf(definition *openapi3.Operation, method string) (caller.Scope, error) {
	text, ok := definition.Extensions["x-scope"].(string)
	switch {
	case !ok && method == http.MethodGet:
		return caller.ReadScope, nil
	case !ok:
		return caller.WriteScope, nil
	case text == noScope:
		return "", nil
	case !slices.Contains(caller.Scopes, caller.Scope(text)):
		return "", fmt.Errorf("there is no scope %q", text)
	}
	return caller.Scope(text), nil
}

// checkScope refuses requests whose token does not have the scope of the operation. It comes after limit, so that these
// requests count, and before validate, so that they do not learn whether the rest of the request is valid.
func checkScope(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := stateOf(r.Context()).scopeErr(); err != nil {
			WriteError(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// scopeErr returns insufficient_scope if the caller's token does not have the scope of the operation.
func (s *requestState) scopeErr() error {
	scope := s.call.operation.scope
	if scope == "" || s.caller.May(scope) {
		return nil
	}
	return fault.New(fault.InsufficientScope,
		"This needs a token with the scope %s; yours has %s. Create another token.",
		scope, caller.FormatScopes(s.caller.Scopes))
}

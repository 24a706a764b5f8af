package caller

import (
	"fmt"
	"slices"
	"strings"
)

// Scope is a permission of a token.
type Scope string

// The scopes of tokens.
const (
	ReadScope     Scope = "read"     // requests that only read
	WriteScope    Scope = "write"    // requests that change something or ask a provider
	WebhooksScope Scope = "webhooks" // the account's webhooks, reads included
)

// Scopes are all scopes, in the order in which they are shown.
var Scopes = []Scope{ReadScope, WriteScope, WebhooksScope}

// DefaultScopes are the scopes of tokens that are created without a list.
var DefaultScopes = []Scope{ReadScope, WriteScope}

// ParseScopes parses scopes separated by commas, such as "read,write". It returns them without duplicates in the order
// of Scopes.
func ParseScopes(text string) ([]Scope, error) {
	given := map[Scope]bool{}
	for name := range strings.SplitSeq(text, ",") {
		scope := Scope(strings.TrimSpace(name))
		if !slices.Contains(Scopes, scope) {
			return nil, fmt.Errorf("%q is not a scope; known are %s", scope, FormatScopes(Scopes))
		}
		given[scope] = true
	}
	var scopes []Scope
	for _, scope := range Scopes {
		if given[scope] {
			scopes = append(scopes, scope)
		}
	}
	return scopes, nil
}

// FormatScopes returns the text that ParseScopes parses.
func FormatScopes(scopes []Scope) string {
	names := make([]string, len(scopes))
	for i, scope := range scopes {
		names[i] = string(scope)
	}
	return strings.Join(names, ",")
}

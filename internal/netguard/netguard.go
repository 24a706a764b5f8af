// Package netguard is the only way by which the service reaches an address that a customer named:
// webhook endpoints and photo addresses.
//
// A Guard refuses everything that is not a public web server, and looks at the address that is
// really dialled, so that a name that changes its answer between check and connect (DNS
// rebinding), a redirect or an unusual spelling of an address gains nothing. The package never
// takes a proxy from the environment, never sends credentials, and never sets a deadline for the
// whole exchange: that is the caller's context.
package netguard

import (
	"crypto/x509"
	"errors"
	"net"
)

// Config says what a Guard lets through.
type Config struct {
	// AllowPrivate is the development switch: it also allows http, port 80, loopback, private
	// networks (RFC 1918, RFC 4193) and host names without a dot. The addresses at which clouds
	// keep a machine's credentials, link-local or in RFC 4193, stay forbidden.
	AllowPrivate bool
	// Resolver turns host names into addresses; nil is the system's.
	Resolver *net.Resolver
	// RootCAs are the authorities that servers are verified against; nil are the system's.
	RootCAs *x509.CertPool
}

// Guard decides which addresses may be reached. It is safe for concurrent use.
type Guard struct {
	allowPrivate bool
	resolver     *net.Resolver
	rootCAs      *x509.CertPool
}

// New returns a Guard for this configuration.
func New(cfg Config) *Guard {
	resolver := cfg.Resolver
	if resolver == nil {
		resolver = net.DefaultResolver
	}
	return &Guard{allowPrivate: cfg.AllowPrivate, resolver: resolver, rootCAs: cfg.RootCAs}
}

// ErrForbidden is in the chain of every error that means: the service will not go there. All
// other errors of this package's clients are ordinary network errors.
var ErrForbidden = errors.New("forbidden address")

// ForbiddenError says why an address is refused. It is safe to show to whoever named the
// address: it never tells what a name resolves to.
type ForbiddenError struct {
	// Reason completes the sentence "the address …": "must begin with https://".
	Reason string
}

// Error returns the reason as a sentence.
func (e *ForbiddenError) Error() string { return "forbidden address: it " + e.Reason }

// Unwrap returns ErrForbidden.
func (e *ForbiddenError) Unwrap() error { return ErrForbidden }

func forbidden(reason string) error { return &ForbiddenError{Reason: reason} }

// Package netguard protects against server-side request forgery (SSRF). All requests to URLs that customers provide,
// for webhook endpoints and photos, use its clients.
//
// A Guard refuses everything that is not a public web server. It checks the address at the moment of connecting, so
// that names whose address changes after a check (DNS rebinding), redirects and unusual notations of addresses cannot
// bypass it. The package never uses a proxy from the environment and never sends credentials. It sets no deadline for a
// whole request; the caller's context does.
//
// The list of refused addresses is ours because the libraries do less. code.dny.dev/ssrf v0.3.0 refuses the same
// networks, but allows the zero netip.Addr and Azure's host agent 168.63.129.16. Its allowed networks take precedence
// over refused ones, so with private networks allowed it also allows the metadata services in them. It would replace
// one table, and had no release between July 2023 and July 2026. github.com/doyensec/safeurl creates the transport
// itself, without HTTP/2 and without limits of the connection pool.
package netguard

import (
	"crypto/x509"
	"errors"
	"net"
)

// Config configures a Guard.
type Config struct {
	// AllowPrivate is for development. It also allows http, port 80, loopback, private networks (RFC 1918, RFC 4193)
	// and host names without a dot. The addresses of cloud metadata services, which serve a machine's credentials, stay
	// forbidden.
	AllowPrivate bool
	// Resolver resolves host names. The default is the system's resolver.
	Resolver *net.Resolver
	// RootCAs are the certificate authorities. The default is the system's set.
	RootCAs *x509.CertPool
}

// Guard decides which addresses may be reached. It is safe for concurrent use.
type Guard struct {
	allowPrivate bool
	resolver     *net.Resolver
	rootCAs      *x509.CertPool
}

// New returns a Guard with this configuration.
func New(cfg Config) *Guard {
	resolver := cfg.Resolver
	if resolver == nil {
		resolver = net.DefaultResolver
	}
	return &Guard{allowPrivate: cfg.AllowPrivate, resolver: resolver, rootCAs: cfg.RootCAs}
}

// ErrForbidden is in the chain of all errors for addresses that a Guard refuses. All other errors of this package's
// clients are network errors.
var ErrForbidden = errors.New("forbidden address")

// ForbiddenError is the reason why a Guard refuses an address. It is safe to show to customers: it does not contain the
// addresses that a name resolves to.
type ForbiddenError struct {
	// Reason completes the sentence "the address …": "must begin with https://".
	Reason string
}

// Error returns the reason as a sentence.
func (e *ForbiddenError) Error() string { return "forbidden address: it " + e.Reason }

// Unwrap returns ErrForbidden.
func (e *ForbiddenError) Unwrap() error { return ErrForbidden }

func forbidden(reason string) error { return &ForbiddenError{Reason: reason} }

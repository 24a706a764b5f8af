package netguard

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// Defaults and limits of a client.
const (
	// defaultConnectTimeout is half of the shortest request timeout, 10 s, so that a host with two addresses can be
	// reached even if one address does not respond.
	defaultConnectTimeout = 5 * time.Second
	// tlsTimeout is the timeout of the handshake.
	tlsTimeout = 5 * time.Second
	// defaultMaxIdle is far below the usual limit of 1024 open files.
	defaultMaxIdle        = 256
	defaultMaxIdlePerHost = 4
	idleTimeout           = 60 * time.Second
	// maxHeaderBytes is the maximum size of response headers. Go's default is 10 MiB.
	maxHeaderBytes = 64 << 10
	// pingAfter is the idle time after which HTTP/2 connections are checked, so that requests do not use dead ones.
	pingAfter   = 15 * time.Second
	pingTimeout = 5 * time.Second
)

// Options are the options of a client. The zero value is for many endpoints, without redirects.
type Options struct {
	// MaxRedirects is the number of redirects to follow. Each URL is checked like the first. If it is 0, the redirect
	// itself is the response.
	MaxRedirects int
	// ConnectTimeout is the timeout for resolving the name and connecting; the default is 5 s.
	ConnectTimeout time.Duration
	// MaxIdle and MaxIdlePerHost are the maximum numbers of idle connections; the defaults are 256 and 4.
	MaxIdle, MaxIdlePerHost int
	// RepeatClosed makes the client repeat a request once if the server closed the reused connection before the
	// response began. The request must be safe to repeat and have GetBody; see transport.repeat.
	RepeatClosed bool
}

// Client returns a client that connects to allowed addresses only. Each client has a connection pool, so create one per
// purpose and reuse it. Requests need a context with a deadline.
func (g *Guard) Client(opts Options) *http.Client {
	t := &transport{guard: g, base: g.newTransport(opts)}
	if opts.RepeatClosed {
		t.fresh = g.newTransport(opts)
		t.fresh.DisableKeepAlives = true
	}
	return &http.Client{
		Transport: t,
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			// The query of the redirecting URL may contain a secret.
			req.Header.Del("Referer")
			if opts.MaxRedirects == 0 {
				return http.ErrUseLastResponse
			}
			if len(via) > opts.MaxRedirects {
				return fmt.Errorf("more than %d redirects", opts.MaxRedirects)
			}
			return nil
		},
	}
}

// transport checks every request, including redirected ones, before it is sent.
type transport struct {
	guard *Guard
	base  *http.Transport
	fresh *http.Transport // for repeated requests, with a new connection for each; nil without Options.RepeatClosed
}

// RoundTrip sends allowed requests and refuses others.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := t.guard.check(req.URL); err != nil {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, err
	}
	if t.fresh != nil {
		return t.repeat(req)
	}
	return t.send(t.base, req)
}

// send sends a request. If the address is refused while connecting, the network error around the refusal is dropped,
// because it contains the address that an internal name resolves to.
func (t *transport) send(by *http.Transport, req *http.Request) (*http.Response, error) {
	res, err := by.RoundTrip(req)
	if refusal := (*ForbiddenError)(nil); errors.As(err, &refusal) {
		return nil, refusal
	}
	return res, err
}

// CloseIdleConnections closes the idle connections of the pool.
func (t *transport) CloseIdleConnections() { t.base.CloseIdleConnections() }

func (g *Guard) newTransport(opts Options) *http.Transport {
	d := g.newDialer(orDefault(opts.ConnectTimeout, defaultConnectTimeout))
	return &http.Transport{
		Proxy:                  nil, // a proxy would connect to unchecked addresses
		DialContext:            d.tcp.DialContext,
		DialTLSContext:         d.dialTLS,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // protects against decompression bombs
		MaxIdleConns:           orDefault(opts.MaxIdle, defaultMaxIdle),
		MaxIdleConnsPerHost:    orDefault(opts.MaxIdlePerHost, defaultMaxIdlePerHost),
		IdleConnTimeout:        idleTimeout,
		MaxResponseHeaderBytes: maxHeaderBytes,
		HTTP2:                  &http.HTTP2Config{SendPingTimeout: pingAfter, PingTimeout: pingTimeout},
	}
}

func orDefault[T int | time.Duration](value, fallback T) T {
	if value == 0 {
		return fallback
	}
	return value
}

type dialer struct {
	tcp *net.Dialer
	tls *tls.Config
}

func (g *Guard) newDialer(timeout time.Duration) *dialer {
	return &dialer{
		tcp: &net.Dialer{Timeout: timeout, Resolver: g.resolver, ControlContext: g.control},
		tls: &tls.Config{
			MinVersion: tls.VersionTLS12,
			RootCAs:    g.rootCAs,
			NextProtos: []string{"h2", "http/1.1"},
			// Resumption saves a round trip on every new connection to an endpoint.
			ClientSessionCache: tls.NewLRUClientSessionCache(defaultMaxIdle),
		},
	}
}

// control checks an address at the moment of connecting, after names have been resolved.
func (g *Guard) control(_ context.Context, network, address string, _ syscall.RawConn) error {
	if network != "tcp4" && network != "tcp6" {
		return errNotPublic
	}
	target, err := netip.ParseAddrPort(address)
	if err != nil {
		return errNotPublic
	}
	return g.CheckAddr(target.Addr())
}

// dialTLS connects and performs the TLS handshake. It replaces the transport's own handshake, so that Classify can
// recognize its errors by their type.
func (d *dialer) dialTLS(ctx context.Context, network, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("connect by TLS: %w", err)
	}
	conn, err := d.tcp.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	cfg := d.tls.Clone()
	cfg.ServerName = host
	secure := tls.Client(conn, cfg)
	ctx, cancel := context.WithTimeout(ctx, tlsTimeout)
	defer cancel()
	if err := secure.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, &handshakeError{err}
	}
	return secure, nil
}

type handshakeError struct{ err error }

func (e *handshakeError) Error() string { return "TLS handshake: " + e.err.Error() }
func (e *handshakeError) Unwrap() error { return e.err }

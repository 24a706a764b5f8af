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

// The defaults and fixed limits of a client.
const (
	// defaultConnectTimeout is half of the ten seconds that the shortest exchange has, so that a
	// host with one dead address of two can still be reached.
	defaultConnectTimeout = 5 * time.Second
	// tlsTimeout bounds the handshake alone.
	tlsTimeout = 5 * time.Second
	// defaultMaxIdle keeps the open files of idle connections far below the usual limit of 1024.
	defaultMaxIdle        = 256
	defaultMaxIdlePerHost = 4
	idleTimeout           = 60 * time.Second
	// maxHeaderBytes is what a server may answer in headers; Go's default is 10 MiB.
	maxHeaderBytes = 64 << 10
	// pingAfter finds pooled HTTP/2 connections that died silently before a request is lost on one.
	pingAfter   = 15 * time.Second
	pingTimeout = 5 * time.Second
)

// Options tune one client. The zero value is for many endpoints and no redirects.
type Options struct {
	// MaxRedirects is how many redirects are followed, each checked like the first address. With
	// 0 a redirect is returned as the response.
	MaxRedirects int
	// ConnectTimeout bounds the look-up of the name and the connection; 0 is 5 s.
	ConnectTimeout time.Duration
	// MaxIdle and MaxIdlePerHost bound the connections kept for reuse; 0 is 256 and 4.
	MaxIdle, MaxIdlePerHost int
}

// Client returns a client that reaches allowed addresses only. It has a pool of its own: make one
// per purpose and keep it. Give every request a context with a deadline, and read its body.
func (g *Guard) Client(opts Options) *http.Client {
	return &http.Client{
		Transport: &transport{guard: g, base: g.newTransport(opts)},
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			// The address that led here may hold a secret in its query.
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

// transport checks every request, so every hop of a redirect, before it is sent.
type transport struct {
	guard *Guard
	base  *http.Transport
}

// RoundTrip sends an allowed request and refuses any other. A refusal at the dial loses its
// network error, which would tell the customer what an inner name resolves to.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := t.guard.check(req.URL); err != nil {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, err
	}
	res, err := t.base.RoundTrip(req)
	if refusal := (*ForbiddenError)(nil); errors.As(err, &refusal) {
		return nil, refusal
	}
	return res, err
}

// CloseIdleConnections empties the pool.
func (t *transport) CloseIdleConnections() { t.base.CloseIdleConnections() }

func (g *Guard) newTransport(opts Options) *http.Transport {
	d := g.newDialer(orDefault(opts.ConnectTimeout, defaultConnectTimeout))
	return &http.Transport{
		Proxy:                  nil, // a proxy would dial for us, unchecked
		DialContext:            d.tcp.DialContext,
		DialTLSContext:         d.dialTLS,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // nothing that is read here is worth a decompression bomb
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

// control sees each address at the moment of connecting, after all name resolution.
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

// dialTLS connects and shakes hands. It stands in for the transport's own handshake so that
// Classify can tell a failure of TLS by its type.
func (d *dialer) dialTLS(ctx context.Context, network, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("netguard.dialTLS: %w", err)
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

// Package faultproxy is a TCP proxy in front of PostgreSQL that simulates failures of a network or a host.
//
// A Proxy forwards connections to the database. Freeze makes them silent: the proxy forwards no bytes and
// no closing of a connection, as if the peer were stopped or packets were lost. Cut closes the
// connections. FreezeBefore and FreezeAfter freeze one connection at a given statement: before the server
// receives it, or after the server has received it but before the response arrives. Tests use them to
// lose a COMMIT. Each Link is one connection and can be frozen by itself.
//
// The package is for tests and for test programs. It does not import package testing.
package faultproxy

import (
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/lib/pq"
)

// Proxy accepts connections on 127.0.0.1 and forwards them to PostgreSQL. It is safe for concurrent use.
type Proxy struct {
	listener         net.Listener
	url, direct      string
	network, address string // of PostgreSQL
	statements       atomic.Int64

	mu     sync.Mutex
	links  []*Link // open, oldest first
	frozen bool    // new links start frozen
	traps  []*trap
}

// trap freezes the first link that sends a statement with text in it.
type trap struct {
	text  string
	after bool
	hit   chan *Link
}

// New starts a proxy in front of a database. databaseURL is a URL or key=value pairs, as in lib/pq.
func New(databaseURL string) (*Proxy, error) {
	config, err := pq.NewConfig(databaseURL)
	if err != nil {
		return nil, fmt.Errorf("start proxy: %w", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start proxy: %w", err)
	}
	p := &Proxy{listener: listener, url: redirect(databaseURL, listener.Addr().(*net.TCPAddr)), direct: databaseURL}
	p.network, p.address = "tcp", net.JoinHostPort(config.Host, strconv.Itoa(int(config.Port)))
	if filepath.IsAbs(config.Host) {
		p.network, p.address = "unix", filepath.Join(config.Host, ".s.PGSQL."+strconv.Itoa(int(config.Port)))
	}
	go p.accept()
	return p, nil
}

// redirect returns databaseURL with another server and without TLS, because the proxy reads the statements.
func redirect(databaseURL string, to *net.TCPAddr) string {
	if u, err := url.Parse(databaseURL); err == nil && u.Scheme != "" {
		query := u.Query()
		query.Del("host")
		query.Del("port")
		query.Set("sslmode", "disable")
		u.Host, u.RawQuery = to.String(), query.Encode()
		return u.String()
	}
	return fmt.Sprintf("%s host=%s port=%d sslmode=disable", databaseURL, to.IP, to.Port)
}

// URL returns the address of the database through the proxy.
func (p *Proxy) URL() string { return p.url }

// Direct returns the address of the database itself.
func (p *Proxy) Direct() string { return p.direct }

// Statements returns the number of statements that clients have run so far, including those that begin and end
// transactions.
func (p *Proxy) Statements() int { return int(p.statements.Load()) }

// Close stops the proxy and closes its connections.
func (p *Proxy) Close() {
	p.listener.Close()
	p.Cut()
}

// Freeze makes all connections silent, including those that are opened later, until Thaw.
func (p *Proxy) Freeze() {
	p.mu.Lock()
	p.frozen = true
	p.mu.Unlock()
	p.FreezeOpen()
}

// FreezeOpen makes the open connections silent. New ones work.
func (p *Proxy) FreezeOpen() {
	for _, link := range p.Links() {
		link.Freeze()
	}
}

// Thaw ends every freeze and removes the statements of FreezeBefore and FreezeAfter. The proxy forwards
// what it held back, including the closing of connections.
func (p *Proxy) Thaw() {
	p.mu.Lock()
	p.frozen, p.traps = false, nil
	p.mu.Unlock()
	for _, link := range p.Links() {
		link.Thaw()
	}
}

// Cut closes all connections at both ends.
func (p *Proxy) Cut() {
	for _, link := range p.Links() {
		link.Cut()
	}
}

// Links returns the open connections, oldest first.
func (p *Proxy) Links() []*Link {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.links)
}

// FreezeBefore freezes the first connection that sends a statement with text in it, before the server receives
// the statement. It then sends the connection on the channel.
func (p *Proxy) FreezeBefore(text string) <-chan *Link { return p.set(text, false) }

// FreezeAfter freezes the first connection that sends a statement with text in it, after the server has received
// the statement and before the response arrives. It then sends the connection on the channel.
func (p *Proxy) FreezeAfter(text string) <-chan *Link { return p.set(text, true) }

func (p *Proxy) set(text string, after bool) <-chan *Link {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := &trap{text, after, make(chan *Link, 1)}
	p.traps = append(p.traps, t)
	return t.hit
}

// spring removes and returns the first trap for a statement, or nil.
func (p *Proxy) spring(statement string) *trap {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.traps, func(t *trap) bool { return strings.Contains(statement, t.text) })
	if i < 0 {
		return nil
	}
	t := p.traps[i]
	p.traps = slices.Delete(p.traps, i, i+1)
	return t
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		go p.connect(client)
	}
}

// connect forwards one connection until it ends.
func (p *Proxy) connect(client net.Conn) {
	link := newLink(p, client)
	p.mu.Lock()
	if p.links = append(p.links, link); p.frozen {
		link.Freeze()
	}
	p.mu.Unlock()
	link.forward()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.links = slices.DeleteFunc(p.links, func(l *Link) bool { return l == link })
}

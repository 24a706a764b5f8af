// Package faultproxy is a TCP proxy in front of PostgreSQL that fails like a network or a host.
//
// A Proxy passes connections on to the database. Freeze makes them silent: no byte passes in either
// direction and no end of a connection is passed on, as with a peer that is stopped or packets that are
// lost. Cut closes them. FreezeBefore and FreezeAfter freeze one connection at a given statement: before
// the server has received it, or after the server has executed it but before its answer arrives. That is
// how a COMMIT is lost. Each Link is one connection and can be frozen on its own.
//
// The package is for tests and for programs that test; it does not need package testing.
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

	"github.com/lib/pq"
)

// Proxy accepts connections on 127.0.0.1 and passes them on to PostgreSQL. It is safe for concurrent use.
type Proxy struct {
	listener         net.Listener
	url, direct      string
	network, address string // PostgreSQL's

	mu     sync.Mutex
	links  []*Link // open, oldest first
	frozen bool    // links that are opened now start frozen
	traps  []*trap
}

// trap freezes the first link that runs a statement that contains text.
type trap struct {
	text  string
	after bool
	hit   chan *Link
}

// New starts a proxy in front of the database at databaseURL, in either form that lib/pq takes.
func New(databaseURL string) (*Proxy, error) {
	config, err := pq.NewConfig(databaseURL)
	if err != nil {
		return nil, fmt.Errorf("faultproxy.New: %w", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("faultproxy.New: %w", err)
	}
	p := &Proxy{listener: listener, url: redirect(databaseURL, listener.Addr().(*net.TCPAddr)), direct: databaseURL}
	p.network, p.address = "tcp", net.JoinHostPort(config.Host, strconv.Itoa(int(config.Port)))
	if filepath.IsAbs(config.Host) {
		p.network, p.address = "unix", filepath.Join(config.Host, ".s.PGSQL."+strconv.Itoa(int(config.Port)))
	}
	go p.accept()
	return p, nil
}

// redirect returns databaseURL with another server, which takes no TLS: the proxy reads the statements.
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

// Direct returns the address of the database past the proxy.
func (p *Proxy) Direct() string { return p.direct }

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

// FreezeOpen makes the connections that are open now silent. New ones work.
func (p *Proxy) FreezeOpen() {
	for _, link := range p.Links() {
		link.Freeze()
	}
}

// Thaw ends every freeze and forgets the statements that FreezeBefore and FreezeAfter wait for. What was
// held back, ends of connections included, is passed on late.
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

// FreezeBefore freezes the first connection that sends a statement that contains text; the server does not
// receive that statement. The channel receives the connection at that moment.
func (p *Proxy) FreezeBefore(text string) <-chan *Link { return p.set(text, false) }

// FreezeAfter freezes the first connection that sends a statement that contains text, once the server has
// received it; its answer does not arrive. The channel receives the connection at that moment.
func (p *Proxy) FreezeAfter(text string) <-chan *Link { return p.set(text, true) }

func (p *Proxy) set(text string, after bool) <-chan *Link {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := &trap{text, after, make(chan *Link, 1)}
	p.traps = append(p.traps, t)
	return t.hit
}

// spring removes and returns the trap that a statement springs, or nil.
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

// connect carries one connection until it ends.
func (p *Proxy) connect(client net.Conn) {
	link := newLink(p, client)
	p.mu.Lock()
	if p.links = append(p.links, link); p.frozen {
		link.Freeze()
	}
	p.mu.Unlock()
	link.carry()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.links = slices.DeleteFunc(p.links, func(l *Link) bool { return l == link })
}

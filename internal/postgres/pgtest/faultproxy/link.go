package faultproxy

import (
	"net"
	"sync"
)

// Link is one connection through a Proxy.
type Link struct {
	proxy               *Proxy
	client              net.Conn
	requests, responses *gate

	cut  chan struct{} // closed by Cut
	once sync.Once
}

func newLink(p *Proxy, client net.Conn) *Link {
	return &Link{proxy: p, client: client, requests: newGate(), responses: newGate(), cut: make(chan struct{})}
}

// Freeze makes the connection silent in both directions. Neither end notices if the other closes.
func (l *Link) Freeze() {
	l.requests.shut()
	l.responses.shut()
}

// Thaw ends the freeze.
func (l *Link) Thaw() {
	l.requests.open()
	l.responses.open()
}

// Cut closes the connection at both ends.
func (l *Link) Cut() {
	l.once.Do(func() {
		close(l.cut)
		l.client.Close()
	})
}

// forward copies bytes in both directions until the link is cut or one end closes it.
func (l *Link) forward() {
	defer l.Cut()
	if !l.requests.pass(l.cut) { // a silent host does not accept connections either
		return
	}
	server, err := net.Dial(l.proxy.network, l.proxy.address)
	if err != nil {
		return
	}
	defer server.Close()
	go func() {
		defer l.Cut()
		l.forwardResponses(server)
		l.responses.pass(l.cut) // closes the client only after a thaw
	}()
	go func() {
		defer l.Cut()
		l.forwardRequests(server)
		l.requests.pass(l.cut)
	}()
	<-l.cut
}

func (l *Link) forwardResponses(server net.Conn) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := server.Read(buffer)
		if err != nil || !l.responses.pass(l.cut) {
			return
		}
		if _, err := l.client.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// gate blocks callers of pass while it is shut.
type gate struct {
	mu   sync.Mutex
	free chan struct{} // closed channel while the gate is open
}

func newGate() *gate {
	g := &gate{free: make(chan struct{})}
	close(g.free)
	return g
}

func (g *gate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.free:
		g.free = make(chan struct{})
	default:
	}
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.free:
	default:
		close(g.free)
	}
}

// pass waits while the gate is shut. It returns false if the link was cut.
func (g *gate) pass(cut <-chan struct{}) bool {
	g.mu.Lock()
	free := g.free
	g.mu.Unlock()
	select {
	case <-free:
	case <-cut:
	}
	select {
	case <-cut:
		return false
	default:
		return true
	}
}

package faultproxy

import (
	"net"
	"sync"
)

// Link is one connection through a Proxy.
type Link struct {
	proxy             *Proxy
	client            net.Conn
	requests, answers *gate

	cut  chan struct{} // closed by Cut
	once sync.Once
}

func newLink(p *Proxy, client net.Conn) *Link {
	return &Link{proxy: p, client: client, requests: newGate(), answers: newGate(), cut: make(chan struct{})}
}

// Freeze makes the connection silent in both directions. Neither end learns that the other has gone.
func (l *Link) Freeze() {
	l.requests.shut()
	l.answers.shut()
}

// Thaw ends the freeze.
func (l *Link) Thaw() {
	l.requests.open()
	l.answers.open()
}

// Cut closes the connection at both ends.
func (l *Link) Cut() {
	l.once.Do(func() {
		close(l.cut)
		l.client.Close()
	})
}

// carry passes bytes in both directions until the link is cut or an end closes it.
func (l *Link) carry() {
	defer l.Cut()
	if !l.requests.pass(l.cut) { // a host that is silent does not accept either
		return
	}
	server, err := net.Dial(l.proxy.network, l.proxy.address)
	if err != nil {
		return
	}
	defer server.Close()
	go func() {
		defer l.Cut()
		l.carryAnswers(server)
		l.answers.pass(l.cut) // the end is passed on when the link thaws
	}()
	go func() {
		defer l.Cut()
		l.carryRequests(server)
		l.requests.pass(l.cut)
	}()
	<-l.cut
}

func (l *Link) carryAnswers(server net.Conn) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := server.Read(buffer)
		if err != nil || !l.answers.pass(l.cut) {
			return
		}
		if _, err := l.client.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// gate holds back what wants to pass while it is shut.
type gate struct {
	mu   sync.Mutex
	free chan struct{} // closed while the gate is open
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

// pass waits while the gate is shut and reports false if the link was cut.
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

package processtest

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/http/httptest"
	"sync"
	"testing"
)

// line is a TCP proxy in front of a sink that simulates faults of a network or a machine. No other listener uses its
// address, so that it can be closed and opened again.
type line struct {
	t       testing.TB
	address string
	target  string // the sink's address

	mu       sync.Mutex
	listener net.Listener // nil: connections are refused
	conns    map[net.Conn]bool
	fault    fault
	changed  chan struct{} // closed when the fault changes
}

// fault is what is wrong with a line that accepts connections.
type fault int

const (
	noFault      fault = iota
	dropsAll           // accepts connections, reads requests and discards them
	stopsReading       // accepts connections and reads nothing
	truncates          // forwards requests and closes the connection in the middle of each response
)

// newLine opens a line without a fault.
func newLine(t testing.TB, to *httptest.Server) *line {
	t.Helper()
	// All of 127.0.0.0/8 is this machine. Other listeners are at 127.0.0.1.
	l := &line{t: t, target: to.Listener.Addr().String(), conns: map[net.Conn]bool{}, changed: make(chan struct{}),
		address: fmt.Sprintf("127.%d.%d.%d:0", 1+rand.IntN(250), rand.IntN(250), 1+rand.IntN(250))}
	t.Cleanup(func() { l.setFault(noFault); l.refuse() })
	l.repair()
	return l
}

// sinkBehindLine registers a sink as an endpoint of the account, with a line in front of it.
func (a *account) sinkBehindLine(answer func(attempt int) int) (*sink, *line) {
	a.t.Helper()
	s := newSink(a.t, answer)
	l := newLine(a.t, s.Server)
	s.register(a, "http://"+l.address)
	return s, l
}

// refuse closes the listener and every connection, as the system does when a program is killed.
func (l *line) refuse() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.listener != nil {
		l.listener.Close()
		l.listener = nil
	}
	l.closeConnections()
}

func (l *line) closeConnections() {
	for conn := range l.conns {
		conn.Close()
	}
	clear(l.conns)
}

// setFault changes the fault of the line. It keeps connections and the data on them.
func (l *line) setFault(now fault) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fault = now
	close(l.changed)
	l.changed = make(chan struct{})
}

// repair removes the fault, closes all connections and accepts new ones.
func (l *line) repair() {
	l.t.Helper()
	l.setFault(noFault)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closeConnections()
	if l.listener != nil {
		return
	}
	listener, err := net.Listen("tcp", l.address)
	if err != nil {
		l.t.Fatal(err)
	}
	l.listener, l.address = listener, listener.Addr().String()
	go l.accept(listener)
}

// accept accepts connections until the listener is closed.
func (l *line) accept(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		go l.forward(conn, listener)
	}
}

// track adds a connection to conns. It reports false if the listener has been closed.
func (l *line) track(conn net.Conn, by net.Listener) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.listener == by {
		l.conns[conn] = true
	}
	return l.listener == by
}

// untrack closes a connection and removes it.
func (l *line) untrack(conn net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.conns, conn)
	conn.Close()
}

// awaitReading waits while the fault is stopsReading and returns the fault.
func (l *line) awaitReading() fault {
	for {
		l.mu.Lock()
		now, changed := l.fault, l.changed
		l.mu.Unlock()
		if now != stopsReading {
			return now
		}
		<-changed
	}
}

// forward forwards a connection to the sink, in both directions, until one end closes it.
func (l *line) forward(sender net.Conn, by net.Listener) {
	defer l.untrack(sender)
	if !l.track(sender, by) {
		return
	}
	receiver, err := net.Dial("tcp", l.target)
	if err != nil {
		return // the test has ended
	}
	defer receiver.Close()
	go l.forwardResponses(receiver, sender)
	buffer := make([]byte, 64<<10)
	for {
		l.awaitReading()
		n, err := sender.Read(buffer)
		if err != nil {
			return
		}
		if l.awaitReading() == dropsAll {
			continue
		}
		if _, err := receiver.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// forwardResponses forwards the sink's responses.
func (l *line) forwardResponses(receiver, sender net.Conn) {
	defer sender.Close()
	buffer := make([]byte, 64<<10)
	for {
		n, err := receiver.Read(buffer)
		if err != nil {
			return
		}
		fault := l.awaitReading()
		if fault == dropsAll {
			continue
		}
		if fault == truncates {
			n = rand.IntN(n)
		}
		if _, err := sender.Write(buffer[:n]); err != nil || fault == truncates {
			return
		}
	}
}

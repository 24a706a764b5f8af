package processtest

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/http/httptest"
	"sync"
	"testing"
)

// line is the network in front of a sink. It passes everything on until it is told to fail in one of
// the ways networks and machines do. Its address belongs to nobody else, so that it can be given up
// and taken again.
type line struct {
	t       testing.TB
	address string
	behind  string // the sink's address

	mu       sync.Mutex
	listener net.Listener // nil: connections are refused
	conns    map[net.Conn]bool
	fault    fault
	changed  chan struct{} // closed when the fault changes
}

// fault is what is wrong with a line that can be reached.
type fault int

const (
	sound fault = iota
	mute        // takes connections and what is sent, and answers nothing
	deaf        // takes connections, and does not even read what is sent
	torn        // passes requests on and breaks the connection in the middle of each answer
)

// newLine makes a sound line to a server.
func newLine(t testing.TB, to *httptest.Server) *line {
	t.Helper()
	// All of 127.0.0.0/8 is this machine; everybody else is at 127.0.0.1.
	l := &line{t: t, behind: to.Listener.Addr().String(), conns: map[net.Conn]bool{}, changed: make(chan struct{}),
		address: fmt.Sprintf("127.%d.%d.%d:0", 1+rand.IntN(250), rand.IntN(250), 1+rand.IntN(250))}
	t.Cleanup(func() { l.becomes(sound); l.refuse() })
	l.mend()
	return l
}

// lined registers an endpoint of the account with a line in front of it.
func (a *account) lined(answer func(attempt int) int) (*sink, *line) {
	a.t.Helper()
	s := newSink(a.t, answer)
	l := newLine(a.t, s.Server)
	s.registered(a, "http://"+l.address)
	return s, l
}

// refuse gives the address up and closes every connection, as a machine does whose program was killed.
func (l *line) refuse() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.listener != nil {
		l.listener.Close()
		l.listener = nil
	}
	l.hangUp()
}

// hangUp closes every connection.
func (l *line) hangUp() {
	for conn := range l.conns {
		conn.Close()
	}
	clear(l.conns)
}

// becomes changes what is wrong with the line; what is on it stays there.
func (l *line) becomes(now fault) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fault = now
	close(l.changed)
	l.changed = make(chan struct{})
}

// mend makes the line sound and reachable. What is on it is lost.
func (l *line) mend() {
	l.t.Helper()
	l.becomes(sound)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hangUp()
	if l.listener != nil {
		return
	}
	listener, err := net.Listen("tcp", l.address)
	if err != nil {
		l.t.Fatal(err)
	}
	l.listener, l.address = listener, listener.Addr().String()
	go l.take(listener)
}

// take takes connections until the address is given up.
func (l *line) take(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		go l.carry(conn, listener)
	}
}

// carried keeps a connection for hangUp, unless its listener has been closed meanwhile.
func (l *line) carried(conn net.Conn, by net.Listener) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.listener == by {
		l.conns[conn] = true
	}
	return l.listener == by
}

func (l *line) ended(conn net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.conns, conn)
	conn.Close()
}

// listens returns what is wrong with the line, but not before it reads what is sent.
func (l *line) listens() fault {
	for {
		l.mu.Lock()
		now, changed := l.fault, l.changed
		l.mu.Unlock()
		if now != deaf {
			return now
		}
		<-changed
	}
}

// carry passes a connection on to the sink, both ways, until either end closes it.
func (l *line) carry(sender net.Conn, by net.Listener) {
	defer l.ended(sender)
	if !l.carried(sender, by) {
		return
	}
	receiver, err := net.Dial("tcp", l.behind)
	if err != nil {
		return // the sink has gone, and the test with it
	}
	defer receiver.Close()
	go l.answer(receiver, sender)
	buffer := make([]byte, 64<<10)
	for {
		l.listens()
		n, err := sender.Read(buffer)
		if err != nil {
			return
		}
		if l.listens() == mute {
			continue
		}
		if _, err := receiver.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// answer passes the sink's answers back.
func (l *line) answer(receiver, sender net.Conn) {
	defer sender.Close()
	buffer := make([]byte, 64<<10)
	for {
		n, err := receiver.Read(buffer)
		if err != nil {
			return
		}
		fault := l.listens()
		if fault == mute {
			continue
		}
		if fault == torn {
			n = rand.IntN(n)
		}
		if _, err := sender.Write(buffer[:n]); err != nil || fault == torn {
			return
		}
	}
}

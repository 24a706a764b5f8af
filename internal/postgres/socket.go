package postgres

import (
	"context"
	"net"
	"sync/atomic"
	"time"
)

const (
	// grace is how much longer than its context a call may take. The server cancels the statement in this time and
	// says so; a connection that is silent by then is closed.
	grace = time.Second
	// cancelTime bounds the request that cancels a statement, which takes a connection of its own.
	cancelTime = time.Second
	// silenceTime is how long data that was sent may stay unacknowledged, on either side.
	silenceTime = 15 * time.Second
)

// netDialer opens sockets that notice a peer that has gone: a lost host after 12 to 15 s, whether or not there is
// unacknowledged data. A peer that is frozen acknowledges; deadlines are for that.
var netDialer = net.Dialer{
	KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 6 * time.Second, Interval: 3 * time.Second, Count: 2},
	Control:         limitSilence,
}

// socket is the network connection under a driver connection. Its deadline is set by each call (see conn); lib/pq
// itself knows deadlines only while it connects.
type socket struct {
	net.Conn
	limit  time.Time    // the latest deadline; zero: there is no limit
	sent   atomic.Int64 // bytes
	failed atomic.Bool  // a read or a write failed, so the connection cannot be used again
}

// Read implements net.Conn.
func (s *socket) Read(p []byte) (int, error) {
	n, err := s.Conn.Read(p)
	if err != nil {
		s.failed.Store(true)
	}
	return n, err
}

// Write implements net.Conn.
func (s *socket) Write(p []byte) (int, error) {
	n, err := s.Conn.Write(p)
	s.sent.Add(int64(n))
	if err != nil {
		s.failed.Store(true)
	}
	return n, err
}

// SetDeadline implements net.Conn. A deadline later than the limit becomes the limit.
func (s *socket) SetDeadline(t time.Time) error {
	if !s.limit.IsZero() && (t.IsZero() || t.After(s.limit)) {
		t = s.limit
	}
	return s.Conn.SetDeadline(t)
}

// dialer opens the socket of one driver connection. What is dialed after that is lib/pq's request to cancel the
// statement that runs: its context has ended, so the answer must come soon.
type dialer struct {
	socket    *socket
	connected bool
}

// DialContext implements pq.DialerContext.
func (d *dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	if d.connected {
		return d.dialCancel(ctx, network, address)
	}
	c, err := netDialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	d.socket = &socket{Conn: c}
	d.socket.limit, _ = ctx.Deadline() // until connected: lib/pq heeds the context only while it dials
	return d.socket, nil
}

func (d *dialer) dialCancel(ctx context.Context, network, address string) (net.Conn, error) {
	now := time.Now()
	if err := d.socket.SetDeadline(now.Add(grace)); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithDeadline(ctx, now.Add(cancelTime))
	defer cancel()
	c, err := netDialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &socket{Conn: c, limit: now.Add(cancelTime)}, nil
}

// Dial implements pq.Dialer.
func (d *dialer) Dial(network, address string) (net.Conn, error) {
	return d.DialContext(context.Background(), network, address)
}

// DialTimeout implements pq.Dialer.
func (d *dialer) DialTimeout(network, address string, timeout time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return d.DialContext(ctx, network, address)
}

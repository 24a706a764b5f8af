package postgres

import (
	"context"
	"net"
	"sync/atomic"
	"time"
)

const (
	// grace is how long a call may run after its context has ended. In this time, the server cancels the statement and
	// responds. A connection that is still silent after it is closed.
	grace = time.Second
	// cancelTime limits the request that cancels a statement. It uses a connection of its own.
	cancelTime = time.Second
	// silenceTime is how long sent data may stay unacknowledged, on either side.
	silenceTime = 15 * time.Second
)

// netDialer opens sockets that detect a lost host within 12 to 15 s, with or without unacknowledged data. They do not
// detect a frozen process, whose kernel still acknowledges; deadlines do.
var netDialer = net.Dialer{
	KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 6 * time.Second, Interval: 3 * time.Second, Count: 2},
	Control:         limitSilence,
}

// socket is the network connection of a driver connection. Each call sets its deadline (see conn), because lib/pq sets
// deadlines only while it connects.
type socket struct {
	net.Conn
	limit  time.Time    // latest deadline that SetDeadline accepts; zero means no limit
	sent   atomic.Int64 // number of bytes sent
	failed atomic.Bool  // a read or write failed, so the connection cannot be used again
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

// SetDeadline implements net.Conn. It uses the limit instead of a later deadline.
func (s *socket) SetDeadline(t time.Time) error {
	if !s.limit.IsZero() && (t.IsZero() || t.After(s.limit)) {
		t = s.limit
	}
	return s.Conn.SetDeadline(t)
}

// dialer opens the socket of one driver connection. After that, lib/pq dials only to cancel the running statement whose
// context has ended. The dialer then sets the socket's deadline to grace.
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
	d.socket.limit, _ = ctx.Deadline() // until connected, because lib/pq uses the context only to dial
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

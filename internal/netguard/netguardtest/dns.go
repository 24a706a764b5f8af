// Package netguardtest has a DNS server in memory for tests of code that looks up names. It never uses the network.
package netguardtest

import (
	"context"
	"encoding/binary"
	"io"
	"net"

	"golang.org/x/net/dns/dnsmessage"
)

// Resolver returns a resolver with a DNS server of its own. respond turns the message with a question into its
// response. The resolver is the standard library's, so the order of look-up, check and connection is as in production.
func Resolver(respond func(m *dnsmessage.Message)) *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go func() {
			defer server.Close()
			for serveOne(server, respond) == nil {
			}
		}()
		return client, nil
	}}
}

// serveOne responds to one question in the format of DNS over TCP (RFC 1035 section 4.2.2).
func serveOne(conn net.Conn, respond func(m *dnsmessage.Message)) error {
	var size [2]byte
	if _, err := io.ReadFull(conn, size[:]); err != nil {
		return err
	}
	raw := make([]byte, binary.BigEndian.Uint16(size[:]))
	if _, err := io.ReadFull(conn, raw); err != nil {
		return err
	}
	var m dnsmessage.Message
	if err := m.Unpack(raw); err != nil {
		return err
	}
	m.Response, m.Additionals = true, nil
	respond(&m)
	data, err := m.Pack()
	if err != nil {
		return err
	}
	_, err = conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(data))), data...))
	return err
}

package netguard

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"sync"

	"golang.org/x/net/dns/dnsmessage"
)

// fakeDNS returns a resolver that answers from records, by fully qualified name.
func fakeDNS(records map[string][]string) *net.Resolver {
	return serveDNS(func(name string, _ dnsmessage.Type) []string { return records[name] })
}

// rebindingDNS returns a resolver whose first look-up returns the address first, and all others later.
func rebindingDNS(first, later string) *net.Resolver {
	var (
		mu   sync.Mutex
		seen = map[dnsmessage.Type]bool{}
	)
	return serveDNS(func(_ string, kind dnsmessage.Type) []string {
		mu.Lock()
		defer mu.Unlock()
		if seen[kind] {
			return []string{later}
		}
		seen[kind] = true
		return []string{first}
	})
}

// serveDNS returns a resolver that gets its records from the function, over an in-memory connection. It is the resolver
// of the standard library, so the order of look-up, check and connection is as in production.
func serveDNS(answer func(name string, kind dnsmessage.Type) []string) *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go func() {
			defer server.Close()
			for serveOne(server, answer) == nil {
			}
		}()
		return client, nil
	}}
}

// serveOne responds to one question in the format of DNS over TCP (RFC 1035 section 4.2.2).
func serveOne(conn net.Conn, answer func(string, dnsmessage.Type) []string) error {
	var size [2]byte
	if _, err := io.ReadFull(conn, size[:]); err != nil {
		return err
	}
	raw := make([]byte, binary.BigEndian.Uint16(size[:]))
	if _, err := io.ReadFull(conn, raw); err != nil {
		return err
	}
	var msg dnsmessage.Message
	if err := msg.Unpack(raw); err != nil {
		return err
	}
	msg.Response, msg.Authoritative, msg.RCode, msg.Additionals = true, true, dnsmessage.RCodeNameError, nil
	question := msg.Questions[0]
	for _, s := range answer(question.Name.String(), question.Type) {
		msg.RCode = dnsmessage.RCodeSuccess
		if body := resource(netip.MustParseAddr(s), question.Type); body != nil {
			header := dnsmessage.ResourceHeader{Name: question.Name, Type: question.Type, Class: question.Class}
			msg.Answers = append(msg.Answers, dnsmessage.Resource{Header: header, Body: body})
		}
	}
	packed, err := msg.Pack()
	if err != nil {
		return err
	}
	_, err = conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(packed))), packed...))
	return err
}

// resource returns the record for addr if it has the requested type.
func resource(addr netip.Addr, kind dnsmessage.Type) dnsmessage.ResourceBody {
	switch {
	case addr.Is4() && kind == dnsmessage.TypeA:
		return &dnsmessage.AResource{A: addr.As4()}
	case addr.Is6() && kind == dnsmessage.TypeAAAA:
		return &dnsmessage.AAAAResource{AAAA: addr.As16()}
	}
	return nil
}

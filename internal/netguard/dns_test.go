package netguard

import (
	"net"
	"net/netip"
	"sync"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/cardvault/cardvault/internal/netguard/netguardtest"
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

// serveDNS returns a resolver that gets its records from the function.
func serveDNS(answer func(name string, kind dnsmessage.Type) []string) *net.Resolver {
	return netguardtest.Resolver(func(m *dnsmessage.Message) {
		m.Authoritative, m.RCode = true, dnsmessage.RCodeNameError
		question := m.Questions[0]
		for _, s := range answer(question.Name.String(), question.Type) {
			m.RCode = dnsmessage.RCodeSuccess
			if body := resource(netip.MustParseAddr(s), question.Type); body != nil {
				header := dnsmessage.ResourceHeader{Name: question.Name, Type: question.Type, Class: question.Class}
				m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: body})
			}
		}
	})
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
